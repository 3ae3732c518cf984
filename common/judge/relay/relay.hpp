#pragma once
/// @file
/// Carries messages between a judge and workers on other nodes. Neither of them knows: each has a Unix socket
/// with a half of the relay at its other end.

#include <string>
#include <vector>

namespace ladder::relay {

/// The judge's half: starts @p program (mpirun), and connects each rank that comes to the judge.
/// @param judge  path of the judge's socket
/// @return how the program has ended, as a shell says it
int serve_ranks(const std::string& judge, char** program);

/// A rank's half: starts a launcher with these options and the path of a socket of its own, and connects it
/// to the judge.
/// @return how the launcher has ended; a signal that ended it ends this process, too
int serve_rank(const std::string& confine, const std::vector<std::string>& options);

}  // namespace ladder::relay
