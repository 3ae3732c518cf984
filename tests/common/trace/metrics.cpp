/// @file
/// Metrics against traces whose numbers were worked out by hand.
// Guards: docs/glossary.md#the-metrics

#include "common/trace/metrics.hpp"

#include <functional>

#include "common/base/error.hpp"
#include "tests/common/catch.hpp"
#include "tests/common/trace/traces.hpp"

using namespace ladder;
using test::Builder;
using test::contains;
using test::error_of;
using test::near;

TEST_CASE("amounts of a small trace") {
  Builder b;
  b.add(LADDER_ALLOC, 1000);
  b.add(LADDER_ALLOC, 500);
  b.add(LADDER_H2D, 800);
  b.last().flags = LADDER_PAGEABLE;
  b.add(LADDER_H2D, 200);
  b.add(LADDER_FREE, 500);
  b.add(LADDER_ALLOC, 400);
  b.add(LADDER_LAUNCH);
  b.kernel(4, 32, {}, "update");
  b.kernel(2, 8, {}, "pivot");
  b.add(LADDER_D2D, 77);
  b.add(LADDER_FILL, 99);
  b.add(LADDER_D2H, 100);
  b.last().flags = LADDER_PAGEABLE | LADDER_BLOCKING;
  b.add(LADDER_WAIT);
  b.add(LADDER_SEND, 11);
  b.add(LADDER_RECEIVE, 13);
  const Trace& t = b.trace;

  CHECK(metric("bytes_to_device", t) == 1000);
  CHECK(metric("bytes_to_host", t) == 100);
  CHECK(metric("bytes", t) == 1100);
  CHECK(metric("pageable_bytes", t) == 900);
  CHECK(metric("launches", t) == 1);
  CHECK(metric("kernels", t) == 2);
  CHECK(metric("waits", t) == 1);
  CHECK(metric("peak_device_bytes", t) == 1500);
  CHECK(metric("bytes_sent", t) == 11);
  CHECK(metric("work_items", t) == 4 * 32 + 2 * 8);
  CHECK(metric("work_items:update", t) == 4 * 32);
  CHECK(metric("work_items:nothing", t) == 0);
}

TEST_CASE("peak is of the fullest device") {
  Builder b;
  b.add(LADDER_ALLOC, 10);
  b.add(LADDER_ALLOC, 15);
  b.last().device = 1;
  b.add(LADDER_ALLOC, 20);
  b.last().rank = 1;
  CHECK(metrics::peak_device_bytes(b.trace) == 20);
}

TEST_CASE("work-items do not wrap around") {
  Builder b;
  b.kernel(0xffffffff, 0xffffffff);
  b.last().grid[1] = b.last().grid[2] = 0xffffffff;
  CHECK(metrics::work_items(b.trace) > 1e37);
}

TEST_CASE("chain: one stream waits for everything, two streams for nothing") {
  const double copy = metrics::cost::transfer + 25e6 * metrics::cost::transfer_byte;  // 10 us + 1 ms
  const double kernel = metrics::cost::kernel + 1e6 * metrics::cost::work_item;       // 4 us + 1 ms
  CHECK(near(copy, 1.010e-3));
  CHECK(near(kernel, 1.004e-3));

  Builder serial;
  const auto s1 = serial.add(LADDER_H2D, 25e6);
  const auto s2 = serial.kernel(1000, 1000, {s1});
  const auto s3 = serial.add(LADDER_WAIT, 0, {s2});
  serial.add(LADDER_D2H, 25e6, {s3});
  CHECK(near(metrics::chain(serial.trace), 1));

  Builder streams;
  for (int i = 0; i < 2; ++i) {
    const auto h2d = streams.add(LADDER_H2D, 25e6);
    const auto k = streams.kernel(1000, 1000, {h2d});
    streams.add(LADDER_D2H, 25e6, {k});
  }
  CHECK(near(metrics::chain(streams.trace), 0.5));

  // A diamond: copy, then two kernels side by side, then a copy that waits for both.
  Builder diamond;
  const auto first = diamond.add(LADDER_H2D, 25e6);
  const auto left = diamond.kernel(1000, 1000, {first});
  const auto right = diamond.kernel(1000, 1000, {first});
  diamond.add(LADDER_D2H, 25e6, {left, right});
  CHECK(near(metrics::chain(diamond.trace), (2 * copy + kernel) / (2 * copy + 2 * kernel)));

  // Only the kernels of a name: the others cost nothing, and still carry dependencies.
  Builder named;
  const auto before = named.kernel(1000, 1000, {}, "update");
  const auto solve = named.kernel(1000, 1000, {before}, "substitute_block");
  named.kernel(1000, 1000, {solve}, "substitute_above");
  named.kernel(1000, 1000, {before}, "substitute_block");
  CHECK(near(metrics::chain(named.trace, "substitute"), 2.0 / 3));
  CHECK(near(metric("chain:substitute", named.trace), 2.0 / 3));
  CHECK(near(metrics::chain(named.trace), 3.0 / 4));
  // The path itself: what the chain is a share of. Work that nothing waits for changes the share and not the
  // path.
  CHECK(near(metrics::path(serial.trace), 2 * copy + kernel));
  CHECK(near(metrics::path(streams.trace), 2 * copy + kernel));
  CHECK(near(metric("path:substitute", named.trace), 2 * kernel));
  CHECK_THROWS_AS(metrics::chain(named.trace, "none"), Error);
}

