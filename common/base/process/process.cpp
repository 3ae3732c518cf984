#include "common/base/process/process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <grp.h>
#include <linux/close_range.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <set>
#include <sstream>

#include "common/base/process/openblas_kernels.hpp"
#include "common/base/process/process_tree.hpp"
#include "common/base/usage_error.hpp"

extern char** environ;

namespace ladder {
namespace fs = std::filesystem;
namespace {

volatile sig_atomic_t stop_signal = 0;
std::function<bool()> stop_wanted;

constexpr unsigned nobody = 65534;

void on_signal(int number) {
  stop_signal = number;
}

/// All that the child needs, made before fork: after it only async-signal-safe calls are allowed.
struct Prepared {
  std::vector<char*> arguments;
  std::vector<std::string> settings;
  std::vector<char*> environment;
};

Prepared prepare(const Command& command) {
  Prepared p;
  for (const std::string& a : command.arguments) p.arguments.push_back(const_cast<char*>(a.c_str()));
  p.arguments.push_back(nullptr);
  for (char** e = environ; *e; ++e) {
    const std::string name(*e, std::strcspn(*e, "="));
    if (!command.environment.count(name)) p.settings.push_back(*e);
  }
  for (const auto& [name, value] : command.environment) p.settings.push_back(name + "=" + value);
  for (std::string& s : p.settings) p.environment.push_back(s.data());
  p.environment.push_back(nullptr);
  return p;
}

/// Holds signals back while a child is made: one that comes before the child has become another program waits
/// for that.
class HeldSignals {
 public:
  HeldSignals() {
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before_);
  }
  ~HeldSignals() { sigprocmask(SIG_SETMASK, &before_, nullptr); }
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;

 private:
  sigset_t before_;
};

/// As it was before write_privately(); none: it was not called.
std::optional<mode_t> mask_for_all;

/// The user that owns nothing. Given up for good: nothing of root's is left to come back to.
bool become_nobody() {
  return setgroups(0, nullptr) == 0 && setgid(nobody) == 0 && setuid(nobody) == 0;
}

[[noreturn]] void become(const Command& command, Prepared& p, int out, int errors, int failed, pid_t parent) {
  setpgid(0, 0);
  const bool changed = !command.as_nobody || become_nobody();  // first: it would undo the next line
  // Ends with the tool even after kill -9; the second line closes the gap before the first took effect.
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) _exit(127);
  if (mask_for_all && (command.builds || command.for_all)) umask(*mask_for_all);
  for (const int s : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) signal(s, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  const int null = open("/dev/null", O_RDWR);
  const int in = command.input.empty() ? null : open(command.input.c_str(), O_RDONLY);
  dup2(in < 0 ? null : in, 0);
  dup2(out, 1);
  dup2(errors < 0 ? null : errors, 2);
  // The lock of ./ladder and whatever else we were given is nothing for a child to hold.
  close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
  const bool moved = changed && (command.folder.empty() || chdir(command.folder.c_str()) == 0);
  if (moved) execvpe(p.arguments[0], p.arguments.data(), p.environment.data());
  const int code = errno;
  (void)!write(failed, &code, sizeof code);
  _exit(127);
}

/// Ends a group politely, then not; then whatever was orphaned to us (ranks of mpirun have groups of their
/// own).
void end_group(pid_t group) {
  kill(-group, SIGTERM);
  for (int i = 0; i < 40 && kill(-group, 0) == 0; ++i) {
    while (waitpid(-group, nullptr, WNOHANG) > 0) {
    }
    usleep(50000);
  }
  kill(-group, SIGKILL);
}

/// Asks a ninja to end. It then removes what its compilers have begun, and a linker that outlives the
/// compiler that had started it would make such a file again: without content, and newer than all that it is
/// made of.
void ask_builder(pid_t ninja) {
  for (const pid_t one : stop_family(ninja))
    if (one != ninja) kill(one, SIGKILL);
  kill(ninja, SIGTERM);
  kill(ninja, SIGCONT);
}

std::vector<pid_t> children() {
  std::vector<pid_t> found;
  std::istringstream list(read_text(fmt::format("/proc/self/task/{}/children", getpid())));
  for (pid_t child; list >> child;) found.push_back(child);
  return found;
}

/// Those that are no strays: what runs here, in the foreground and in the background, and jobs and lanes of
/// callers.
std::set<pid_t>& kept_children() {
  static std::set<pid_t> kept;
  return kept;
}

void reap_strays() {
  // Killing one may orphan its children to us, so look again until nobody is left.
  for (int round = 0; round < 100; ++round) {
    bool left = false;
    for (const pid_t child : children()) {
      if (kept_children().contains(child)) continue;
      kill(child, SIGKILL);
      left = waitpid(child, nullptr, WNOHANG) != child || left;
    }
    if (!left) return;
    usleep(5000);
  }
}

int exit_status(int raw) {
  return WIFSIGNALED(raw) ? 128 + WTERMSIG(raw) : WEXITSTATUS(raw);
}

std::string drain(int fd) {
  std::string fresh;
  char buffer[65536];
  for (ssize_t n; fd >= 0 && (n = read(fd, buffer, sizeof buffer)) > 0;) fresh.append(buffer, n);
  return fresh;
}

/// Says how long a process has used no processor. One that waits for others looks at the clock now and then,
/// and uses some microseconds: at a stand are those that a debugger, a lock or a device holds.
class Stillness {
 public:
  explicit Stillness(pid_t pid) : pid_(pid) {}
  double seconds() {
    const double used = processor_seconds_of(pid_);
    const auto now = std::chrono::steady_clock::now();
    if (used != used_ || used == 0) used_ = used, since_ = now;  // 0: not to be had here
    return std::chrono::duration<double>(now - since_).count();
  }

