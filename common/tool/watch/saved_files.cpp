#include "common/tool/watch/saved_files.hpp"

#include <fmt/format.h>
#include <linux/magic.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>

namespace ladder {
namespace fs = std::filesystem;
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds at_rest{40};  // editors write, rename and set times one after the other
constexpr milliseconds between_polls{500};
constexpr milliseconds between_doubts{2000};  // with events: a save that none of them told

/// What a compiler reads. Editors' own files begin with a dot or end otherwise.
bool is_source(const fs::path& file) {
  static const std::set<std::string> endings = {".cu", ".cuh", ".cpp", ".hpp", ".h", ".cl", ".toml"};
  return file.filename().string().front() != '.' && endings.contains(file.extension().string());
}

std::int64_t nanoseconds(const timespec& t) {
  return std::int64_t{t.tv_sec} * 1'000'000'000 + t.tv_nsec;
}

}  // namespace

std::string without_events(std::uint32_t type) {
  switch (type) {
    case V9FS_MAGIC:
      return "9p (WSL's /mnt/c, or a shared folder)";
    case 0x65735546:  // FUSE and Ceph: headers of Ubuntu 22.04 have no names for them
      return "FUSE (sshfs, or a folder shared with a container)";
    case NFS_SUPER_MAGIC:
      return "NFS";
    case SMB_SUPER_MAGIC:
    case 0xFF534D42:  // CIFS
    case 0xFE534D42:
      return "SMB";
    case 0x53464846:
      return "WSL 1";
    case AFS_SUPER_MAGIC:
    case AFS_FS_MAGIC:
      return "AFS";
    case 0x00c36400:
      return "Ceph";
    case 0x0BD00BD0:
      return "Lustre";
    case 0x47504653:
      return "GPFS";
    case 0x19830326:
      return "BeeGFS";
    case 0x786f4256:
      return "VirtualBox";
    case 0xbacbacbc:
      return "VMware";
    default:
      return "";
  }
}

SavedFiles::SavedFiles(std::vector<fs::path> folders, bool poll) : folders_(std::move(folders)) {
  if (poll)
    begin_polling("--poll");
  else
    begin_events();
  known_ = seen_ = look();
  next_ = Clock::now() + (events_ < 0 ? between_polls : between_doubts);
}

void SavedFiles::begin_events() {
  for (const fs::path& folder : folders_) {
    struct statfs system {};
    if (statfs(folder.c_str(), &system) != 0) continue;
    if (const auto name = without_events(static_cast<std::uint32_t>(system.f_type)); !name.empty())
      return begin_polling(fmt::format("the file system, {}, does not tell of saves", name));
  }
  events_ = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  if (events_ < 0)
    return begin_polling(errno == EMFILE ? "other programs of yours use all of fs.inotify.max_user_instances"
                                         : fmt::format("no events here: {}", std::strerror(errno)));
  for (const fs::path& folder : folders_)
    if (inotify_add_watch(events_, folder.c_str(), IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE | IN_ATTRIB) < 0)
      return begin_polling(errno == ENOSPC
                               ? "other programs of yours use all of fs.inotify.max_user_watches"
                               : fmt::format("no events of {}: {}", folder.string(), std::strerror(errno)));
}

SavedFiles::~SavedFiles() {
  if (events_ >= 0) close(events_);
}

void SavedFiles::begin_polling(const std::string& why) {
  if (why_polling_.empty()) why_polling_ = why;
  if (events_ >= 0) close(events_);
  events_ = -1;
}

SavedFiles::Stamps SavedFiles::look() const {
  Stamps found;
  for (const fs::path& folder : folders_) {
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored)) {
      struct stat s {};
      if (!is_source(entry.path()) || stat(entry.path().c_str(), &s) != 0 || !S_ISREG(s.st_mode)) continue;
      found[entry.path()] = {nanoseconds(s.st_mtim), nanoseconds(s.st_ctim), s.st_size};
    }
  }
  return found;
}

/// Which file it is of does not matter: all of them are looked at.
bool SavedFiles::take_events() {
  alignas(inotify_event) char buffer[4096];
  bool some = false;
  while (events_ >= 0 && read(events_, buffer, sizeof buffer) > 0) some = true;
  return some;
}

milliseconds SavedFiles::until_next() const {
  return std::max(milliseconds(0), std::chrono::ceil<milliseconds>(next_ - Clock::now()));
}

std::vector<fs::path> SavedFiles::fresh() {
  const bool event = take_events();
  eventful_ = eventful_ || event;
  if (!event && Clock::now() < next_) return {};
  Stamps now = look();
  next_ = Clock::now() + at_rest;
  if (now != seen_) return seen_ = std::move(now), std::vector<fs::path>{};  // somebody still writes
  if (event) return {};

  std::vector<fs::path> saved;
  for (const auto& [file, stamp] : now)
    if (const auto before = known_.find(file); before == known_.end() || before->second != stamp)
      saved.push_back(file);
  // A file that is away for a moment is one that an editor replaces.
  for (const auto& file : saved) known_[file] = now[file];
  if (!saved.empty() && !eventful_ && events_ >= 0)
    begin_polling("a save came without the file system telling of it");
  eventful_ = false;
  next_ = Clock::now() + (events_ < 0 ? between_polls : between_doubts);
  return saved;
}

}  // namespace ladder
