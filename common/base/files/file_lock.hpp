#pragma once
/// @file
/// A file that one process holds while others wait for it.

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "common/base/error.hpp"
#include "common/base/process/process.hpp"

namespace ladder {

/// Ctrl-C: what was not judged must not be taken for judged.
inline void stop_when_interrupted() {
  if (interrupted()) throw Error("interrupted");
}

/// Waits for the lock of an open file. @param how  LOCK_EX or LOCK_SH @return false: Ctrl-C, or no such lock
inline bool wait_for_lock(int file, int how) {
  while (::flock(file, how) != 0)
    if (errno != EINTR || interrupted()) return false;
  return true;
}

/// The same without waiting. @return false: errno says why, EWOULDBLOCK where another one has it
inline bool try_lock(int file, int how) {
  return ::flock(file, how | LOCK_NB) == 0;
}

/// The result of a step among equal ones: who holds it judges, the others wait and read. Where the machine
/// dies the file stays empty, which is no result.
class FileLock {
 public:
  explicit FileLock(const std::filesystem::path& file)
      : lock_(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {
    if (lock_ < 0) throw Error(fmt::format("cannot write {}: {}", file.string(), std::strerror(errno)));
    if (wait_for_lock(lock_, LOCK_EX)) return;
    const int code = errno;
    ::close(lock_);
    stop_when_interrupted();
    throw Error(fmt::format("cannot lock {}: {}", file.string(), std::strerror(code)));
  }
  ~FileLock() { ::close(lock_); }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  int lock_;
};

}  // namespace ladder
