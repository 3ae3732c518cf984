/// @file
/// A step is run until its verdict is sure.
// Guards: docs/grading.md#verdicts-that-must-repeat

#include "common/grade/retry_policy.hpp"

#include "tests/common/catch.hpp"

using ladder::grade::judge_with_retries;
using ladder::grade::verdict_of;
using ladder::grade::where_devices_differ;
using nlohmann::json;

namespace {

/// A step that gets these verdicts and points in turn, and what counts of them.
struct Runs {
  std::vector<std::pair<std::string, double>> turns;
  std::vector<bool> hung{};
  json result{};

  explicit Runs(std::vector<std::pair<std::string, double>> given) : turns(std::move(given)) {
    result = judge_with_retries([this](bool hung_before) {
      INFO("run " << hung.size() + 1 << " of a step that needs " << turns.size());
      REQUIRE(hung.size() < turns.size());
      hung.push_back(hung_before);
      const auto& [verdict, points] = turns[hung.size() - 1];
      return json{{"verdict", verdict}, {"points", points}};
    });
    CHECK(hung.size() == turns.size());
  }
  std::string verdict() const { return result["verdict"]; }
  double points() const { return result["points"]; }
};

}  // namespace

TEST_CASE("a verdict that is not against a step counts at once") {
  for (const char* verdict : {"PASS", "MISSED", "INCONCLUSIVE", "REVIEW", "SKIPPED", "NOT STARTED"})
    CHECK(verdict_of({verdict}) == verdict);
}

TEST_CASE("WRONG, CRASHED and TIMEOUT count when they come again") {
  for (const char* verdict : {"WRONG", "CRASHED", "TIMEOUT"}) {
    CHECK(verdict_of({verdict}) == "");
    CHECK(verdict_of({verdict, verdict}) == verdict);
  }
}

TEST_CASE("a step whose races end in one way or another has failed as it did twice") {
  CHECK(verdict_of({"CRASHED", "WRONG"}) == "");
  CHECK(verdict_of({"CRASHED", "WRONG", "CRASHED"}) == "CRASHED");
  CHECK(verdict_of({"CRASHED", "WRONG", "WRONG"}) == "WRONG");
}

TEST_CASE("a step that does not fail again, or fails in three ways, is for a person to look at") {
  CHECK(verdict_of({"WRONG", "PASS"}) == "REVIEW");
  CHECK(verdict_of({"WRONG", "CRASHED", "MISSED"}) == "REVIEW");
  CHECK(verdict_of({"TIMEOUT", "CRASHED", "WRONG"}) == "REVIEW");
}

TEST_CASE(
    "what a clock could not decide is measured again, up to three times in all, and a repeat never lowers") {
  CHECK(Runs({{"INCONCLUSIVE", 8}, {"PASS", 8}}).verdict() == "PASS");
  const Runs lower({{"INCONCLUSIVE", 8}, {"MISSED", 5}, {"MISSED", 5}});
  CHECK(lower.verdict() == "INCONCLUSIVE");
  CHECK(lower.points() == 8);
  CHECK(lower.result["runs"] == json{"INCONCLUSIVE", "MISSED", "MISSED"});
  CHECK(Runs({{"INCONCLUSIVE", 8}, {"INCONCLUSIVE", 8}, {"INCONCLUSIVE", 8}}).verdict() == "INCONCLUSIVE");
}

TEST_CASE("a step that fails while it is measured again has no points of the favourable end") {
  const Runs wrong({{"INCONCLUSIVE", 8}, {"WRONG", 1}, {"WRONG", 1}});
  CHECK(wrong.verdict() == "WRONG");
  CHECK(wrong.points() == 1);
  CHECK(Runs({{"INCONCLUSIVE", 8}, {"CRASHED", 0}, {"PASS", 8}}).verdict() == "REVIEW");
  CHECK(Runs({{"INCONCLUSIVE", 8}, {"INCONCLUSIVE", 8}, {"WRONG", 1}}).verdict() == "REVIEW");
  CHECK(Runs({{"INCONCLUSIVE", 8}, {"REJECTED", 0}}).verdict() == "REJECTED");
}

