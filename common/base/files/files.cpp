#include "common/base/files/files.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "common/base/usage_error.hpp"

namespace ladder {
namespace fs = std::filesystem;

namespace {

fs::path temporary() {
  const char* set = std::getenv("TMPDIR");
  return set && *set ? fs::path(set) : fs::path("/tmp");
}

}  // namespace

ScratchFolder::ScratchFolder() : ScratchFolder(temporary()) {}

ScratchFolder::ScratchFolder(const fs::path& base) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(base, ignored)) {
    // A tool that was killed with -9 could not remove its folder: "ladder-<pid>-…" of a process that is gone.
    int pid = 0;
    struct stat info {};
    if (std::sscanf(entry.path().filename().c_str(), "ladder-%d-", &pid) != 1 || pid <= 0) continue;
    if (lstat(entry.path().c_str(), &info) != 0 || !S_ISDIR(info.st_mode) || info.st_uid != getuid())
      continue;
    if (kill(pid, 0) != 0 && errno == ESRCH) fs::remove_all(entry.path(), ignored);
  }
  std::string name = (base / fmt::format("ladder-{}-XXXXXX", getpid())).string();
  if (!mkdtemp(name.data()))
    throw UsageError{fmt::format("cannot make a folder in {}: {}", base.string(), std::strerror(errno))};
  path_ = name;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

fs::path build_folder() {
  if (const char* set = std::getenv("LADDER_BUILD"); set && *set) return fs::absolute(set);
  std::error_code ignored;
  return fs::read_symlink("/proc/self/exe", ignored).parent_path().parent_path();
}

fs::path state_folder(const fs::path& root, const fs::path& build) {
  return (access(root.c_str(), W_OK) == 0 ? root : build) / ".ladder";
}

fs::path harness_folder() {
  const char* const set = std::getenv("LADDER_HARNESS");
  return set && *set ? fs::path(set) : build_folder();
}

std::string path_in(const fs::path& folder, const fs::path& file) {
  const fs::path near = file.lexically_relative(folder);
  return (near.empty() || *near.begin() == ".." ? file : near).string();
}

namespace {

/// A pipe or a device, which is written into and not replaced.
bool is_special(const fs::path& file) {
  std::error_code ignored;
  return fs::exists(file, ignored) && !fs::is_regular_file(file, ignored) && !fs::is_directory(file, ignored);
}

[[noreturn]] void cannot_write(const fs::path& file, const std::string& why) {
  throw UsageError{fmt::format("cannot write {}: {}", file.string(), why)};
}

/// The file that becomes `file` when it is whole; its folder is made.
fs::path part_of(const fs::path& file) {
  std::error_code ignored;
  if (file.has_parent_path()) fs::create_directories(file.parent_path(), ignored);
  return fs::path(file.string() + fmt::format(".part{}", getpid()));
}

}  // namespace

void write_text(const fs::path& file, const std::string& text) {
  std::error_code ignored;
  const bool special = is_special(file);
  const fs::path part = special ? file : part_of(file);
  std::ofstream out(part, std::ios::binary);
  out << text;
  out.close();
  const int code = errno;
  if (out && !special) fs::rename(part, file, ignored);
  if (!out || ignored) {
    const std::string why = ignored ? ignored.message() : std::strerror(code);
    if (!special) fs::remove(part, ignored);
    cannot_write(file, why);
  }
}

void try_to_write(const fs::path& file) {
  std::error_code ignored;
  if (is_special(file)) return;  // a pipe is opened once
  if (fs::is_directory(file, ignored)) cannot_write(file, "it is a folder");
  const fs::path part = part_of(file);
  const bool good = std::ofstream(part, std::ios::binary).good();
  const int code = errno;
  if (!good) cannot_write(file, std::strerror(code));
  fs::remove(part, ignored);
}

}  // namespace ladder
