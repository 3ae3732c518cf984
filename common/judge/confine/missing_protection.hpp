#pragma once
/// @file
/// What this kernel cannot refuse to workers, in words for messages.

#include <string>
#include <vector>

#include "common/judge/worker/protocol.hpp"

namespace ladder::confine {

/// What workers confined like that could still do, as the ends of sentences about them:
/// "could write wherever this user may (…)".
/// @param mpi  whether they are processes of MPI, which have sockets
std::vector<std::string> gaps(const protocol::Confined& confined, bool mpi);

}  // namespace ladder::confine
