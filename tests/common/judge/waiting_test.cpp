/// @file
/// How long a process had to wait for a processor: time that no call is to answer for.

#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "common/base/process_tree.hpp"
#include "tests/common/catch.hpp"

namespace {

/// A process that computes for ever, on one processor only.
pid_t start_busy(int processor) {
  const pid_t child = fork();
  if (child != 0) return child;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(processor, &one);
  sched_setaffinity(0, sizeof one, &one);
  for (volatile unsigned i = 0;; i = i + 1) {
  }
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
  double waited = 0;
  for (int i = 0; i < 100 && waited < 0.1; ++i) {
    usleep(100'000);
    waited = ladder::seconds_without_processor(first);
  }
  CHECK(waited >= 0.1);
  CHECK(ladder::seconds_without_processor(second) > ladder::seconds_without_processor(asleep));
  CHECK(ladder::seconds_without_processor(getpid()) >= waited);  // with all below it
  for (const pid_t child : {first, second, asleep}) end(child);
}
