#pragma once
/// @file
/// What a kernel did not let us refuse, for people.

#include <string>
#include <vector>

#include "common/judge/protocol.hpp"

namespace ladder::confine {

/// What workers confined like that could still do, each a sentence about them: "could write wherever this user may (…)".
/// @param mpi  whether they are processes of MPI, which have sockets
std::vector<std::string> gaps(const protocol::Confined& confined, bool mpi);

}  // namespace ladder::confine
