#include "common/judge/confine/missing_protection.hpp"

#include <cstring>

namespace ladder::confine {

std::vector<std::string> gaps(const protocol::Confined& confined, bool mpi) {
  constexpr int commands_since = 5, tcp_since = 4;
  const int version = confined.no_landlock ? 0 : confined.landlock;
  const auto old_landlock = [version](int since) {
    return " (Landlock is of version " + std::to_string(version) + " here; " + std::to_string(since) +
           " refuses that)";
  };
  std::vector<std::string> all;
  if (version == 0)
    all.push_back(std::string("could write wherever this user may (Landlock: ") +
                  std::strerror(confined.no_landlock) + ")");
  if (confined.no_filter)
    all.push_back(
        std::string("could signal other processes, open sockets and change modes of files (seccomp: ") +
        std::strerror(confined.no_filter) + ")");
  if (version > 0 && version < commands_since)
    all.push_back("could command devices that this user may read" + old_landlock(commands_since));
  if (mpi && confined.no_network && !confined.no_filter)
    all.push_back(std::string("of MPI could reach other machines") +
                  (version < tcp_since ? "" : " at mpirun's port") +
                  " (network namespace: " + std::strerror(confined.no_network) + ")");
  return all;
}

}  // namespace ladder::confine
