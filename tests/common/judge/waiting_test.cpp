/// @file
/// How long a process had to wait for a processor: time that no call is to answer for.
// Guards: docs/measuring.md#what-a-number-means

#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <filesystem>
#include <thread>

#include "common/base/process/process_tree.hpp"
#include "tests/common/catch.hpp"

namespace {

using ladder::WaitingTime;

/// A process that computes forever, on one processor only.
pid_t start_busy(int processor) {
  const pid_t child = fork();
  if (child != 0) return child;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(processor, &one);
  sched_setaffinity(0, sizeof one, &one);
  [[maybe_unused]] volatile unsigned rounds = 0;
  for (unsigned i = 0;; ++i) rounds = i;
}

/// One whose threads follow each other on that processor; each computes for 20 ms, so that none waits for
/// long.
pid_t start_threads(int processor) {
  const pid_t child = fork();
  if (child != 0) return child;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(processor, &one);
  sched_setaffinity(0, sizeof one, &one);
  for (;;)
    std::thread([] {
      timespec used{};
      do clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
      while (used.tv_nsec < 20'000'000);
    }).join();
}

/// Looks until it has waited so long, or for 20 s.
double look_until(WaitingTime& waiting, double seconds) {
  double waited = 0;
  for (int i = 0; i < 2000 && waited < seconds; ++i) {
    usleep(10'000);
    waited = waiting.look();
  }
  return waited;
}

pid_t start_asleep() {
  const pid_t child = fork();
  if (child != 0) return child;
  for (;;) pause();
}

void end(pid_t child) {
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
}

}  // namespace

TEST_CASE("who shares a processor waits for it, and who sleeps does not") {
  if (!std::filesystem::exists("/proc/self/schedstat"))
    LADDER_SKIP("this kernel does not count how long processes wait");
  const int here = sched_getcpu();
  const pid_t first = start_busy(here), second = start_busy(here), asleep = start_asleep();
  WaitingTime of_first(first), of_asleep(asleep), of_all(getpid());
  CHECK(look_until(of_first, 0.1) >= 0.1);
  CHECK(of_asleep.look() < 0.1);
  CHECK(look_until(of_all, 0.1) >= 0.1);  // with all below it
  for (const pid_t child : {first, second, asleep}) end(child);
}

TEST_CASE("waits of threads that follow each other add up, also of those that have ended") {
  if (!std::filesystem::exists("/proc/self/schedstat"))
    LADDER_SKIP("this kernel does not count how long processes wait");
  const int here = sched_getcpu();
  const pid_t other = start_busy(here), threads = start_threads(here);
  WaitingTime waiting(threads);
  CHECK(look_until(waiting, 1) >= 1);
  for (const pid_t child : {other, threads}) end(child);
}
