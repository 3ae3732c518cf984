#include "common/grade/intake/contents.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "common/base/error.hpp"
#include "common/grade/intake/source_encoding.hpp"

namespace ladder::grade {

bool is_archive(std::string_view name) {
  std::string lower(name);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
  static constexpr const char* endings[] = {".zip", ".tar", ".tgz", ".gz", ".xz",  ".txz",
                                            ".bz2", ".tbz", ".zst", ".7z", ".rar", ".tbz2"};
  return std::any_of(std::begin(endings), std::end(endings), [&](auto e) { return lower.ends_with(e); });
}

bool is_of_the_machine(int error) {
  static constexpr int theirs[] = {ENOENT, EIO,       EACCES,    EPERM,     ESTALE,      ENOTCONN,
                                   ENODEV, ETIMEDOUT, EHOSTDOWN, EREMOTEIO, EHOSTUNREACH};
  return std::find(std::begin(theirs), std::end(theirs), error) != std::end(theirs);
}

namespace {

namespace fs = std::filesystem;

constexpr std::size_t max_lines = 50;    // of refused files; more would hide those that matter
constexpr std::size_t deepest = 32;      // folders in folders
constexpr std::size_t max_archives = 8;  // that are files of one submission

std::vector<std::string_view> components(std::string_view path) {
  std::vector<std::string_view> parts;
  while (!path.empty()) {
    const auto slash = std::min(path.find('/'), path.size());
    if (slash > 0 && path.substr(0, slash) != ".") parts.push_back(path.substr(0, slash));
    path.remove_prefix(std::min(slash + 1, path.size()));
  }
  return parts;
}

/// Why a path is not one that a student's archiver writes; empty: it is.
std::string trick(const std::string& path, const std::vector<std::string_view>& parts) {
  if (path.empty() || parts.empty()) return "has no name";
  if (path.size() > 1024) return "has a name of more than 1024 bytes";
  if (parts.size() > deepest) return fmt::format("lies more than {} folders deep", deepest);
  if (path[0] == '/') return "has an absolute path: pack it from the folder that it lies in";
  if (path.size() > 1 && path[1] == ':')
    return "has a drive in its path: pack it from the folder that it lies in";
  if (path.find('\\') != path.npos) return "has a backslash in its path: pack it with another program";
  if (std::find(parts.begin(), parts.end(), "..") != parts.end()) return "has .. in its path";
  if (std::any_of(path.begin(), path.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }))
    return "has a control character in its name";
  return "";
}

const char* why_not(Entry entry) {
  switch (entry) {
    case Entry::symbolic_link:
      return "is a symbolic link: put the file itself there";
    case Entry::hard_link:
      return "is a hard link to another file: put a copy there";
    case Entry::device:
      return "is a device";
    case Entry::fifo:
      return "is a named pipe";
    case Entry::socket:
      return "is a socket";
    case Entry::encrypted:
      return "is encrypted: pack it without a password";
    case Entry::file:
    case Entry::folder:
      break;
  }
  return "";
}

/// What archivers and systems add, and folders that are not the student's work: nothing in them is taken or
/// reported.
bool is_beside(const std::vector<std::string_view>& parts) {
  const bool ours =
      (parts.back() == "predictions.json" && parts.size() > 1 && parts[parts.size() - 2] == ".ladder") ||
      (parts.back() == "handout.json" && parts.size() > 1 && parts[parts.size() - 2] == ".handout");
  return std::any_of(parts.begin(), parts.end(), [&](std::string_view p) {
    return p == "__MACOSX" || (p.starts_with('.') && !(ours && (p == ".ladder" || p == ".handout")));
  });
}

[[noreturn]] void cannot_read(int error) {
  const std::string why = fmt::format("cannot be read: {}", std::strerror(error));
  if (is_of_the_machine(error)) throw Unreadable(why);
  throw Error(why);
}

struct Descriptor {
  explicit Descriptor(int opened) : number(opened) {}
  ~Descriptor() { close(number); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number;
};

/// The bytes of a file, one more than allowed at most.
std::string read_plain(const fs::path& file, std::size_t most) {
  const Descriptor in(open_plain(file));
  std::string bytes(most + 1, '\0');
  std::size_t size = 0;
  while (size < bytes.size()) {
    const ssize_t n = read(in.number, bytes.data() + size, bytes.size() - size);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) cannot_read(errno);
    if (n == 0) break;
    size += static_cast<std::size_t>(n);
  }
  bytes.resize(size);
  return bytes;
}

Entry entry_of(const fs::path& path) {
  struct stat s {};
  if (lstat(path.c_str(), &s) != 0) cannot_read(errno);
  if (S_ISDIR(s.st_mode)) return Entry::folder;
  if (S_ISLNK(s.st_mode)) return Entry::symbolic_link;
  if (S_ISFIFO(s.st_mode)) return Entry::fifo;
  if (S_ISSOCK(s.st_mode)) return Entry::socket;
  if (!S_ISREG(s.st_mode)) return Entry::device;
  return s.st_nlink > 1 ? Entry::hard_link : Entry::file;
}

}  // namespace

