#pragma once
/// @file
/// Landlock: what this process, and all that it becomes and starts, may write. By the kernel's own interface: no library is
/// as new as the kernels that it runs on.

#include <cstdint>
#include <string>
#include <vector>

namespace ladder::confine {

/// What is left when Landlock holds. Everything else that the running kernel can refuse is refused: to make, write, cut off
/// and remove files, to command devices, TCP, signals to others and abstract sockets of others. Reading is free.
struct Writable {
  std::vector<std::string> folders{};  ///< all but device files may be made, written and removed below them
  std::vector<std::string> files{};    ///< may be written and commanded (ioctl): device files
  std::vector<std::uint16_t> ports{};  ///< TCP ports that may be connected to
};

/// The version of the kernel's interface; 0: it has none, or does not let us use it.
int landlock_version();

/// Refuses the rest for good. A path that does not exist cannot be written, and needs no rule. no_new_privs must be set.
/// @return 0, or the errno of what failed
int allow_only(const Writable& writable);

}  // namespace ladder::confine
