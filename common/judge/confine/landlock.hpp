#pragma once
/// @file
/// Landlock: what this process may write and read, and all programs that it executes or starts. It uses
/// system calls directly, since libraries are older than the newest kernels.

#include <cstdint>
#include <string>
#include <vector>

namespace ladder::confine {

/// What remains allowed. Everything else that the running kernel can refuse is refused: creating, writing,
/// truncating and removing files, ioctl on devices, TCP, signals to others and abstract sockets of others;
/// reading and executing too, if there is a list of what may be read.
struct Allowed {
  std::vector<std::string>
      folders{};                     ///< all but device files may be created, written and removed below them
  std::vector<std::string> files{};  ///< may be written and used with ioctl: device files
  std::vector<std::uint16_t> ports{};  ///< TCP ports that may be connected to
  std::vector<std::string> read{};     ///< files and folders that may be read and executed; empty: all
  bool others = false;  ///< any port, signals, abstract sockets: for mpirun, which is not a stranger's
};

/// The version of the kernel's interface; 0: it has none, or does not let us use it.
int landlock_version();

/// Refuses everything else; this cannot be undone. A path that does not exist needs no rule. no_new_privs
/// must be set.
/// @return 0, or the errno of what failed
int allow_only(const Allowed& allowed);

}  // namespace ladder::confine
