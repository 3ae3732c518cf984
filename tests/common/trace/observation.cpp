// The record of an observed run: what is written comes back, and what a hostile process sends is refused in
// one line.
// Guards: docs/design.md#what-each-process-may-do

#include "common/base/observation/observation.hpp"

#include <nlohmann/json.hpp>
#include <random>
#include <string>

#include "common/base/error.hpp"
#include "tests/common/catch.hpp"

namespace {

using namespace ladder;
using ladder::test::contains;
using nlohmann::json;

LineCounters full_line() {
  LineCounters line;
  line.site = {"lessons/03-dgemm/g1_naive.cu", 26};
  line.space = "global";
  line.operation = "load";
  line.size = 8;
  line.requests = 100;
  line.lanes = 3200;
  line.distinct_bytes = 25600;
  line.sectors = 3200;
  line.necessary_sectors = 800;
  line.wavefronts = line.necessary_wavefronts = 1;
  line.most_lanes_at_one_address = 2;
  line.worst = WarpAccess{{1, 2, 0}, 3, 0xFFFF'FFFF, std::vector<std::int64_t>(32, 512), "dA"};
  line.worst->at[31] = -1;
  return line;
}

LaunchCounters full_launch() {
  LaunchCounters launch;
  launch.kernel = "multiply";
  launch.site = {"lessons/03-dgemm/g1_naive.cu", 43};
  launch.grid = {2, 3, 1};
  launch.block = {32, 32, 1};
  launch.static_shared = 16384;
  launch.dynamic_shared = 64;
  launch.registers = 40;
  launch.observed_blocks = 6;
  launch.counters = {{"global_load_sectors", 3200}, {"barriers", 12}};
  launch.skipped = {{"local_bytes", "needs nvcc"}};
  launch.lines = {full_line()};
  launch.branches = {{{"g.cu", 24}, 10, 2}};
  return launch;
}

Finding full_finding() {
  Finding race;
  race.kind = "shared-race";
  race.severity = "error";
  race.kernel = "multiply";
  race.site = {"g.cu", 23};
  race.block = {1, 0, 0};
  race.thread = {0, 5, 0};
  race.operation = "write";
  race.other = Finding::Other{{"g.cu", 27}, {1, 0, 0}, {1, 0, 0}, "read"};
  race.address = "As[0][0]";
  race.message = "a race";
  race.meaning = "it may be overwritten";
  race.count = 992;
  return race;
}

/// One of everything, and one of each with as little as there can be.
Observation full() {
  Observation observation;
  observation.launches = {full_launch(), {}};
  observation.launches[1].kernel = "scale";
  observation.findings = {full_finding(), {}};
  observation.findings[1].severity = "note";
  observation.incomplete = "2 launches were too long";
  observation.results = ResultOrigin{.elements = 1000, .of_kernels = 998, .uploaded = 7, .known = true};
  return observation;
}

/// What the document is refused with; empty when it is taken.
std::string refusal(const std::string& text) {
  try {
    parse_observation(text);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

json document() {
  return to_json(full());
}

}  // namespace

TEST_CASE("an observation comes back as it was written") {
  const Observation before = full();
  const Observation after = parse_observation(to_json(before).dump());
  CHECK(to_json(after) == to_json(before));
  CHECK(after.launches[0].lines[0].worst->at[31] == -1);
  CHECK(after.launches[0].registers == 40u);
  CHECK_FALSE(after.launches[1].registers.has_value());
  CHECK(after.findings[0].other->thread == std::array<std::uint32_t, 3>{1, 0, 0});
  CHECK_FALSE(after.findings[1].other.has_value());
  CHECK(after.results->of_kernels == 998);
  CHECK(after.results->uploaded == 7);
}

TEST_CASE("fields may be left out or null, and unknown ones are no matter") {
  const Observation little = parse_observation(
      R"({"schema":"gpu-ladder-observation/1","future":[1,{"a":null}],"findings":null,
          "launches":[{"kernel":"k","registers":null,"lines":[{"worst":null}]}]})");
  CHECK(little.launches.size() == 1);
  CHECK_FALSE(little.launches[0].registers.has_value());
  CHECK_FALSE(little.launches[0].lines[0].worst.has_value());
}

TEST_CASE("sums are over kernels of a name, and unknown where one launch does not know") {
  Observation o = full();
  o.launches[1].counters["barriers"] = 3;
  CHECK(o.sum("barriers") == 15.0);
  CHECK(o.sum("barriers", "mult") == 12.0);
  CHECK(o.sum("global_load_sectors", "multiply") == 3200.0);
  CHECK_FALSE(o.sum("global_load_sectors").has_value());  // "scale" does not know it
  CHECK(o.sum("barriers", "none") == 0.0);
  CHECK(o.findings_of("error") == 1);
  CHECK(o.findings_of("warning") == 0);
}

TEST_CASE("a broken document is refused with the place") {
  json d = document();
  CHECK(contains(refusal("PASS"), "no JSON"));
  CHECK(contains(refusal(""), "no JSON"));
  CHECK(contains(refusal("[]"), "is no object"));
  CHECK(contains(refusal("{}"), "schema"));
  CHECK(contains(refusal(R"({"schema":"gpu-ladder-observation/2"})"), "schema"));
  const auto with = [&](const char* pointer, const json& value) {
    json changed = d;
    changed[json::json_pointer(pointer)] = value;
    return refusal(changed.dump());
  };
  CHECK(with("/device", "executor").empty());
  CHECK(contains(with("/launches/0/lines/0/requests", -1), "launches[0].lines[0].requests"));
  CHECK(contains(with("/launches/0/lines/0/requests", 1.5), "not in its range"));
  CHECK(contains(with("/launches/0/lines/0/requests", "many"), "no number"));
  CHECK(contains(with("/launches/0/lines/0/requests", 1e300), "not in its range"));
  CHECK(contains(with("/launches/0/counters/barriers", -3), "launches[0].counters.barriers"));
  CHECK(contains(with("/launches/0/counters", json::array({1})), "no object"));
  CHECK(contains(with("/launches/0/grid", json::array({1, 2})), "no list of three"));
  CHECK(contains(with("/launches/0/grid/1", 1e10), "launches[0].grid[1]"));
  CHECK(contains(with("/launches/0/lines/0/worst/at", json::array({1})), "one entry a lane"));
  CHECK(contains(with("/launches/0/branches/0/divergent", 11), "diverges more often"));
  CHECK(contains(with("/results/of_kernels", 1001), "results has more of kernels"));
  CHECK(contains(with("/results/uploaded", 999), "results has more that was uploaded"));
  CHECK(contains(with("/findings/0/severity", "fine"), "severity"));
  CHECK(contains(with("/findings/0/site", 3), "no object"));
  CHECK(contains(with("/findings", "none"), "no list"));
}

TEST_CASE("what a hostile process sends costs little and prints nothing strange") {
  CHECK(contains(refusal(std::string(1'000'000, '[')), "nested too deeply"));
  CHECK(contains(refusal(std::string((64 << 20) + 1, ' ')), "longer than 64 MiB"));
  json d = document();
  d["findings"] = json::array();
  for (int i = 0; i <= 10'000; ++i) d["findings"].push_back({{"severity", "note"}});
  CHECK(contains(refusal(d.dump()), "more than 10000"));
  d["findings"] = json::array({{{"severity", "note"}, {"message", std::string(1'000'000, 'x') + "\x1b[2J"}}});
  const Observation cut = parse_observation(d.dump());
  CHECK(cut.findings[0].message.size() <= 2000);
  d["findings"] = json::array({{{"severity", "note"}, {"message", "a\x1b[2J\nb"}}});
  CHECK(parse_observation(d.dump()).findings[0].message == "a?[2J?b");
}

TEST_CASE("any damage of a document is taken or refused, nothing else") {
  const std::string good = document().dump();
  std::mt19937 random(7);
  const std::string letters = "0-.eE\"\\[]{},:nulltrue9\x01\xff";
  for (int turn = 0; turn < 5000; ++turn) {
    std::string text = good;
    for (int changes = 1 + static_cast<int>(random() % 4); changes > 0; --changes) {
      const std::size_t at = random() % text.size();
      if (const auto how = random() % 3; how == 0)
        text[at] = letters[random() % letters.size()];
      else if (how == 1)
        text.erase(at, random() % 20);
      else
        text.insert(at, 1, letters[random() % letters.size()]);
    }
    const std::string why = refusal(text);  // throws nothing but Error
    CHECK(why.find('\n') == std::string::npos);
  }
}
