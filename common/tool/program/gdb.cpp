#include "common/tool/program/gdb.hpp"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "common/base/process/process.hpp"
#include "common/base/usage_error.hpp"

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

/// Runs gdb on a process that stands still, with the terminal; the process goes on afterwards.
void look_into(pid_t worker) {
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
}

}  // namespace

void require_gdb() {
  const ProcessResult found = run_process({.arguments = {"gdb", "--version"}, .seconds = 20});
  if (!found.ok())
    throw UsageError{"gdb is not installed here (package gdb); without --gdb the rung is judged as before"};
}

void with_gdb_on(const std::string& part_of_path) {
  const pid_t watcher = ::getpid(), judging = ::fork();
  if (judging < 0) throw UsageError{"cannot start a process for gdb"};
  if (judging == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (::getppid() != watcher) ::_exit(1);
    return;
  }
  ::signal(SIGINT, SIG_IGN);  // Ctrl-C is gdb's
  int status = 0;
  bool looked = false;
  while (::waitpid(judging, &status, looked ? 0 : WNOHANG) == 0) {
    const pid_t worker = process_of(part_of_path);
    if (worker == 0) {
      ::usleep(between_looks);
      continue;
    }
    looked = true;
    if (::kill(worker, SIGSTOP) == 0) look_into(worker);
  }
  ::_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
}

}  // namespace ladder
