#include "common/judge/session/supervisor.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <set>
#include <string>
#include <thread>

#include "common/base/error.hpp"
#include "common/base/process/process_tree.hpp"

namespace ladder {
namespace {

std::set<pid_t>& supervised() {
  static std::set<pid_t> pids;
  return pids;
}

/// From the handler to the thread. A signalfd would do without a handler, but it needs the signals blocked in
/// every thread, and a library's threads (OpenBLAS's) run before main does.
int signals[2] = {-1, -1};

void on_signal(int signal) {
  const int saved = errno;
  const char number = static_cast<char>(signal);
  static_cast<void>(!::write(signals[1], &number, 1));
  errno = saved;
}

[[noreturn]] void end_at_first_signal() {
  char number = 0;
  while (::read(signals[0], &number, 1) != 1) {
  }
  ending_gate().lock();
  kill_descendants_of(::getpid(), false);
  ::_exit(128 + number);
}

}  // namespace

std::mutex& ending_gate() {
  static std::mutex gate;
  return gate;
}

void become_supervisor() {
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  ::prctl(PR_SET_DUMPABLE,
          0);  // no other process can read its memory, even where the kernel cannot confine workers
  if (::pipe2(signals, O_CLOEXEC) != 0)
    throw Error(std::string("cannot make a pipe: ") + std::strerror(errno));
  std::thread(end_at_first_signal).detach();
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::sigaction(signal, &action, nullptr);
  const pid_t parent = ::getppid();
  ::prctl(PR_SET_PDEATHSIG, SIGHUP);
  if (::getppid() != parent) ::raise(SIGHUP);  // it ended before we asked for the signal
}

void supervise(pid_t child) {
  supervised().insert(child);
}

void supervise_no_more(pid_t child) {
  supervised().erase(child);
}

void end_orphans() {
  for (const pid_t pid : all_processes()) {
    if (facts_of(pid).parent != ::getpid() || supervised().count(pid) || ::getsid(pid) == ::getsid(0))
      continue;
    kill_descendants_of(pid, true);
    ::waitpid(pid, nullptr, 0);
  }
}

}  // namespace ladder
