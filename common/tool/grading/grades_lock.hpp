#pragma once
/// @file
/// The lock of a folder of grades: half a class is not exported, nor half a regrade.

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "common/base/files/file_lock.hpp"
#include "common/base/files/files.hpp"
#include "common/base/usage_error.hpp"

namespace ladder {

/// Held while it lives. Where no file can be written nobody else can change anything either.
class [[nodiscard]] GradesLock {
 public:
  enum Use { reads, changes };

  /// Who changes grades waits for the others. @throws UsageError for who reads while they change
  GradesLock(const std::filesystem::path& folder, Use use)
      : lock_(::open((folder / ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {
    if (lock_ < 0) return;
    if (use == reads && !try_lock(lock_, LOCK_SH) && errno == EWOULDBLOCK) {
      const std::string who = read_text(folder / ".lock");
      ::close(lock_);
      throw UsageError{
          fmt::format("{} is being graded (process {}): export it when that is done", folder.string(), who)};
    }
    if (use == reads) return;
    wait_for_lock(lock_, LOCK_EX);
    if (::ftruncate(lock_, 0) == 0) ::dprintf(lock_, "%d", ::getpid());
  }
  ~GradesLock() {
    if (lock_ >= 0) ::close(lock_);
  }
  GradesLock(const GradesLock&) = delete;
  GradesLock& operator=(const GradesLock&) = delete;

 private:
  int lock_;
};

}  // namespace ladder
