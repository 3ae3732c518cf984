/// @file
/// Order and dependencies of what CUPTI reports, without a GPU.
// Guards: common/trace/README.md

#include "common/trace/recorders/cupti_order.hpp"

#include "common/trace/metrics.hpp"
#include "tests/common/catch.hpp"
#include "tests/common/trace/traces.hpp"

using namespace ladder;
using namespace ladder::cuda_recorder;
using test::nth;

namespace {

constexpr Handle null_stream{1, 7}, a{1, 13}, b{1, 14}, free_stream{1, 15};

Activity asked_for(std::uint32_t correlation, Handle stream, ladder_event_kind kind, std::uint64_t begin) {
  Activity activity{.correlation = correlation, .stream = stream};
  activity.event.kind = kind;
  activity.event.begin = begin;
  activity.event.end = begin + 10;
  return activity;
}

Activity control(Activity::Kind kind, std::uint32_t correlation, Handle stream, std::uint32_t event = 0) {
  Activity activity{.kind = kind, .correlation = correlation, .stream = stream, .cuda_event = {1, event}};
  return activity;
}

Trace recorded(std::vector<Activity> activities) {
  const Streams streams{.null = {null_stream}, .non_blocking = {free_stream}};
  return test::record([&] { record_in_order(std::move(activities), {}, streams); });
}

bool after(const Trace& trace, const Trace::Event& event, const Trace::Event& on) {
  return test::depends(trace, event, on);
}

}  // namespace

TEST_CASE("CUDA: a stream is in order, however late its records come") {
  const Trace trace = recorded({asked_for(3, a, LADDER_D2H, 30), asked_for(1, a, LADDER_H2D, 10),
                                asked_for(2, a, LADDER_KERNEL, 20), asked_for(4, b, LADDER_KERNEL, 12)});
  CHECK(test::kinds(trace) == std::vector<ladder_event_kind>{LADDER_H2D, LADDER_LAUNCH, LADDER_KERNEL,
                                                             LADDER_D2H, LADDER_LAUNCH, LADDER_KERNEL});
  CHECK(after(trace, nth(trace, LADDER_KERNEL), nth(trace, LADDER_H2D)));
  CHECK(after(trace, nth(trace, LADDER_D2H), nth(trace, LADDER_KERNEL)));
  CHECK_FALSE(after(trace, nth(trace, LADDER_KERNEL, 1), nth(trace, LADDER_KERNEL, 0)));
  CHECK(metric("launches", trace) == 2);
}

TEST_CASE("CUDA: the default stream and streams that do not care") {
  const Trace trace = recorded({asked_for(1, a, LADDER_H2D, 1), asked_for(2, null_stream, LADDER_KERNEL, 2),
                                asked_for(3, b, LADDER_D2H, 3), asked_for(4, free_stream, LADDER_FILL, 4)});
  CHECK(nth(trace, LADDER_KERNEL).stream == 0);
  CHECK(after(trace, nth(trace, LADDER_KERNEL), nth(trace, LADDER_H2D)));
  CHECK(after(trace, nth(trace, LADDER_D2H), nth(trace, LADDER_KERNEL)));
  CHECK(nth(trace, LADDER_FILL).deps.empty());
}

TEST_CASE("CUDA: events tie streams") {
  using enum Activity::Kind;
  const Trace trace = recorded({asked_for(1, a, LADDER_H2D, 1), control(event_record, 2, a, 5),
                                asked_for(3, a, LADDER_FILL, 2), control(stream_wait, 4, b, 5),
                                asked_for(5, b, LADDER_KERNEL, 3)});
  CHECK(after(trace, nth(trace, LADDER_KERNEL), nth(trace, LADDER_H2D)));
  CHECK_FALSE(after(trace, nth(trace, LADDER_KERNEL), nth(trace, LADDER_FILL)));
}

TEST_CASE("CUDA: what the host waited for") {
  using enum Activity::Kind;
  Activity blocking = asked_for(1, a, LADDER_H2D, 1);
  blocking.waits = true;
  const Trace trace =
      recorded({blocking, control(wait_all, 1, a), asked_for(2, b, LADDER_KERNEL, 2),
                control(wait_stream, 3, b), asked_for(4, a, LADDER_FILL, 3), control(wait_all, 5, a)});
  CHECK(metric("waits", trace) == 3);  // the runtime's own wait inside the blocking copy is not a second one
  CHECK(after(trace, nth(trace, LADDER_KERNEL), nth(trace, LADDER_H2D)));
  CHECK(after(trace, nth(trace, LADDER_FILL), nth(trace, LADDER_KERNEL)));
  CHECK(after(trace, nth(trace, LADDER_WAIT, 2), nth(trace, LADDER_FILL)));
}

TEST_CASE("CUDA: a graph is one launch") {
  std::vector<Activity> activities{asked_for(1, a, LADDER_H2D, 0)};
  for (std::uint64_t begin : {20, 20, 40}) {
    activities.push_back(asked_for(2, a, LADDER_KERNEL, begin));
    activities.back().graph = 1;
  }
  activities.push_back(asked_for(3, a, LADDER_D2H, 60));
  const Trace trace = recorded(activities);
  CHECK(metric("launches", trace) == 1);
  CHECK(metric("kernels", trace) == 3);
  CHECK_FALSE(after(trace, nth(trace, LADDER_KERNEL, 1), nth(trace, LADDER_KERNEL, 0)));
  CHECK(after(trace, nth(trace, LADDER_KERNEL, 2), nth(trace, LADDER_KERNEL, 1)));
  for (int i = 0; i < 3; ++i) {
    CHECK(after(trace, nth(trace, LADDER_KERNEL, i), nth(trace, LADDER_H2D)));
    CHECK(after(trace, nth(trace, LADDER_D2H), nth(trace, LADDER_KERNEL, i)));
  }
}
