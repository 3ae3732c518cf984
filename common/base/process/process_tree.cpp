#include "common/base/process/process_tree.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <thread>
#include <utility>

#include "common/base/clock.hpp"

namespace ladder {

ProcessFacts facts_of(pid_t pid) {
  char path[64], text[1024];
  std::snprintf(path, sizeof path, "/proc/%d/stat", pid);
  const int file = ::open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  const ssize_t n = ::read(file, text, sizeof text - 1);
  ::close(file);
  if (n <= 0) return {};
  text[n] = 0;
  const char* after_name = std::strrchr(text, ')');  // the name may hold anything
  if (!after_name) return {};
  ProcessFacts facts;
  unsigned long user, system;
  long children_user, children_system, pages;
  const int found =
      std::sscanf(after_name + 1,
                  " %c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu %ld %ld %*d %*d %*d %*d %*u %*u %ld",
                  &facts.state, &facts.parent, &user, &system, &children_user, &children_system, &pages);
  if (found != 7) return {};
  facts.resident_bytes = static_cast<std::size_t>(pages) * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  facts.seconds =
      static_cast<double>(user + system + static_cast<unsigned long>(children_user + children_system)) /
      static_cast<double>(::sysconf(_SC_CLK_TCK));
  return facts;
}

double processor_seconds(const rusage& used) {
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

double processor_seconds_used() {
  double sum = 0;
  for (const int whose : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    struct rusage used {};
    if (::getrusage(whose, &used) == 0) sum += processor_seconds(used);
  }
  return sum;
}

std::size_t page_table_bytes(pid_t pid) {
  char path[64], line[256];
  std::snprintf(path, sizeof path, "/proc/%d/status", pid);
  unsigned long kilobytes = 0;
  if (FILE* file = std::fopen(path, "re")) {
    while (kilobytes == 0 && std::fgets(line, sizeof line, file)) std::sscanf(line, "VmPTE: %lu", &kilobytes);
    std::fclose(file);
  }
  return kilobytes * 1024;
}

std::size_t unlinked_bytes(const std::vector<pid_t>& pids) {
  std::set<std::pair<dev_t, ino_t>> seen;
  std::size_t sum = 0;
  for (const pid_t pid : pids)
    for (const char* kind : {"fd", "map_files"}) {
      const std::string folder = "/proc/" + std::to_string(pid) + "/" + kind;
      DIR* files = ::opendir(folder.c_str());
      if (!files) continue;
      struct stat facts {};
      while (const dirent* entry = ::readdir(files))
        if (::fstatat(::dirfd(files), entry->d_name, &facts, 0) == 0 && S_ISREG(facts.st_mode) &&
            facts.st_nlink == 0 && seen.emplace(facts.st_dev, facts.st_ino).second)
          sum += static_cast<std::size_t>(facts.st_blocks) * 512;
      ::closedir(files);
    }
  return sum;
}

double processor_seconds_of(pid_t pid) {
  clockid_t clock;
  timespec time{};
  if (::clock_getcpuclockid(pid, &clock) != 0 || ::clock_gettime(clock, &time) != 0) return 0;
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

namespace {

/// The entries of a folder of /proc that are numbers.
std::set<pid_t> numbers_in(const std::string& folder) {
  std::set<pid_t> found;
  if (DIR* entries = ::opendir(folder.c_str())) {
    while (const dirent* entry = ::readdir(entries))
      if (const int number = std::atoi(entry->d_name); number > 0) found.insert(number);
    ::closedir(entries);
  }
  return found;
}

/// Of one thread; its /proc/…/schedstat has nanoseconds on a core, nanoseconds ready without one, and time
/// slices.
double seconds_without_processor(pid_t pid, pid_t thread) {
  char path[96];
  std::snprintf(path, sizeof path, "/proc/%d/task/%d/schedstat", pid, thread);
  unsigned long long ready = 0;
  if (FILE* file = std::fopen(path, "re")) {
    if (std::fscanf(file, "%*u %llu", &ready) != 1) ready = 0;
    std::fclose(file);
  }
  return 1e-9 * static_cast<double>(ready);
}

}  // namespace

WaitingTime::WaitingTime(pid_t root) : root_(root), begin_(wall_seconds()), before_(seen()) {}

WaitingTime::ByThread WaitingTime::seen() const {
  std::vector<pid_t> family = descendants(root_);
  family.push_back(root_);
  ByThread waits;
  for (const pid_t pid : family)
    for (const pid_t thread : threads_of(pid)) waits[thread] = seconds_without_processor(pid, thread);
  return waits;
}

double WaitingTime::look() {
  ByThread now = seen();
  double longest = 0;
  for (const auto& [thread, seconds] : now) {
    const auto earlier = before_.find(thread);
    longest = std::max(longest, seconds - (earlier == before_.end() ? 0 : earlier->second));
  }
  before_ = std::move(now);
  // The kernel counts a wait at its end, so that two threads may report one interval in turn.
  sum_ = std::min(sum_ + longest, wall_seconds() - begin_);
  return sum_;
}

std::set<pid_t> all_processes() {
  return numbers_in("/proc");
}

std::set<pid_t> threads_of(pid_t process) {
  return numbers_in("/proc/" + std::to_string(process) + "/task");
}

std::vector<pid_t> descendants(pid_t root) {
  std::multimap<pid_t, pid_t> children;
  for (const pid_t pid : all_processes()) children.emplace(facts_of(pid).parent, pid);
  std::vector<pid_t> family{root};
  for (std::size_t i = 0; i < family.size(); ++i) {
    const auto [first, last] = children.equal_range(family[i]);
    for (auto child = first; child != last; ++child) family.push_back(child->second);
  }
  return {family.begin() + 1, family.end()};
}

std::size_t memory_of_family(pid_t root) {
  std::size_t sum = facts_of(root).resident_bytes + page_table_bytes(root);
  for (const pid_t pid : descendants(root)) sum += facts_of(pid).resident_bytes + page_table_bytes(pid);
  return sum;
}

namespace {

constexpr int max_rounds = 50;  // processes that still fork after so many rounds do it on purpose

bool is_below(pid_t pid, pid_t root) {
  constexpr int deepest = 1000;
  for (int depth = 0; pid > 1 && depth < deepest; ++depth)
    if ((pid = facts_of(pid).parent) == root) return true;
  return false;
}

/// Stops a process that is root or below it, and waits until its main thread has stopped.
void stop(pid_t pid, pid_t root) {
  signal_in_family(pid, root, SIGSTOP);
  const double until = wall_seconds() + 1;  // some calls of the kernel cannot be interrupted
  for (;;) {
    const char state = facts_of(pid).state;
    if ((state != 'R' && state != 'S' && state != 'D') || wall_seconds() > until) return;
    ::usleep(50);
  }
}

}  // namespace

bool signal_in_family(pid_t pid, pid_t root, int signal) {
  // Opened first: a process that is found below root after that is the one that the descriptor names.
  const int process = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
  bool sent = pid == root || is_below(pid, root);
  if (sent && process >= 0) sent = ::syscall(SYS_pidfd_send_signal, process, signal, nullptr, 0) == 0;
  if (sent && process < 0) sent = ::kill(pid, signal) == 0;  // a kernel before 5.3
  if (process >= 0) ::close(process);
  return sent;
}

std::vector<pid_t> stop_family(pid_t root) {
  std::vector<pid_t> stopped{root};
  stop(root, root);
  bool grown = true;  // processes still running may have forked: repeated until none is new
  for (int round = 0; grown && round < max_rounds; ++round) {
    grown = false;
    for (const pid_t pid : descendants(root)) {
      if (std::find(stopped.begin(), stopped.end(), pid) != stopped.end()) continue;
      stop(pid, root);
      stopped.push_back(pid);
      grown = true;
    }
  }
  return stopped;
}

void kill_descendants_of(pid_t root, bool with_root) {
  for (int round = 0; round < max_rounds; ++round) {
    std::vector<pid_t> found = descendants(root);
    if (with_root) found.push_back(root);
    bool alive = false;
    for (const pid_t pid : found) {
      const bool ended = facts_of(pid).state == 'Z';  // a main thread may have ended before the others
      if (signal_in_family(pid, root, SIGKILL) && pid != root && !ended) alive = true;
    }
    if (!alive) return;
    if (root == ::getpid())
      while (::waitpid(-1, nullptr, WNOHANG) > 0) {
      }
    ::usleep(2000);
  }
}

namespace {

/// Busy seconds of all cores since the machine started.
double busy_seconds() {
  unsigned long long user = 0, nice = 0, system = 0, idle = 0, wait = 0, irq = 0, soft = 0;
  if (FILE* file = std::fopen("/proc/stat", "r")) {
    const int found = std::fscanf(file, "cpu %llu %llu %llu %llu %llu %llu %llu", &user, &nice, &system,
                                  &idle, &wait, &irq, &soft);
    std::fclose(file);
    if (found != 7) return 0;
  }
  return static_cast<double>(user + nice + system + irq + soft) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

double family_seconds() {
  double sum = facts_of(::getpid()).seconds;
  for (const pid_t pid : descendants(::getpid())) sum += facts_of(pid).seconds;
  return sum;
}

}  // namespace

LoadWatch::LoadWatch() : wall_(wall_seconds()), busy_(busy_seconds()), family_(family_seconds()) {}

double LoadWatch::foreign_share() const {
  const double elapsed = wall_seconds() - wall_;
  const double foreign = (busy_seconds() - busy_) - (family_seconds() - family_);
  const double cores = static_cast<double>(std::max(1u, std::thread::hardware_concurrency()));
  return elapsed > 0 ? std::clamp(foreign / (elapsed * cores), 0.0, 1.0) : 0;
}

}  // namespace ladder
