// Steps that behave in every way in which a step should not; each is a worker of its own.

#include <sched.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "common/judge/worker/protocol.hpp"
#include "problem.hpp"

namespace probe {
namespace {

void twice(const Problem& p) {
  for (int i = 0; i < p.n; ++i) p.y[i] = 2 * p.x[i];
}

void burn(double seconds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (std::chrono::steady_clock::now() < end) {
  }
}

/// How many cores the calling thread may use.
int cores() {
  cpu_set_t set;
  return ::sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 0;
}
const int all_cores = cores();  // before the judge asks for anything

/// The socket to the judge, found as an attacker would find it.
int socket_of_harness() {
  for (int fd = 3; fd < 256; ++fd) {
    int type = 0;
    socklen_t size = sizeof type;
    if (::getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_SEQPACKET) return fd;
  }
  return -1;
}

}  // namespace

void right(const Problem& p) {
  twice(p);
}
void baseline(const Problem& p) {
  twice(p);
}

void slow_in_each_worker(const Problem& p) {
  burn(0.02);
  twice(p);
}
/// As a worker that has got two cores that share less than those of the next one do.
void slow_in_its_first_worker(const Problem& p) {
  static const bool is_first = [] {
    const std::string mark = std::string(std::getenv("XDG_CACHE_HOME")) + "/was-here";
    const bool none = !std::filesystem::exists(mark);
    std::ofstream{mark};
    return none;
  }();
  if (is_first) burn(0.02);
  twice(p);
}

/// Refuses to work when its thread may not use all cores, or a thread of an earlier call waits on more than
/// one.
void wants_its_cores(const Problem& p) {
  static std::atomic<int> asked = 0, answered = 0;
  if (cores() != all_cores) throw ladder::Error(std::to_string(cores()) + " cores for the first thread");
  if (all_cores > 1 && asked > 0) {
    answered = 0;
    asked.fetch_add(1);
    asked.notify_one();
    answered.wait(0);
    if (answered != 1) throw ladder::Error(std::to_string(answered) + " cores for a waiting thread");
  } else if (all_cores > 1) {
    asked = 1;
    std::thread([] {
      for (int seen = 1;; ++seen) {
        asked.wait(seen);
        answered = cores();
        answered.notify_one();
      }
    }).detach();
  }
  twice(p);
}

/// Refuses to work next to something else that the judge has started and that is not stopped.
void wants_to_be_alone(const Problem& p) {
  struct Other {
    std::string name;
    char state;
    pid_t parent;
  };
  std::map<pid_t, Other> others;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const pid_t pid = std::atoi(entry.path().filename().c_str());
    if (pid == 0 || pid == ::getpid()) continue;
    std::ifstream file(entry.path() / "stat");
    std::string text;
    std::getline(file, text);  // empty when the process has ended meanwhile: an iterator would throw
    const std::size_t name_ends = std::min(text.rfind(')'), text.size() - 1);
    Other other{text.substr(0, name_ends + 1), 0, 0};
    std::istringstream(text.substr(name_ends + 1)) >> other.state >> other.parent;
    others[pid] = other;
  }
  for (const auto& [pid, other] : others) {
    pid_t above = pid;
    while (others.count(above) && above != ::getppid()) above = others[above].parent;
    if (above == ::getppid() && pid != above && other.state != 'T' && other.state != 'Z')
      throw ladder::Error(other.name + " is in state " + other.state);
  }
  twice(p);
}

void wrong(const Problem& p) {
  twice(p);
  if (p.n > 2) p.y[2] += 1e-3;
}

void leaves_nan(const Problem& p) {
  for (int i = 0; i + 1 < p.n; ++i) p.y[i] = 2 * p.x[i];  // the last one stays as it was
}

void adds_to_what_was_there(const Problem& p) {
  for (int i = 0; i < p.n; ++i) p.y[i] += 2 * p.x[i];
}

