/// @file
/// The cores of a timed call's threads.
// Guards: docs/measuring.md#what-a-number-means

#include "common/judge/session/cpu_affinity.hpp"

#include <sched.h>
#include <unistd.h>

#include <atomic>
#include <thread>
#include <vector>

#include "tests/common/judge/judged.hpp"

using namespace ladder::test;

namespace {

/// Of each thread of this process, the number of cores that it may use.
std::vector<int> cores_of_threads() {
  std::vector<int> counts;
  for (const auto& entry : fs::directory_iterator("/proc/self/task")) {
    cpu_set_t set;
    const bool known = ::sched_getaffinity(std::atoi(entry.path().filename().c_str()), sizeof set, &set) == 0;
    counts.push_back(known ? CPU_COUNT(&set) : 0);
  }
  return counts;
}

}  // namespace

TEST_CASE("a thread that waits has a core of its own, and the rung's has all of them") {
  const json record = judged_once("c3_timed", "wants_its_cores", "time");
  INFO(record.dump(1));
  CHECK(record.at("time").at("runs") >= 8);
  if (std::thread::hardware_concurrency() < 2)
    LADDER_SKIP("judge: one core, so no thread can have one of its own");
}

TEST_CASE("more threads than cores have all of them") {
  std::vector<std::thread> threads;
  std::atomic<bool> end = false;
  cpu_set_t mine;  // of the judge, which this program is too
  REQUIRE(::sched_getaffinity(0, sizeof mine, &mine) == 0);
  const std::vector<int> before = cores_of_threads();
  const int all = before[0];
  if (all < 2 || before.size() != 1)
    LADDER_SKIP("judge: one core, or this program has threads of somebody else");
  const auto start = [&] { threads.emplace_back([&end] { end.wait(false); }); };
  while (threads.size() + 1 < std::size_t(all)) start();
  ladder::pin_threads(::getpid());
  CHECK(cores_of_threads() == std::vector<int>(std::size_t(all), 1));
  ::sched_setaffinity(0, sizeof mine, &mine);
  start();
  ladder::pin_threads(::getpid());
  CHECK(cores_of_threads() == std::vector<int>(std::size_t(all) + 1, all));
  end = true;
  end.notify_all();
  for (std::thread& thread : threads) thread.join();
}
