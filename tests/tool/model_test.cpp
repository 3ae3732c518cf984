/// @file
/// Plans, records and results: what is written is read back, and what does not fit is refused with its name.
// Guards: docs/design.md#the-life-of-a-check

#include <functional>
#include <set>
#include <string>

#include "common/base/error.hpp"
#include "common/model/plan_json.hpp"
#include "common/model/result_json.hpp"
#include "common/report/results/results.hpp"
#include "tests/common/catch.hpp"

using namespace ladder;
using nlohmann::json;

namespace {

/// A record with all of its fields.
json record() {
  const json interval = {{"median", 2.0}, {"low", 1.0}, {"high", 3.0}, {"runs", 15}};
  const json time = {{"median", 2.0},
                     {"low", 1.0},
                     {"high", 3.0},
                     {"runs", 15},
                     {"problem", {{"n", 64}}},
                     {"size_name", "class A"},
                     {"content", "repeats"},
                     {"noise", interval},
                     {"baseline", interval},
                     {"peers", {{"cuBLAS", interval}}},
                     {"foreign_load", 0.25},
                     {"parts", {{"wake", 0.5}, {"step", 1.0}, {"synchronise", 0.25}, {"answer", 0.25}}},
                     {"after", 0.5},
                     {"work", {{"formula", "n"}, {"ceiling", "FP64"}, {"unit", "flop"}, {"amount", 8.0}}},
                     {"device", {{"median", 1.0}, {"peers", json::object()}}}};
  const json timing = {
      {"time", time}, {"ratio", {{"cuBLAS", 0.5}}}, {"ratio_interval", {{"cuBLAS", interval}}}};
  return {{"record", "verdict"},
          {"lesson", "03-dgemm"},
          {"step", "g1_naive"},
          {"tree", "solutions"},
          {"mutant", ""},
          {"backend", "executor"},
          {"device", "executor"},
          {"data", "host"},
          {"kind", "targets"},
          {"verdict", "BUILD ERROR"},
          {"message", "a message"},
          {"details", json::array({json::array({"Think", "twice"})})},
          {"seed", 7},
          {"key", "00ff"},
          {"cases", {{{"class", "tails"}, {"passed", 1}, {"of", 2}}}},
          {"failed_case", {{"index", 3}, {"case", "n = 5"}}},
          {"error", {{"measure", "norm"}, {"value", nullptr}, {"bound", 1e-14}}},
          {"targets",
           {{{"metric", "sectors"},
             {"relation", "<="},
             {"bound", 1.5},
             {"measured", nullptr},
             {"met", nullptr},
             {"necessary", "n sectors"},
             {"verdict", "SKIPPED"},
             {"reason", "no counters"}}}},
          {"unconfined", {"could write anywhere"}},
          {"time", time},
          {"ratio", timing["ratio"]},
          {"ratio_interval", timing["ratio_interval"]},
          {"again", timing},
          {"further", timing},
          {"energy", {{"joules", 0.5}, {"calls", 3}, {"source", "GPU"}}},
          {"points", 2.0},
          {"max_points", 4.0},
          {"processor", 0.25}};
}

std::string refused(const std::function<void()>& read) {
  try {
    read();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// Why a record is refused after a field of it was changed.
std::string refused_with(const std::string& pointer, const json& value) {
  json changed = record();
  changed[json::json_pointer(pointer)] = value;
  return refused([&] { model::record_from_json(changed); });
}

}  // namespace

TEST_CASE("a record is written as it was read, with all of its fields") {
  CHECK(to_json(model::record_from_json(record())) == record());
}

TEST_CASE("a record with a field that is unknown or of another type is refused, with the field's name") {
  CHECK(refused_with("/message", 5) == "a record.message must be a string");
  CHECK(refused_with("/step", json::array()) == "a record.step must be a string");
  CHECK(refused_with("/verdict", "GREAT").starts_with("a record.verdict must be one of PASS, SKIPPED,"));
  CHECK(refused_with("/kind", 1).starts_with("a record.kind must be one of correctness,"));
  CHECK(refused_with("/seed", 1.5) == "a record.seed must be an integer");
  CHECK(refused_with("/points", "4") == "a record.points must be a number");
  CHECK(refused_with("/details/0", json::array({"Think"})) == "a record.details[0] must be a list of two");
  CHECK(refused_with("/targets/0/bound", true) == "a record.targets[0].bound must be a number");
  CHECK(refused_with("/targets/0/met", 1) == "a record.targets[0].met must be true or false");
  CHECK(refused_with("/time/peers/cuBLAS/runs", "x") == "a record.time.peers.cuBLAS.runs must be an integer");
  CHECK(refused_with("/cases", json::object()) == "a record.cases must be a list");
  CHECK(refused_with("/energy", 1) == "a record.energy must be an object");
  CHECK(refused_with("/verdicts", 1) == "a record.verdicts is not a known field");
  CHECK(refused_with("/time/work/cieling", 1) == "a record.time.work.cieling is not a known field");
}

TEST_CASE("no field of a record is lost in the result that it is merged into") {
  // Whose record it is has fields of its own in the result; inputs and a second session are the judge's
  // alone.
  const std::set<std::string> of_records_alone = {"record", "lesson", "step", "tree", "mutant", "backend",
                                                  "kind",   "data",   "seed", "key",  "again"};
  const json merged =
      to_json(report::merge({}, {model::record_from_json(record())}, {TestKind::targets}, "not judged"));
  const json all = record();
  for (const auto& [name, value] : all.items()) {
    if (of_records_alone.contains(name)) continue;
    INFO(name);
    CHECK(merged.contains(name));
  }
}

TEST_CASE("what was found in a step that is wrong only at a target's size is its message") {
  const auto of = [](TestKind kind, Verdict verdict, const std::string& message) {
    model::Record one;
    one.kind = kind, one.verdict = verdict, one.message = message;
    return one;
  };
  const std::vector<TestKind> kinds = {TestKind::correctness, TestKind::targets, TestKind::findings};
  const auto message = [&](Verdict correctness, Verdict findings) {
    return report::merge({},
                         {of(kinds[0], correctness, "a case"), of(kinds[1], Verdict::wrong, "a target"),
                          of(kinds[2], findings, "a race")},
                         kinds, "not judged")
        .message;
  };
  CHECK(message(Verdict::pass, Verdict::wrong) == "a race");
  CHECK(message(Verdict::pass, Verdict::pass) == "a target");
  CHECK(message(Verdict::wrong, Verdict::wrong) == "a case");
}

TEST_CASE("a judge's line is a verdict, how far it is, or a document about a step; nothing else") {
  CHECK(std::holds_alternative<model::Record>(model::line_from_json(record())));
  const json progress = {{"record", "progress"}, {"step", "g1"}, {"kind", "time"}, {"done", 1}, {"of", 2}};
  CHECK(std::get<model::Progress>(model::line_from_json(progress)).of == 2);
  CHECK(std::holds_alternative<json>(
      model::line_from_json({{"record", "profile"}, {"step", "g1"}, {"size", 64}})));
  const auto refused_line = [](const json& line) { return refused([&] { model::line_from_json(line); }); };
  for (const json& line : {json(), json(5), json{{"record", 5}}, json{{"record", "lines"}}})
    CHECK(refused_line(line) == "a record.record is not verdict, progress, reproduction or a kind of test");
  CHECK(refused_line({{"record", "costs"}, {"step", 7}}) == "a record.step must be a string");
  CHECK(refused_line({{"record", "reproduction"}, {"title", 7}}) == "a table.title must be a string");
}

TEST_CASE("a plan is written as it was read; another schema, an unknown field and another type are refused") {
  Plan plan;
  plan.lesson = "03-dgemm";
  plan.kinds = {TestKind::correctness, TestKind::time};
  plan.steps.push_back({.step = "g1_naive", .failed = Earlier{Verdict::wrong, "n = 1"}});
  plan.time_bounds["g1_naive"] = {.full = 2, .zero = 1, .points = 4};
  plan.caches = "/caches";
  const json written = to_json(plan);
  CHECK(to_json(plan_from_json(written, "plan.json")) == written);
  const auto refused_after = [&](const std::string& pointer, const json& value) {
    json changed = written;
    changed[json::json_pointer(pointer)] = value;
    return refused([&] { plan_from_json(changed, "plan.json"); });
  };
  CHECK(refused_after("/schema", "gpu-ladder-plan/1")
            .starts_with("plan.json is a plan of \"gpu-ladder-plan/1\""));
  CHECK(refused_after("/kinds/1", "tme")
            .starts_with("plan.json.kinds[1] must be one of correctness, targets,"));
  CHECK(refused_after("/steps/0/ranks", "two") == "plan.json.steps[0].ranks must be an integer");
  CHECK(refused_after("/limits/memory", 1) == "plan.json.limits.memory is not a known field");
}
