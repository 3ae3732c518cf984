#include "common/judge/session/supervised_process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <utility>

#include "common/base/error.hpp"
#include "common/base/process/process_tree.hpp"
#include "common/judge/session/supervisor.hpp"

extern char** environ;

namespace ladder {
namespace {

void limit(int resource, rlim_t value) {
  const rlimit bound{value, value};
  ::setrlimit(static_cast<__rlimit_resource_t>(resource), &bound);
}

/// A bound that the harness in the worker raises by the problem's arrays. A step could, too: the watch on
/// resident memory is what holds then.
void limit_softly(int resource, rlim_t value) {
  rlimit bound{};
  ::getrlimit(static_cast<__rlimit_resource_t>(resource), &bound);
  bound.rlim_cur = std::min(value, bound.rlim_max);
  ::setrlimit(static_cast<__rlimit_resource_t>(resource), &bound);
}

/// The environment of a worker: what programs need to run, and what the plan says; nothing of the judge's.
std::vector<std::string> worker_environment(const std::map<std::string, std::string>& extra) {
  static const char* const inherited[] = {"PATH",
                                          "HOME",
                                          "LANG",
                                          "LC_ALL",
                                          "TMPDIR",
                                          "LD_LIBRARY_PATH",
                                          "OCL_ICD_VENDORS",
                                          "OCL_ICD_FILENAMES",
                                          "CUDA_VISIBLE_DEVICES",
                                          "OPAL_PREFIX",
                                          "POCL_CACHE_DIR",
                                          "POCL_MAX_WORK_GROUP_SIZE",
                                          "XDG_CACHE_HOME",
                                          "NCCL_NVLS_ENABLE"};
  std::vector<std::string> result;
  for (const char* name : inherited)
    if (const char* value = std::getenv(name); value && !extra.count(name))
      result.push_back(std::string(name) + "=" + value);
  for (const auto& [name, value] : extra) result.push_back(name + "=" + value);
  return result;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

std::string Ending::text() const {
  if (WIFSIGNALED(status))
    return "signal " + std::to_string(WTERMSIG(status)) + " (" + strsignal(WTERMSIG(status)) + ")";
  return "exit code " + std::to_string(WEXITSTATUS(status));
}

SupervisedProcess::SupervisedProcess(const std::vector<std::string>& command,
                                     const std::map<std::string, std::string>& environment,
                                     const std::string& folder, const Limits& limits, bool limit_data)
    : limits_(limits) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw Error(std::string("cannot make a pipe: ") + std::strerror(errno));
  output_ = Descriptor(ends[0]);
  Descriptor write_end(ends[1]);
  ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
  std::vector<std::string> arguments = command, variables = worker_environment(environment);
  std::vector<char*> argv = pointers_to(arguments), envp = pointers_to(variables);
  const std::lock_guard none_while_all_end(ending_gate());
  const pid_t judge = ::getpid();
  pid_ = ::fork();
  if (pid_ < 0) throw Error(std::string("cannot start a worker: ") + std::strerror(errno));
  if (pid_ == 0) {
    ::setsid();  // by which its orphans are known: see end_orphans()
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != judge) ::_exit(126);  // it ended before we asked to be told
    const int nothing = ::open("/dev/null", O_RDONLY);
    ::dup2(nothing, 0);
    ::dup2(ends[1], 1);
    ::dup2(ends[1], 2);
    if (::chdir(folder.c_str()) != 0) ::_exit(126);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_FSIZE, rlim_t{1} << 30);
    if (limits.shadow_memory)
      ::personality(static_cast<unsigned long>(::personality(0xffffffff)) | ADDR_NO_RANDOMIZE);
    if (limit_data && !limits.shadow_memory) limit_softly(RLIMIT_DATA, limits.memory_bytes);
    environ = envp.data();
    ::execvp(argv[0], argv.data());
    std::fprintf(stderr, "cannot start %s: %s\n", argv[0], std::strerror(errno));
    ::_exit(127);
  }
  supervise(pid_);
  end_ = Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0)));
}

SupervisedProcess::~SupervisedProcess() {
  kill_all();
}

void SupervisedProcess::take_status(int status) {
  const int signal = WIFEXITED(status) ? WEXITSTATUS(status) - 128 : 0;
  const bool of_worker = limits_.waits_for_worker && signal > 0 && signal < NSIG;
  ending_ = {true,
             of_worker ? signal : status};  // the status of a process that a signal has ended is its number
}

void SupervisedProcess::kill_all() {
  // Of this child only: other workers of the judge are alive at the same time.
  if (!ending_.ended) {
    kill_descendants_of(pid_, true);
    int status = 0;  // a child that nobody has waited for keeps its number: pid_ cannot be another process
    if (::waitpid(pid_, &status, 0) == pid_) take_status(status);
  }
  supervise_no_more(pid_);
  end_orphans();
}

void SupervisedProcess::pause() {
  if (!stopped_.empty() || ending_.ended) return;
  stopped_ = stop_family(pid_);
  end_orphans();  // none is made any more
}

void SupervisedProcess::resume() {
  const std::vector<pid_t> stopped = std::exchange(stopped_, {});
  if (ending_.ended) return;  // its number may be another's by now
  for (const pid_t pid : stopped) signal_in_family(pid, pid_, SIGCONT);
}

void Printed::add(std::string_view text) {
  constexpr std::size_t kept = 64 * 1024;
  bytes += text.size();
  lines += static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  first.append(text.substr(0, kept - std::min(kept, first.size())));
}

void SupervisedProcess::drain_output() {
  char buffer[16 * 1024];
  ssize_t n;
  const std::size_t half = limits_.output_bytes / 2;
  while ((n = ::read(output_.get(), buffer, sizeof buffer)) > 0) {
    std::size_t used =
        std::min<std::size_t>(static_cast<std::size_t>(n), half - std::min(half, head_.size()));
    head_.append(buffer, used);
    printed_.add({buffer, static_cast<std::size_t>(n)});
    tail_.append(buffer + used, static_cast<std::size_t>(n) - used);
    if (tail_.size() > half) {
      dropped_ += tail_.size() - half;
      tail_.erase(0, tail_.size() - half);
    }
  }
}

std::string SupervisedProcess::output() const {
  if (dropped_ == 0) return head_ + tail_;
  return head_ + "\n… " + std::to_string(dropped_) + " bytes of output left out …\n" + tail_;
}

const Ending& SupervisedProcess::poll_end() {
  int status = 0;
  if (!ending_.ended && ::waitpid(pid_, &status, WNOHANG) == pid_) {
    take_status(status);
    supervise_no_more(pid_);
    end_orphans();
  }
  return ending_;
}

std::size_t SupervisedProcess::resident_bytes() const {
  return memory_of_family(pid_);
}

std::size_t SupervisedProcess::unlinked_bytes() const {
  std::vector<pid_t> family = descendants(pid_);
  family.push_back(pid_);
  return ladder::unlinked_bytes(family);
}

}  // namespace ladder
