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

/// The result of a step among equal ones: who holds it judges, the others wait and read. Where the machine
/// dies the file stays empty, which is no result.
class FileLock {
 public:
  explicit FileLock(const std::filesystem::path& file)
      : lock_(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {
    if (lock_ < 0) throw Error(fmt::format("cannot write {}: {}", file.string(), std::strerror(errno)));
    while (::flock(lock_, LOCK_EX) != 0) stop_when_interrupted();
  }
  ~FileLock() { ::close(lock_); }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  int lock_;
};

}  // namespace ladder
