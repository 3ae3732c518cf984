/// @file
/// The exported JSON has the shape that Perfetto's importer reads.
// Guards: common/trace/README.md

#include <map>
#include <nlohmann/json.hpp>

#include "tests/common/catch.hpp"
#include "tests/common/trace/traces.hpp"

using namespace ladder;

TEST_CASE("Trace Event JSON") {
  test::Builder b;
  const auto copy = b.add(LADDER_H2D, 64);
  b.last().stream = 1;
  b.last().begin = 5000;
  b.last().end = 7000;
  b.kernel(2, 32, {copy}, "update<double>");
  b.last().stream = 2;
  b.last().begin = 8000;
  b.last().end = 8500;
  b.add(LADDER_WAIT, 0, {2});
  b.trace.recorders = "opencl";

  const auto json = nlohmann::json::parse(b.trace.to_json());
  std::map<int, std::string> threads;
  std::vector<nlohmann::json> slices, arrows;
  for (const auto& event : json.at("traceEvents")) {
    const std::string phase = event.at("ph");
    if (phase == "M")
      threads[event.at("tid")] = event.at("args").at("name");
    else if (phase == "X")
      slices.push_back(event);
    else
      arrows.push_back(event);
    CHECK(event.at("pid") == 0);
  }
  REQUIRE(slices.size() == 3);
  CHECK(slices[0].at("ts") == 0.0);
  CHECK(slices[0].at("dur") == 2.0);
  CHECK(slices[0].at("args").at("bytes") == 64);
  CHECK(slices[1].at("name") == "update<double>");
  CHECK(slices[1].at("ts") == 3.0);
  CHECK(slices[1].at("args").at("block") == nlohmann::json({32, 1, 1}));
  CHECK(slices[2].at("ts") == 3.5);  // not timed: placed where the kernel ended
  CHECK(threads.at(slices[0].at("tid")) == "device 0 stream 1");
  CHECK(threads.at(slices[1].at("tid")) == "device 0 stream 2");
  CHECK(threads.at(slices[2].at("tid")) == "host");
  REQUIRE(arrows.size() == 4);
  CHECK(arrows[0].at("ph") == "s");
  CHECK(arrows[1].at("ph") == "f");
  CHECK(arrows[0].at("id") == arrows[1].at("id"));
}

TEST_CASE("an empty trace exports") {
  CHECK(nlohmann::json::parse(Trace{}.to_json()).at("traceEvents").empty());
}