TEST_CASE("a run after one that did not end is told so; a judge that fails ends all") {
  CHECK(Runs({{"TIMEOUT", 0}, {"TIMEOUT", 0}}).hung == std::vector<bool>{false, true});
  CHECK(Runs({{"WRONG", 0}, {"NOT RUN", 0}}).verdict() == "NOT RUN");
}

TEST_CASE("runs that differ are told to who decides, with what went wrong") {
  int turn = 0;
  const json result = judge_with_retries([&](bool) {
    if (turn++ == 0) return json{{"verdict", "WRONG"}, {"message", "C[0][3] is 2, expected 4"}};
    return json{{"verdict", "PASS"}, {"message", "right in all cases"}};
  });
  CHECK(result["message"] == "its runs differ: WRONG, PASS. WRONG: C[0][3] is 2, expected 4");
}

TEST_CASE("what depends on threads must be right in three runs") {
  // Whole runs, and repeats of the correctness alone.
  const auto judged = [](std::vector<std::string> whole, std::vector<std::string> repeats) {
    std::size_t runs = 0, again = 0;
    json result = judge_with_retries(
        [&](bool) {
          REQUIRE(runs < whole.size());
          return json{{"verdict", whole[runs++]}, {"points", 8}, {"message", "whole"}};
        },
        [&] {
          REQUIRE(again < repeats.size());
          return json{{"verdict", repeats[again++]}, {"points", 4}, {"message", "repeat"}};
        });
    CHECK(runs == whole.size());
    CHECK(again == repeats.size());
    return result;
  };
  const json right = judged({"PASS"}, {"PASS", "PASS"});
  CHECK(right["verdict"] == "PASS");
  CHECK(right["points"] == 8);
  CHECK(right["right_runs"] == 3);
  CHECK(right["runs"] == json{"PASS"});
  CHECK(judged({"MISSED"}, {"PASS", "PASS"})["verdict"] == "MISSED");

  const json wrong = judged({"PASS", "WRONG"}, {"WRONG"});
  CHECK(wrong["verdict"] == "WRONG");
  CHECK(wrong["message"] == "whole");  // points and words of a run of everything
  CHECK(!wrong.contains("right_runs"));
  const json once = judged({"PASS", "PASS"}, {"CRASHED"});
  CHECK(once["verdict"] == "REVIEW");
  CHECK(once["points"] == 8);
  CHECK(once["message"] == "its runs differ: PASS, CRASHED, PASS. CRASHED: repeat");
  CHECK(judged({"PASS"}, {"PASS", "WRONG"})["verdict"] == "REVIEW");
  CHECK(judged({"PASS"}, {"NOT RUN"})["verdict"] == "NOT RUN");
  // What failed, or a person looks at, is not repeated as if it were right.
  CHECK(judged({"WRONG", "WRONG"}, {})["verdict"] == "WRONG");
  CHECK(judged({"REVIEW"}, {})["verdict"] == "REVIEW");
}

TEST_CASE(
    "a step that is right on the executor and fails on a GPU, or the other way, is shown with both outputs") {
  const auto on = [](const char* device, const char* verdict, const char* message) {
    return json{{"device", device}, {"verdict", verdict}, {"message", message}};
  };
  const json right = on("executor", "PASS", "right in all 7 classes"),
             wrong = on("NVIDIA H200", "WRONG", "n = 64: 3 of 64");
  CHECK(where_devices_differ(right, wrong) ==
        "devices differ. executor: PASS: right in all 7 classes. NVIDIA H200: WRONG: n = 64: 3 of 64");
  CHECK(!where_devices_differ(wrong, right).empty());
  CHECK(!where_devices_differ(on("executor", "MISSED", ""), on("NVIDIA H200", "CRASHED", "")).empty());
  CHECK(where_devices_differ(right, on("NVIDIA H200", "MISSED", "")).empty());
  CHECK(where_devices_differ(on("executor", "WRONG", ""), wrong).empty());
  CHECK(where_devices_differ(right, on("executor", "WRONG", "")).empty());
  CHECK(where_devices_differ(right, on("NVIDIA H200", "SKIPPED", "")).empty());
  CHECK(where_devices_differ(json(), wrong).empty());
}
