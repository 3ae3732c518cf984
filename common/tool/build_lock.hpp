#pragma once
/// @file
/// The lock of a build folder, as ./ladder takes it, for a tool that works now and then.

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "common/tool/context.hpp"

namespace ladder {

/// Held while it lives. Where it cannot be written nobody else can build either.
class [[nodiscard]] BuildLock {
 public:
  explicit BuildLock(Context& context) {
    const std::string folder = context.build.folder().string();
    if (const char* held = std::getenv("LADDER_LOCKED"); held && folder == held) return;
    lock_ = open((folder + "/.lock").c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    bool said = false;
    while (lock_ >= 0 && flock(lock_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK && !interrupted()) {
      if (!said) context.terminal.print("waiting for another ladder that works in this copy");
      said = true;
      usleep(100000);
    }
    if (lock_ >= 0 && !interrupted() && ftruncate(lock_, 0) == 0) dprintf(lock_, "%d\n", getpid());
  }
  ~BuildLock() {
    if (lock_ >= 0) close(lock_);
  }
  BuildLock(const BuildLock&) = delete;
  BuildLock& operator=(const BuildLock&) = delete;

 private:
  int lock_ = -1;
};

}  // namespace ladder
