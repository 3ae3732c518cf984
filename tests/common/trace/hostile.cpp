/// @file
/// What a hostile worker may send instead of a trace.
// Guards: docs/design.md#what-each-process-may-do

#include <cstdint>
#include <random>

#include "common/base/error.hpp"
#include "common/trace/metrics.hpp"
#include "tests/common/catch.hpp"
#include "tests/common/trace/traces.hpp"

using namespace ladder;
using test::as_bytes;

namespace {

ladder_event good(std::uint64_t id) {
  ladder_event event{};
  event.kind = LADDER_H2D;
  event.id = id;
  event.bytes = 8;
  event.peer = -1;
  return event;
}

Trace read(const std::vector<ladder_event>& events, const std::vector<std::uint64_t>& deps = {}) {
  return Trace::from_bytes(as_bytes(events.data(), events.size()), as_bytes(deps.data(), deps.size()),
                           "opencl");
}

/// A trace of two events whose second was changed.
template <class Change>
void check_refused(const char* words, Change&& change) {
  std::vector<ladder_event> events{good(1), good(2)};
  change(events[1]);
  const std::string error = test::error_of([&] { read(events); });
  INFO(error);
  CHECK(test::contains(error, "event 2 "));
  CHECK(test::contains(error, words));
}

}  // namespace

TEST_CASE("a right trace is read") {
  std::vector<ladder_event> events{good(1), good(2), good(3)};
  std::snprintf(events[1].name, sizeof events[1].name, "update\x01\xff");
  const Trace trace = read(events, {2, 1, 3, 1, 3, 2});
  REQUIRE(trace.events.size() == 3);
  CHECK(trace.events[1].name == "update??");
  CHECK(trace.events[2].deps == std::vector<std::uint64_t>{1, 2});
  CHECK(trace.recorders == "opencl");
  CHECK(read({}).events.empty());
}

TEST_CASE("wrong events are refused, by number") {
  check_refused("id 7", [](ladder_event& e) { e.id = 7; });
  check_refused("id 1", [](ladder_event& e) { e.id = 1; });
  check_refused("kind 0", [](ladder_event& e) { e.kind = 0; });
  check_refused("kind 13", [](ladder_event& e) { e.kind = 13; });
  check_refused("flags", [](ladder_event& e) { e.flags = 8; });
  check_refused("bytes", [](ladder_event& e) { e.bytes = ~0ull; });
  check_refused("device", [](ladder_event& e) { e.device = -5; });
  check_refused("rank", [](ladder_event& e) { e.peer = 1 << 30; });
  check_refused("begins", [](ladder_event& e) { e.begin = 5; });
  check_refused("future", [](ladder_event& e) { e.end = ~0ull; });
  check_refused("name", [](ladder_event& e) { std::memset(e.name, 'x', sizeof e.name); });
}

TEST_CASE("wrong dependencies are refused") {
  const std::vector<ladder_event> events{good(1), good(2)};
  for (const std::vector<std::uint64_t>& deps :
       {std::vector<std::uint64_t>{1, 1}, {1, 2}, {2, 0}, {0, 0}, {3, 1}, {2, ~0ull}, {~0ull, 1}})
    CHECK_THROWS_AS(read(events, deps), Error);
}

TEST_CASE("broken lengths are refused") {
  const std::vector<ladder_event> events{good(1), good(2)};
  const auto bytes = as_bytes(events.data(), 2);
  CHECK_THROWS_AS(Trace::from_bytes(bytes.first(bytes.size() - 1), {}, ""), Error);
  const std::uint64_t half[] = {2};
  CHECK_THROWS_AS(Trace::from_bytes(bytes, as_bytes(half, 1), ""), Error);
  CHECK_THROWS_AS(Trace::from_bytes(bytes, {}, std::string(1000, 'x')), Error);
}

TEST_CASE("a cut trace is refused") {
  const std::vector<std::byte> many(LADDER_MOST_DEPENDENCIES * 16ull);
  CHECK(test::contains(test::error_of([&] { Trace::from_bytes({}, many, ""); }), "can't be counted"));
}

TEST_CASE("random bytes throw or give a trace that all metrics take") {
  std::mt19937_64 random(7);
  for (int round = 0; round < 2000; ++round) {
    std::vector<ladder_event> events;
    for (std::uint64_t id = 1; id <= 6; ++id) events.push_back(good(id));
    std::vector<std::uint64_t> deps{2, 1, 4, 3};
    auto* bytes = reinterpret_cast<unsigned char*>(events.data());
    for (int i = 0; i < 3; ++i)
      bytes[random() % (6 * sizeof(ladder_event))] = static_cast<unsigned char>(random());
    deps[random() % 4] = random() % 9;
    try {
      const Trace trace = read(events, deps);
      for (const Metric& row : all_metrics()) {
        try {
          metric(row.name, trace);
        } catch (const Error&) {
        }
      }
      trace.to_json();
    } catch (const Error&) {
    }
  }
}