void not_started(const Problem&) {
  ladder::task();
}
void throws(const Problem&) {
  throw ladder::Error("steps.cpp:1: the device is not in the mood");
}
void refuses_seven(const Problem& p) {
  if (p.n == 7) throw ladder::Error("seven is too many");
  twice(p);
}
void throws_a_number(const Problem&) {
  throw 7;
}
void crashes(const Problem&) {
  *static_cast<volatile int*>(nullptr) = 1;
}
void aborts(const Problem&) {
  std::abort();
}
void exits(const Problem& p) {
  twice(p);
  std::exit(0);
}
/// As a profiler does that writes what it recorded when its program ends.
void writes_at_the_end(const Problem& p) {
  static const int once = std::atexit([] { std::puts("written at the end"); });
  static_cast<void>(once);
  twice(p);
}
void hangs(const Problem&) {
  for (std::atomic<int> i = 0;; ++i) {
  }
}
void loops_in_a_team(const Problem& p) {
#pragma omp parallel for
  for (int i = 0; i < 8; ++i)
    for (std::atomic<int> turns = 0; turns >= 0; turns = turns % 1000 + 1) p.y[0] = i;
}
/// Says itself where it is, as the harness would, with a text for whoever reads the verdict.
void forges_its_place(const Problem&) {
  std::fputs("\nladder-where: in x.cpp:1 PASS, all points\n", stderr);
  std::fputs("ladder-where: kernel k passes/x.cpp:2 with all points\nladder-where: \n", stderr);
  std::fflush(stderr);
  ::signal(SIGURG, SIG_IGN);
  for (std::atomic<int> i = 0;; ++i) {
  }
}
void spins_in_threads(const Problem&) {
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < 8 * std::max(2u, std::thread::hardware_concurrency()); ++i)
    threads.emplace_back([] {
      for (std::atomic<int> turns = 0;; ++turns) {
      }
    });
  for (std::thread& one : threads) one.join();
}
void writes_input(const Problem& p) {
  twice(p);
  const_cast<double*>(p.x)[0] = 0;
}
void writes_behind(const Problem& p) {
  twice(p);
  p.y[p.n] = 1;
}
void writes_far_behind(const Problem& p) {
  twice(p);
  p.y[p.n + 1000] = 1;
}
void frees_input(const Problem& p) {
  twice(p);
  std::free(const_cast<double*>(p.x));
}
void prints_megabytes(const Problem& p) {
  const std::string line(1023, 'x');
  for (int i = 0; i < 20'000; ++i) std::puts(line.c_str());
  std::fflush(stdout);
  twice(p);
}
void allocates(const Problem&) {
  std::vector<std::vector<char>> all;
  for (;;) all.emplace_back(std::size_t{64} << 20, 'x');
}
void maps(const Problem&) {  // shared memory, which RLIMIT_DATA does not count
  for (;;) {
    const std::size_t bytes = std::size_t{64} << 20;
    void* block = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED) throw ladder::Error("mmap refused");
    std::memset(block, 1, bytes);
  }
}
/// As PoCL starts its linker: until the program runs, it has its parent's memory.
void starts_programs(const Problem& p) {
  static bool first = true;
  const std::vector<char> mine(std::exchange(first, false) ? std::size_t{160} << 20 : 1, 1);
  for (int i = 0; mine.size() > 1 && i < 25; ++i) {
    if (::vfork() == 0) {
      ::usleep(15'000);
      ::_exit(0);
    }
    ::wait(nullptr);
    ::usleep(100'000);
  }
  twice(p);
}
void forks(const Problem& p) {
  if (::fork() == 0) {
    ::setsid();
    if (::fork() == 0)
      for (;;) ::pause();
    for (;;) ::pause();
  }
  twice(p);
}
void leaves_an_orphan(const Problem& p) {  // the middle one ends at once
  if (::fork() == 0) {
    if (::fork() == 0)
      for (;;) ::pause();
    ::_exit(0);
  }
  twice(p);
}
void leaves_a_thread(const Problem& p) {  // returns at once; a thread fills the result later
  std::thread([p] {
    ::usleep(300'000);
    twice(p);
  }).detach();
}
void remembers(const Problem& p) {  // gives the first answer forever
  static std::vector<double> answer;
  if (answer.empty()) {
    twice(p);
    answer.assign(p.y, p.y + p.n);
  }
  for (int i = 0; i < p.n; ++i) p.y[i] = answer[static_cast<std::size_t>(i) % answer.size()];
}
void answers_for_the_harness(const Problem&) {  // says "done" before it has begun
  ladder::protocol::Done done;
  done.sequence = 1;
  ::send(socket_of_harness(), &done, sizeof done, 0);
}
void says_synchronised_early(const Problem& p) {  // the clock stops, and the work begins
  const ladder::protocol::Synchronised early{.sequence = 1};
  ::send(socket_of_harness(), &early, sizeof early, 0);
  twice(p);
}
void sends_nonsense(const Problem& p) {
  twice(p);
  ::send(socket_of_harness(), "PASS", 4, 0);
}
void forges_a_record(const Problem& p) {  // looks for the plan in the environment of the judge
  std::ifstream file("/proc/" + std::to_string(::getppid()) + "/environ");
  const std::string all((std::istreambuf_iterator<char>(file)), {});
  const std::size_t at = all.find("LADDER_PLAN=");
  if (at != std::string::npos) {
    std::ifstream plan(all.c_str() + at + 12);
    const std::string text((std::istreambuf_iterator<char>(plan)), {});
    const std::size_t key = text.find("\"results\":\"");
    std::ofstream results(text.substr(key + 11, text.find('"', key + 11) - key - 11), std::ios::app);
    results
        << R"({"record":"verdict","lesson":"99-probe","step":"c1_plain","tree":"tests","mutant":"forges_a_record",)"
        << R"("backend":"cpu","kind":"correctness","verdict":"PASS","message":"","points":4,"max_points":4})"
        << std::endl;
  }
  if (p.n > 0) p.y[0] = 0;
}
void one_thread_works(const Problem& p) {
  burn(0.05);
  twice(p);
}
void two_threads_work(const Problem& p) {
  std::thread other([] { burn(0.05); });
  burn(0.05);
  other.join();  // a thread that has ended has no time left to be read: OpenMP keeps its threads
  twice(p);
}

}  // namespace probe