 private:
  pid_t pid_;
  double used_ = -1;
  std::chrono::steady_clock::time_point since_{};
};

}  // namespace

void Background::start(const Command& command) {
  end();
  Prepared p = prepare(command);
  const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  const pid_t parent = getpid();
  const HeldSignals held;
  child_ = fork();
  if (child_ == 0) {
    // Linux shares processors between sessions first, and niceness counts inside of one: this gets a session,
    // and that is nice.
    setsid();
    (void)!nice(19);
    if (const int group = open("/proc/self/autogroup", O_WRONLY | O_CLOEXEC); group >= 0)
      (void)!write(group, "19", 2), close(group);
    become(command, p, null, null, null, parent);
  }
  close(null);
  child_ = std::max(child_, 0);
  if (child_ > 0) keep_child(child_);
}

bool Background::running() {
  if (child_ > 0 && waitpid(child_, nullptr, WNOHANG) == child_) release_child(child_), child_ = 0;
  return child_ > 0;
}

void Background::end() {
  if (!running()) return;
  ask_builder(child_);
  for (int i = 0; i < 300 && running(); ++i) usleep(10000);
  release_child(child_);
  if (child_ > 0) kill(-child_, SIGKILL);
  child_ = 0;
  reap_strays();
}

void write_privately() {
  const mode_t before = umask(0077);
  if (!mask_for_all) mask_for_all = before;
}

void keep_child(pid_t child) {
  kept_children().insert(child);
}

void release_child(pid_t child) {
  kept_children().erase(child);
}

void prepare_processes() {
  kept_children().clear();
  struct sigaction action {};
  action.sa_handler = on_signal;
  for (const int s : {SIGINT, SIGTERM, SIGHUP}) sigaction(s, &action, nullptr);
  signal(SIGPIPE, SIG_IGN);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  if (const std::string kernels = openblas_kernels(); !kernels.empty())
    setenv("OPENBLAS_CORETYPE", kernels.c_str(), 1);
  // The lock of ./ladder is descriptor 9: it must be given back with our end, whatever outlives us.
  if (std::getenv("LADDER_LOCKED")) fcntl(9, F_SETFD, FD_CLOEXEC);
}

void give_to_nobody(const fs::path& folder) {
  // What leads to it: folders of ours in which nobody may find it, and see nothing else.
  std::error_code ignored;
  fs::permissions(folder.parent_path(), fs::perms::group_exec | fs::perms::others_exec, fs::perm_options::add,
                  ignored);
  for (const auto& entry : fs::recursive_directory_iterator(folder, ignored))
    (void)!lchown(entry.path().c_str(), nobody, nobody);  // not what a link shows to
  if (chown(folder.c_str(), nobody, nobody) != 0)
    throw UsageError{
        fmt::format("cannot give {} to another user: {}", folder.string(), std::strerror(errno))};
}

std::map<std::string, std::string> nobodys_folders(const fs::path& folder) {
  return {{"HOME", folder.string()},
          {"TMPDIR", folder.string()},
          {"XDG_CACHE_HOME", (folder / ".cache").string()}};
}

bool interrupted() {
  return stop_signal != 0 || (stop_wanted && stop_wanted());
}

StopWhen::StopWhen(std::function<bool()> wanted) {
  stop_wanted = std::move(wanted);
}

StopWhen::~StopWhen() {
  stop_wanted = {};
}

