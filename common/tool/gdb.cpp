#include "common/tool/gdb.hpp"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "common/tool/names.hpp"
#include "common/tool/process.hpp"

namespace ladder {
namespace fs = std::filesystem;
namespace {

constexpr useconds_t between_looks = 500;  // microseconds: a worker needs longer until its first call

/// A process whose program lies at such a path; 0: none.
pid_t process_of(const std::string& part) {
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator("/proc", failed)) {
    const std::string name = entry.path().filename();
    if (!std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isdigit(c); })) continue;
    std::error_code gone;
    const std::string program = fs::read_symlink(entry.path() / "exe", gone);
    if (!gone && program.find(part) != program.npos) return static_cast<pid_t>(std::stol(name));
  }
  return 0;
}

[[noreturn]] void watch(const std::string& part, pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) ::signal(number, SIG_DFL);
  pid_t worker = 0;
  while (worker == 0 && ::getppid() == parent) {
    worker = process_of(part);
    if (worker == 0) ::usleep(between_looks);
  }
  if (worker == 0 || ::kill(worker, SIGSTOP) != 0) ::_exit(1);
  const std::string id = std::to_string(worker);
  const pid_t gdb = ::fork();
  if (gdb == 0) {
    // What a stranger's file says about its debugging is not done.
    ::execlp("gdb", "gdb", "-q", "-nx", "-iex", "set auto-load off", "-iex", "set debuginfod enabled off",
             "-p", id.c_str(), static_cast<char*>(nullptr));
    ::_exit(127);
  }
  int status = 0;
  ::waitpid(gdb, &status, 0);
  ::kill(worker, SIGCONT);
  ::_exit(0);
}

}  // namespace

void require_gdb() {
  const Ended found = run_process({.arguments = {"gdb", "--version"}, .seconds = 20});
  if (!found.ok())
    throw UsageError{"gdb is not installed here (package gdb); without --gdb the step is judged as before"};
}

GdbOn::GdbOn(const std::string& part_of_path) {
  const pid_t parent = ::getpid();
  watcher_ = ::fork();
  if (watcher_ == 0) watch(part_of_path, parent);
}

GdbOn::~GdbOn() {
  if (watcher_ <= 0) return;
  ::kill(watcher_, SIGKILL);
  int status = 0;
  ::waitpid(watcher_, &status, 0);
}

}  // namespace ladder
