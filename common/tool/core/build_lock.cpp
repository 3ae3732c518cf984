#include "common/tool/core/build_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <sstream>
#include <utility>

#include "common/base/files/file_lock.hpp"
#include "common/base/files/files.hpp"
#include "common/base/usage_error.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;

// flock() knows descriptors, not processes: a second one of ours would wait for the first one forever.
int held = -1, holders = 0;

bool handed_on(const std::string& folder) {
  const char* locked = std::getenv("LADDER_LOCKED");
  return locked && folder == locked;
}

std::string time_of(const fs::path& file) {
  struct stat found {};
  if (stat(file.c_str(), &found) != 0) return "";
  std::tm local{};
  localtime_r(&found.st_mtime, &local);
  return fmt::format("{:02}:{:02}", local.tm_hour, local.tm_min);
}

/// The line that the other one has left about its work, where it is of this work.
std::string what_the_other_does(const fs::path& folder) {
  struct stat lock {
  }, doing{};
  if (stat((folder / ".lock").c_str(), &lock) != 0 || stat((folder / ".doing").c_str(), &doing) != 0)
    return "";
  return doing.st_mtime < lock.st_mtime ? "" : read_text(folder / ".doing");
}

int take(Context& context, const fs::path& folder) {
  const int lock = open((folder / ".lock").c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  bool said = false;
  while (lock >= 0 && !try_lock(lock, LOCK_EX) && errno == EWOULDBLOCK) {
    if (interrupted()) {
      close(lock);
      throw UsageError{"nothing was done: interrupted while another ./ladder was using this copy"};
    }
    if (!std::exchange(said, true))
      context.terminal.print(
          fmt::format("waiting for another ladder that works in this copy ({})", who_works_in(folder)));
    if (const std::string doing = what_the_other_does(folder); !doing.empty())
      context.terminal.status("it is at: " + doing.substr(0, doing.find('\n')));
    usleep(100000);
  }
  if (said) context.terminal.end_work();
  if (lock >= 0 && ftruncate(lock, 0) == 0)
    dprintf(lock, "%d\n./ladder %s\n", getpid(), context.options.verb.c_str());
  return lock;
}

}  // namespace

BuildLock::BuildLock(Context& context) {
  const fs::path folder = context.build.folder();
  if (handed_on(folder)) return;
  if (holders == 0) held = take(context, folder);
  ours_ = true;
  ++holders;
}

BuildLock::~BuildLock() {
  if (!ours_ || --holders > 0) return;
  if (held >= 0) close(held);
  held = -1;
}

void say_to_those_who_wait(std::string_view what) {
  using Clock = std::chrono::steady_clock;
  static Clock::time_point last;
  const char* folder = std::getenv("LADDER_BUILD");
  if (!folder || (held < 0 && !handed_on(folder)) || Clock::now() - last < std::chrono::seconds(1)) return;
  last = Clock::now();
  if (std::FILE* file = std::fopen((std::string(folder) + "/.doing").c_str(), "w")) {
    std::fprintf(file, "%.*s\n", static_cast<int>(what.size()), what.data());
    std::fclose(file);
  }
}

std::string who_works_in(const fs::path& build_folder) {
  std::istringstream lines(read_text(build_folder / ".lock"));
  std::string process, call;
  std::getline(lines, process) && std::getline(lines, call);
  return fmt::format("process {}, since {}{}", process.empty() ? "unknown" : process,
                     time_of(build_folder / ".lock"), call.empty() ? "" : ": " + call);
}

}  // namespace ladder