namespace {

/// A child that was started, and the end of the pipe that it writes into; pid -1: it was not.
struct Started {
  pid_t pid = -1;
  int out = -1;  ///< -1: it writes into a file
  std::string error{};
};

Started start(const Command& command) {
  Started started;
  Prepared p = prepare(command);
  int out[2] = {-1, -1}, failed[2];
  if (pipe2(failed, O_CLOEXEC) != 0) return started.error = std::strerror(errno), started;
  if (command.log.empty()) {
    if (pipe2(out, O_CLOEXEC) != 0) return started.error = std::strerror(errno), started;
    fcntl(out[0], F_SETFL, O_NONBLOCK);
  } else {
    out[1] = open(command.log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (out[1] < 0) out[1] = open("/dev/null", O_WRONLY | O_CLOEXEC);
  }
  const pid_t parent = getpid();
  const pid_t child = [&] {
    const HeldSignals held;
    const pid_t made = fork();
    if (made == 0) become(command, p, out[1], command.output_only ? -1 : out[1], failed[1], parent);
    return made;
  }();
  close(out[1]);
  close(failed[1]);
  if (child < 0) {
    started.error = std::strerror(errno);
    close(failed[0]);
    if (out[0] >= 0) close(out[0]);
    return started;
  }
  setpgid(child, child);
  int code = 0;
  if (read(failed[0], &code, sizeof code) == sizeof code)
    started.error = fmt::format("{}: {}", command.arguments[0], std::strerror(code));
  close(failed[0]);
  started.pid = child, started.out = out[0];
  return started;
}

/// Keeps what a child prints, up to the command's limit, and gives back what was kept.
std::string keep(std::string fresh, const Command& command, ProcessResult& ended) {
  fresh.resize(
      std::min(fresh.size(), command.max_output - std::min(command.max_output, ended.output.size())));
  ended.output += fresh;
  return fresh;
}

/// Asks the child's group to end, and after three seconds makes it. @return what it still said
std::string end(const Started& child, const Command& command, ProcessResult& ended, int& raw) {
  std::string last;
  if (command.builds) ask_builder(child.pid);
  kill(-child.pid, SIGTERM);
  bool alive = true;
  for (int i = 0; i < 60 && (alive = waitpid(child.pid, &raw, WNOHANG) == 0); ++i) {
    last += keep(drain(child.out), command, ended);
    usleep(50000);
  }
  if (alive) kill(-child.pid, SIGKILL), waitpid(child.pid, &raw, 0);
  return last;
}

}  // namespace

ProcessResult run_process(const Command& command, const Tick& tick) {
  ProcessResult ended;
  const Started child = start(command);
  ended.error = child.error;
  if (child.pid < 0) return ended;
  keep_child(child.pid);  // what a tick ends in the background is not this one
  const auto begin = std::chrono::steady_clock::now();
  std::string last;
  Stillness stillness(child.pid);
  int raw = 0;
  double next_look_at_memory = 0;
  for (bool alive = true; alive;) {
    pollfd ready{child.out, POLLIN, 0};
    // Without a pipe poll() only sleeps; it wakes early on a signal.
    poll(&ready, child.out >= 0 ? 1 : 0, 50);
    const pid_t done = waitpid(child.pid, &raw, WNOHANG);
    alive = done == 0 || (done < 0 && errno == EINTR);
    const std::string fresh = keep(drain(child.out), command, ended);
    if (ready.revents & POLLHUP && alive) usleep(2000);  // closed its output but lives on
    if (tick) tick(fresh);
    ended.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    ended.timed_out = alive && ended.seconds > command.seconds;
    ended.silent = alive && command.silent_seconds > 0 && stillness.seconds() > command.silent_seconds;
    ended.interrupted = interrupted();
    // Five times a second: it reads of every process on the machine.
    if (alive && command.memory_bytes > 0 && ended.seconds >= next_look_at_memory) {
      ended.out_of_memory = memory_of_family(child.pid) > command.memory_bytes;
      next_look_at_memory = ended.seconds + 0.2;
    }
    if (alive && (ended.timed_out || ended.silent || ended.interrupted || ended.out_of_memory)) {
      last = end(child, command, ended, raw);
      alive = false;
    }
  }
  release_child(child.pid);
  end_group(child.pid);
  reap_strays();
  last += keep(drain(child.out), command, ended);
  if (child.out >= 0) close(child.out);
  ended.status = exit_status(raw);
  ended.signal = WIFSIGNALED(raw) ? WTERMSIG(raw) : 0;
  if (tick) tick(last);
  return ended;
}

}  // namespace ladder