TEST_CASE("chain: of the rank in which most waits") {
  Builder side_by_side;  // a kernel, and a message during it
  side_by_side.kernel(1000, 1000);
  side_by_side.add(LADDER_RECEIVE, 1e6);
  Builder in_turn;
  in_turn.add(LADDER_SEND, 1e6);
  in_turn.kernel(1000, 1000);
  in_turn.kernel(1000, 1000, {2});
  Trace both = side_by_side.trace;
  both.append(in_turn.trace, 1);
  const double kernel = metrics::cost::kernel + 1e6 * metrics::cost::work_item;
  const double message = metrics::cost::message + 1e6 * metrics::cost::message_byte;
  CHECK(near(metrics::chain(side_by_side.trace), kernel / (kernel + message)));
  CHECK(near(metrics::chain(both), 1));
  CHECK(near(metrics::path(both), 2 * kernel));
}

TEST_CASE("chain: to the last digit the same in whichever order threads made their calls") {
  constexpr int copies = 200;
  const auto chain_of = [](const std::function<int(int)>& number) {
    Builder b;
    for (int i = 0; i < copies; ++i) b.add(LADDER_H2D, 1237 * number(i) + 1);
    return metrics::chain(b.trace);
  };
  CHECK(chain_of([](int i) { return i; }) == chain_of([](int i) { return copies - 1 - i; }));
  CHECK(chain_of([](int i) { return i; }) == chain_of([](int i) { return i * 7 % copies; }));
}

TEST_CASE("chain: host work counts what it took, or its stated bytes") {
  Builder b;
  b.add(LADDER_HOST);
  b.last().begin = 1000;
  b.last().end = 3000;
  CHECK(near(metrics::stated_cost(b.last()), 2e-6));
  b.last().bytes = 1e7;
  CHECK(near(metrics::stated_cost(b.last()), 1.001e-3));
}

TEST_CASE("overlap") {
  Builder b;
  const auto timed = [&](ladder_event_kind kind, std::uint64_t begin, std::uint64_t end) {
    b.add(kind, 1);
    b.last().begin = begin;
    b.last().end = end;
  };
  timed(LADDER_H2D, 100, 200);
  timed(LADDER_D2H, 150, 250);     // copies busy 100 .. 250
  timed(LADDER_KERNEL, 220, 300);  // kernels busy 220 .. 320: together 30 of min(150, 100)
  timed(LADDER_KERNEL, 290, 320);
  CHECK(near(metrics::overlap(b.trace), 0.3));
  timed(LADDER_H2D, 300, 400);  // copies busy 250, together 50 of 100
  CHECK(near(metrics::overlap(b.trace), 0.5));
}

TEST_CASE("balance") {
  const double even[] = {1, 1, 1, 1}, one[] = {2}, uneven[] = {3, 1};
  CHECK(near(metrics::balance(even), 1));
  CHECK(near(metrics::balance(uneven), 1.5));
  CHECK(near(metrics::balance(one), 1));
  CHECK(near(metrics::balance(one, 4), 4));  // three of the four threads never ran
  CHECK(near(metric("balance", {}, {.cpu_seconds = uneven, .threads = 3}), 2.25));
}

TEST_CASE("what can't be computed says so") {
  CHECK_THROWS_AS(metrics::chain({}), Error);
  CHECK_THROWS_AS(metrics::overlap({}), Error);
  CHECK_THROWS_AS(metrics::balance({}), Error);
  const double none[] = {0, 0};
  CHECK_THROWS_AS(metrics::balance(none), Error);
  CHECK(error_of([] { metric("sectors", {}); }) == "counters need a run of the observed mode");
  CHECK(error_of([] { metric("branches", {}); }) == "branches need a run under Oclgrind");
  CHECK_THROWS_AS(metric("time", {}), Error);
}

TEST_CASE("names of metrics") {
  CHECK(find_metric("bytes").source == Source::device);
  CHECK(find_metric("work_items:update").source == Source::device);
  CHECK(find_metric("sectors per flop").source == Source::counters);
  CHECK(contains(error_of([] { find_metric("byte"); }), "no metric 'byte'; the nearest are bytes"));
  CHECK(contains(error_of([] { find_metric("lunches"); }), "launches"));
  CHECK_THROWS_AS(find_metric(""), Error);
  CHECK_THROWS_AS(find_metric(std::string(100000, 'x')), Error);
  for (const Metric& row : all_metrics()) CHECK(&find_metric(row.name) == &row);
}