std::string size_text(std::size_t bytes) {
  return bytes >= (1 << 20) ? fmt::format("{} MiB", bytes >> 20)
         : bytes >= 1 << 10 ? fmt::format("{} KiB", bytes >> 10)
                            : fmt::format("{} bytes", bytes);
}

void Contents::refuse(const std::string& path, const std::string& why) {
  if (refused.size() < max_lines)
    refused.push_back({printable(inside_ + path), why});
  else if (refused.size() == max_lines)
    refused.push_back({"…", "and more files that were refused"});
}

Reading Contents::see(const std::string& path, Entry entry) {
  if (++entries_ > limits_.entries)
    throw Error(fmt::format("holds more than {} files: pack the lesson's folder only", limits_.entries));
  const auto parts = components(path);
  if (parts.empty() && entry == Entry::folder) return Reading::none;  // tar writes "./"
  if (const std::string why = trick(path, parts); !why.empty()) {
    refuse(path, why);
    return Reading::none;
  }
  if (is_beside(parts)) return Reading::none;
  if (entry == Entry::folder) {
    if (wants_(parts.back()) && parts.back().find('.') != std::string_view::npos)
      refuse(path, "is a folder: a file is wanted");
    return Reading::none;
  }
  seen.push_back(inside_ + path);
  if (entry != Entry::file) {
    refuse(path, why_not(entry));
    return Reading::none;
  }
  if (is_archive(parts.back())) return see_archive(path);
  const bool wanted = wants_(parts.back());
  others += !wanted;
  return wanted ? Reading::file : Reading::none;
}

Reading Contents::see_archive(const std::string& path) {
  if (inside_.empty() && ++archives_ <= max_archives) return Reading::archive;
  refuse(path,
         inside_.empty()
             ? fmt::format("is one more than {} archives in the submission: unpack it, then pack the "
                           "files themselves",
                           max_archives)
             : "is an archive in an archive in the submission: unpack it, then pack the files themselves");
  return Reading::none;
}

void Contents::inside(const std::string& path, const std::function<void()>& read) {
  const std::size_t before = files.size(), bytes = bytes_;
  std::string why;
  inside_ = path + "/";
  try {
    read();
  } catch (const Unreadable&) {
    throw;
  } catch (const Error& e) {
    why = e.what();
  }
  inside_.clear();
  if (why.empty()) return;
  files.resize(before), bytes_ = bytes;  // half an archive would be judged as a whole one
  refuse(path, why);
}

void Contents::add(const std::string& path, std::string bytes) {
  if (bytes.size() > limits_.file)
    return add_unfit(path, fmt::format("is larger than {}", size_text(limits_.file)));
  bytes_ += bytes.size();
  if (bytes_ > limits_.taken)
    throw Error(
        fmt::format("has more than {} of sources: pack the lesson's folder only", size_text(limits_.taken)));
  files.push_back({inside_ + path, std::move(bytes), "", !inside_.empty()});
}

void Contents::add_unfit(const std::string& path, const std::string& why) {
  files.push_back({inside_ + path, "", why, !inside_.empty()});
}

int open_plain(const fs::path& file) {
  const int opened = open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
  if (opened < 0) cannot_read(errno);
  struct stat s {};
  if (fstat(opened, &s) == 0 && S_ISREG(s.st_mode)) return opened;
  close(opened);
  throw Error("is no plain file");
}

namespace {

/// One file that cannot be read is refused by itself; the others go on.
void add_plain(const fs::path& file, const std::string& path, Contents& contents) {
  std::string bytes;
  try {
    bytes = read_plain(file, contents.limits().file);
  } catch (const Unreadable&) {
    throw;
  } catch (const Error& e) {
    return contents.add_unfit(path, e.what());
  }
  contents.add(path, std::move(bytes));
}

}  // namespace

void read_folder(const fs::path& folder, Contents& contents) {
  std::error_code error;
  fs::recursive_directory_iterator it(folder, error), end;  // does not enter links to folders
  for (; !error && it != end; it.increment(error)) {
    const std::string path = it->path().lexically_relative(folder).generic_string();
    const Reading reading = contents.see(path, entry_of(it->path()));
    if (reading == Reading::file) add_plain(it->path(), path, contents);
    if (reading == Reading::archive) contents.inside(path, [&] { read_archive(it->path(), contents); });
    if (it.depth() + 1 >= static_cast<int>(deepest)) it.disable_recursion_pending();
  }
  if (error) cannot_read(error.value());
}

}  // namespace ladder::grade
