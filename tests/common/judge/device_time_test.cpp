// The time of a call by its device's clock: from traces written by hand, and from PoCL's events.
// Guards: docs/measuring.md#what-a-number-means

#include "common/judge/timing/device_time.hpp"

#include <nlohmann/json.hpp>

#include "judged.hpp"
#include "tests/common/trace/traces.hpp"

using namespace ladder;
using namespace ladder::test;

namespace {

void add_timed(Builder& to, ladder_event_kind kind, std::uint64_t begin, std::uint64_t end) {
  to.add(kind, 1);
  to.last().begin = begin, to.last().end = end;
}

json timed(const json& change) {
  const Scratch scratch;
  json plan = plan_of(scratch, json::array({planned("g1_traced", "copies_once", "opencl")}), {"time"});
  plan["size"] = 4000;
  plan.update(change);
  int status = 0;
  ::waitpid(start_judge(scratch, plan), &status, 0);
  const json record = verdicts(scratch).at(0);
  INFO(record.dump(1));
  return record.at("time").at("device");
}

}  // namespace

TEST_CASE("device time: what overlaps counts once, gaps and waits do not count") {
  Builder call;
  add_timed(call, LADDER_H2D, 1000, 2000);
  add_timed(call, LADDER_KERNEL, 1500, 3000);
  add_timed(call, LADDER_KERNEL, 5000, 6000);
  add_timed(call, LADDER_WAIT, 1000, 9000);  // the host waits, the device does not work
  const DeviceTime time = device_time_of({call.trace, call.trace, call.trace});
  CHECK(time.reason.empty());
  CHECK(time.busy.median == Approx(3e-6));
  CHECK(time.busy.count == 3);
  CHECK(time.kernels == Approx(2.5e-6));
}

TEST_CASE("device time: an operation without a time, or none at all, is a reason and no number") {
  Builder call;
  add_timed(call, LADDER_KERNEL, 1000, 2000);
  add_timed(call, LADDER_KERNEL, 0, 0);
  CHECK(device_time_of({call.trace}).reason == "its recorder could not time every operation");
  CHECK(device_time_of({Trace{}}).reason.find("the device was not busy") == 0);
  CHECK_FALSE(recorded(device_time_of({Trace{}})).median);
}

TEST_CASE("device time: above the time of a call it is the recorder's, and no number") {
  Builder call;
  add_timed(call, LADDER_KERNEL, 0, 2'000'000);
  const DeviceTime time = device_time_of({call.trace, call.trace, call.trace});
  CHECK(unless_slowed(time, 2.1e-3).reason.empty());
  CHECK(unless_slowed(time, 1.95e-3).busy.median == Approx(2e-3));  // within what clocks differ
  CHECK(unless_slowed(time, 1e-3).reason ==
        "its recorder slows it down: 2 ms on the device under it, and 1 ms for a call without it");
  CHECK_FALSE(recorded(unless_slowed(time, 1e-3)).median);
}

TEST_CASE("device time: OpenCL's events, in a run of its own next to the race") {
  const json device = timed(json::object());
  CHECK(device.at("runs") == 7);
  CHECK(device.at("median") > 0);
  CHECK(device.at("median") < 1);
  CHECK(device.at("kernels") == 0);  // it copies
}

TEST_CASE("device time: without a recorder the record says why, and the verdict does not suffer") {
  const json device =
      timed({{"recorders", json::object()}, {"no_recorder", {{"opencl", "the loader takes no layers"}}}});
  CHECK(device == json{{"reason", "the loader takes no layers"}});
}
