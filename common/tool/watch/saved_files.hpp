#pragma once
/// @file
/// Which files of some folders were saved: by the kernel's events, or by a look twice a second where there
/// are none.

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace ladder {

/// What a file system is called that tells nothing of changes made elsewhere; empty for one that does.
/// @param type  f_type of statfs
std::string without_events(std::uint32_t type);

/// The sources in some folders, and those that were saved since the last question.
class SavedFiles {
 public:
  /// @param poll  never waits for events
  SavedFiles(std::vector<std::filesystem::path> folders, bool poll);
  ~SavedFiles();
  SavedFiles(const SavedFiles&) = delete;
  SavedFiles& operator=(const SavedFiles&) = delete;

  /// Files that were saved and are at rest since; each save is told once. Editors save in place, by rename,
  /// or several files at once.
  std::vector<std::filesystem::path> fresh();

  /// Why it looks twice a second; empty while it waits for events.
  const std::string& why_polling() const { return why_polling_; }

  /// Readable when there is an event; -1 where there are none.
  int descriptor() const { return events_; }

  /// Until the next look at the files.
  std::chrono::milliseconds until_next() const;

 private:
  struct Stamp {
    std::int64_t modified = 0, changed = 0, size = 0;  ///< times in nanoseconds
    bool operator==(const Stamp&) const = default;
  };
  using Stamps = std::map<std::filesystem::path, Stamp>;
  Stamps look() const;
  bool take_events();
  void begin_events();
  void begin_polling(const std::string& why);

  std::vector<std::filesystem::path> folders_;
  std::string why_polling_;
  int events_ = -1;
  bool eventful_ = false;  ///< an event came since the files were last at rest
  Stamps known_, seen_;    ///< as they were told; as they were at the last look
  std::chrono::steady_clock::time_point next_{};
};

}  // namespace ladder
