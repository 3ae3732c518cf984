/// @file
/// Two results next to each other: what no clock measured has to be the same.
// Guards: docs/grading-parity.md#the-same-again

#include "common/report/results/comparison.hpp"

#include "tests/common/catch.hpp"

using ladder::report::compare;
using ladder::report::Comparison;
using nlohmann::json;

namespace {

json step(const std::string& name) {
  return {{"lesson", "07-toy"},
          {"name", name},
          {"tree", "solutions"},
          {"verdict", "PASS"},
          {"points", 8},
          {"max_points", 8},
          {"cases", {{{"class", "general"}, {"passed", 5}, {"of", 5}}}},
          {"kinds",
           {{{"kind", "correctness"}, {"verdict", "PASS"}, {"message", "right"}},
            {{"kind", "findings"}, {"verdict", "PASS"}, {"message", ""}}}},
          {"targets",
           {{{"metric", "sectors"}, {"verdict", "PASS"}, {"measured", 1.5}, {"amount", 96}, {"points", 4}}}}};
}

json document(const json& steps) {
  return {
      {"schema", "gpu-ladder/3"}, {"verb", "check"}, {"lessons", {{{"name", "07-toy"}, {"steps", steps}}}}};
}

std::string only(const json& a, const json& b) {
  const Comparison found = compare(document(json::array({a})), document(json::array({b})));
  REQUIRE(found.differences.size() == 1);
  const auto& d = found.differences[0];
  return d.step + ": " + d.what + ": " + d.a + " | " + d.b;
}

}  // namespace

TEST_CASE("two results: the same, whatever the clock says") {
  json a = step("g1"), b = step("g1");
  CHECK(compare(document(json::array({a})), document(json::array({b}))).differences.empty());
  for (json* s : {&a, &b})
    (*s)["kinds"].push_back({{"kind", "time"}, {"verdict", s == &a ? "PASS" : "MISSED"}, {"message", ""}});
  b["time"] = {{"median", 2}};
  b["verdict"] = "MISSED";
  b["points"] = 6;
  json balance = {{"metric", "balance"}, {"verdict", "PASS"}, {"measured", 1.001}, {"points", 4}};
  a["targets"].push_back(balance);
  balance["measured"] = 1.002;
  b["targets"].push_back(balance);
  const Comparison found =
      compare(document(json::array({a, step("g2")})), document(json::array({b, step("g2")})));
  CHECK(found.differences.empty());
  CHECK(found.steps == 2);
}

TEST_CASE("two results: a counter, a verdict, a case, points and a finding that differ are told") {
  json b = step("g1");
  b["targets"][0]["amount"] = 97;
  CHECK(only(step("g1"), b) == "07-toy/g1 solutions: targets: sectors, amount: 96 | 97");
  b = step("g1");
  b["verdict"] = "REVIEW";
  CHECK(only(step("g1"), b) == "07-toy/g1 solutions: verdict: PASS | REVIEW");
  b = step("g1");
  b["cases"][0]["passed"] = 4;
  CHECK(only(step("g1"), b) == "07-toy/g1 solutions: cases: general: 5 of 5 | 4 of 5");
  b = step("g1");
  b["points"] = 7;
  CHECK(only(step("g1"), b) == "07-toy/g1 solutions: points: 8 | 7");
  b = step("g1");
  b["kinds"][1]["message"] = "a race in line 12";
  CHECK(only(step("g1"), b) == "07-toy/g1 solutions: findings, message:  | a race in line 12");
}

TEST_CASE("two results: mutants are told apart, and one that only one file has is a difference") {
  json a = step("g1"), b = step("g1"), other = step("g1");
  a["mutant"] = b["mutant"] = "no barrier";
  other["mutant"] = "one less";
  const Comparison found = compare(document(json::array({a, other})), document(json::array({b})));
  CHECK(found.steps == 1);
  REQUIRE(found.differences.size() == 1);
  CHECK(found.differences[0].step == "07-toy/g1 solutions one less");
  CHECK(found.differences[0].b == "-");
}

TEST_CASE("two results: records of grade are compared like results") {
  json a = {{"schema", "gpu-ladder-grade/1"}, {"steps", json::array({step("g1")})}}, b = a;
  CHECK(compare(a, b).differences.empty());
  b["steps"][0]["points"] = 0;
  CHECK(compare(a, b).differences.size() == 1);
}
