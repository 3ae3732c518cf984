// What an idea gains: the device's time of some kernels, from traces written by hand, and pairs of real
// workers.
// Guards: docs/measuring.md#what-a-number-means

#include <nlohmann/json.hpp>

#include "common/judge/timing/device_time.hpp"
#include "judged.hpp"
#include "tests/common/trace/traces.hpp"

using namespace ladder;
using namespace ladder::test;

namespace {

void add_kernel(Builder& to, const char* name, std::uint64_t begin, std::uint64_t end) {
  to.add(LADDER_KERNEL, 1);
  to.last().begin = begin, to.last().end = end;
  to.last().name = name;
}

/// The gain in the record of a rung that copies once, next to one that copies twice.
json gain_by(const std::string& clock, const json& change = json::object()) {
  const Scratch scratch;
  json step = planned("g1_traced", "copies_once", "opencl");
  step["without"] = planned("g1_traced", "copies_twice", "opencl")["worker"];
  step["without_name"] = "g1_traced.copies_twice";
  json plan = plan_of(scratch, json::array({step}), {"time"});
  plan["size"] = 4000;
  plan["environment"]["LADDER_OPENCL_GPU"] = "1";  // PoCL's device, as if it were a GPU
  for (json& row : plan["table"]["steps"])
    if (row["name"] == "g1_traced")
      row["gain"]["without"] = "g1_traced.copies_twice", row["gain"]["clock"] = clock;
  plan.update(change);
  const std::vector<json> found = judged_by(scratch, plan);
  REQUIRE(found.size() == 1);
  INFO(found[0].dump(1));
  CHECK(found[0]["verdict"] == "PASS");
  return found[0].value("gain", json());
}

}  // namespace

TEST_CASE("gain: a kernel's name stands for all instances of its template, in any namespace") {
  Builder call;
  add_kernel(call, "gauss::eliminate<4>", 1000, 3000);
  add_kernel(call, "eliminate", 2000, 4000);  // overlaps: counts once
  add_kernel(call, "eliminate_all", 5000, 9000);
  add_kernel(call, "find_pivot", 10000, 10500);
  CHECK(device_seconds_of(call.trace, {"eliminate"}) == Approx(3e-6));
  CHECK(device_seconds_of(call.trace, {"eliminate", "find_pivot"}) == Approx(3.5e-6));
  CHECK(device_seconds_of(call.trace, {}) == Approx(7.5e-6));
  CHECK_THROWS_WITH(device_seconds_of(call.trace, {"update"}), "no kernel update was recorded");
  add_kernel(call, "eliminate", 0, 0);
  CHECK_THROWS_WITH(device_seconds_of(call.trace, {"eliminate"}),
                    "its recorder could not time every operation");
}

TEST_CASE("gain: pairs of a rung and the program without its idea, by the row's clock") {
  for (const char* clock : {"call", "device"}) {
    CAPTURE(clock);
    const json gain = gain_by(clock);
    REQUIRE(gain.is_object());
    CHECK(gain["over"] == "g1_traced.copies_twice");
    CHECK(gain["clock"] == clock);
    CHECK(gain["problem"] == json{{"n", 4000}});
    CHECK(gain["size_name"] == "class A");
    // Eleven pairs, or six whose ratios are all within one percent.
    const double low = gain["ratio"]["low"], high = gain["ratio"]["high"], middle = gain["ratio"]["median"];
    const int runs = gain["ratio"]["runs"];  // short calls: as many as take a second
    CHECK(runs >= (high - low <= 0.01 * middle ? 6 : 11));
    CHECK(runs <= 41);
    CHECK(gain["seconds"]["low"] > 0);
    CHECK(gain["without"]["low"] > 0);
    CHECK_FALSE(gain.contains("reason"));
  }
}

TEST_CASE("gain: what cannot be measured has its reason, and the verdict does not suffer") {
  const json none = gain_by("device", {{"recorders", json::object()}});
  CHECK(none.value("reason", "") == "there is no recorder for opencl");
  CHECK_FALSE(none.contains("ratio"));
  // the processor's rungs have the table's ratios
  CHECK(gain_by("call", {{"environment", {{"LADDER_OPENCL_DEVICE", "0:0"}}}}).is_null());
}
