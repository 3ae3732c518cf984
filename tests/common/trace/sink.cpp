/// @file
/// A process records its events whole and in their order, with many threads at once, too.
// Guards: common/trace/README.md

#include <cstdint>
#include <thread>

#include "tests/common/catch.hpp"
#include "tests/common/trace/traces.hpp"

using namespace ladder;

namespace {

std::uint64_t put(ladder_event_kind kind, std::vector<std::uint64_t> deps = {}) {
  ladder_event event{};
  event.kind = kind;
  return ladder_sink_record(&event, deps.data(), deps.size());
}

}  // namespace

TEST_CASE("nothing is recorded outside start and drain") {
  CHECK(put(LADDER_KERNEL) == 0);
  const Trace trace = test::record([] { CHECK(put(LADDER_KERNEL) == 1); });
  CHECK(trace.events.size() == 1);
  CHECK(put(LADDER_KERNEL) == 0);
  CHECK(test::record([] {}).events.empty());
}

TEST_CASE("the order of a thread's waits and host work") {
  const Trace trace = test::record([] {
    put(LADDER_KERNEL);                              // 1
    put(LADDER_WAIT, {1});                           // 2
    put(LADDER_HOST);                                // 3: after the wait
    put(LADDER_KERNEL);                              // 4: after the host work
    put(LADDER_KERNEL, {2});                         // 5
    std::thread([] { put(LADDER_KERNEL); }).join();  // 6: another thread has waited for nothing
  });
  using Ids = std::vector<std::uint64_t>;
  CHECK(trace.events[2].deps == Ids{2});
  CHECK(trace.events[3].deps == Ids{3});
  CHECK(trace.events[4].deps == Ids{2, 3});
  CHECK(trace.events[5].deps.empty());
  // A new run begins without the old one's order.
  CHECK(test::record([] { put(LADDER_KERNEL); }).events[0].deps.empty());
}

TEST_CASE("many threads record at once") {
  const Trace trace = test::record([] {
    std::vector<std::thread> threads;
    for (int t = 0; t < 8; ++t)
      threads.emplace_back([] {
        for (int i = 0; i < 5000; ++i) {
          const std::uint64_t id = put(LADDER_KERNEL, {1});
          ladder_sink_times(id, id, id + 1);
        }
      });
    for (std::thread& thread : threads) thread.join();
  });
  REQUIRE(trace.events.size() == 40000);
  for (const Trace::Event& event : trace.events) REQUIRE(event.begin == event.id);
}

TEST_CASE("a dependency that is not there yet is dropped") {
  const Trace trace = test::record([] { put(LADDER_KERNEL, {0, 1, 99}); });
  CHECK(trace.events[0].deps.empty());
}
