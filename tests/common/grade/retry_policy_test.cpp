/// @file
/// A step is run until its verdict is sure.
// Guards: docs/grading.md#verdicts-that-must-repeat

#include "common/grade/retry_policy.hpp"

#include "tests/common/catch.hpp"

using ladder::Verdict;
using ladder::grade::judge_with_retries;
using ladder::grade::verdict_of;
using ladder::grade::where_devices_differ;
using ladder::model::GradedResult;

namespace {

GradedResult judged_as(std::string_view verdict, double points, std::string message = "") {
  GradedResult result;
  result.verdict = ladder::verdict_of(verdict).value();
  result.points = points, result.message = std::move(message);
  return result;
}

std::vector<Verdict> runs_of(const std::vector<std::string>& verdicts) {
  std::vector<Verdict> runs;
  for (const std::string& one : verdicts) runs.push_back(ladder::verdict_of(one).value());
  return runs;
}

/// What counts after these runs; "": another one has to decide.
std::string verdict_after(const std::vector<std::string>& verdicts) {
  const auto verdict = verdict_of(runs_of(verdicts));
  return verdict ? std::string(name(*verdict)) : "";
}

/// A step that gets these verdicts and points in turn, and what counts of them.
struct Runs {
  std::vector<std::pair<std::string, double>> turns;
  std::vector<bool> hung{};
  GradedResult result{};

  explicit Runs(std::vector<std::pair<std::string, double>> given) : turns(std::move(given)) {
    result = judge_with_retries([this](bool hung_before) {
      INFO("run " << hung.size() + 1 << " of a rung that needs " << turns.size());
      REQUIRE(hung.size() < turns.size());
      hung.push_back(hung_before);
      const auto& [verdict, points] = turns[hung.size() - 1];
      return judged_as(verdict, points);
    });
    CHECK(hung.size() == turns.size());
  }
  std::string_view verdict() const { return name(result.verdict); }
  double points() const { return result.points.value(); }
};

}  // namespace

TEST_CASE("a verdict that is not against a rung counts at once") {
  for (const char* verdict : {"PASS", "MISSED", "INCONCLUSIVE", "REVIEW", "SKIPPED", "NOT STARTED"})
    CHECK(verdict_after({verdict}) == verdict);
}

TEST_CASE("WRONG, CRASHED and TIMEOUT count when they come again") {
  for (const char* verdict : {"WRONG", "CRASHED", "TIMEOUT"}) {
    CHECK(verdict_after({verdict}) == "");
    CHECK(verdict_after({verdict, verdict}) == verdict);
  }
}

TEST_CASE("a rung whose races end in one way or another has failed as it did twice") {
  CHECK(verdict_after({"CRASHED", "WRONG"}) == "");
  CHECK(verdict_after({"CRASHED", "WRONG", "CRASHED"}) == "CRASHED");
  CHECK(verdict_after({"CRASHED", "WRONG", "WRONG"}) == "WRONG");
}

TEST_CASE("a rung that does not fail again, or fails in three ways, is for a person to look at") {
  CHECK(verdict_after({"WRONG", "PASS"}) == "REVIEW");
  CHECK(verdict_after({"WRONG", "CRASHED", "MISSED"}) == "REVIEW");
  CHECK(verdict_after({"TIMEOUT", "CRASHED", "WRONG"}) == "REVIEW");
}

TEST_CASE(
    "what a clock could not decide is measured again, up to three times in all, and a repeat never lowers") {
  CHECK(Runs({{"INCONCLUSIVE", 8}, {"PASS", 8}}).verdict() == "PASS");
  const Runs lower({{"INCONCLUSIVE", 8}, {"MISSED", 5}, {"MISSED", 5}});
  CHECK(lower.verdict() == "INCONCLUSIVE");
  CHECK(lower.points() == 8);
  CHECK(lower.result.runs == runs_of({"INCONCLUSIVE", "MISSED", "MISSED"}));
  CHECK(Runs({{"INCONCLUSIVE", 8}, {"INCONCLUSIVE", 8}, {"INCONCLUSIVE", 8}}).verdict() == "INCONCLUSIVE");
}

TEST_CASE("a rung that fails while it is measured again has no points of the favourable end") {
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
  const GradedResult result = judge_with_retries([&](bool) {
    if (turn++ == 0) return judged_as("WRONG", 0, "C[0][3] is 2, expected 4");
    return judged_as("PASS", 0, "right in all cases");
  });
  CHECK(result.message == "its runs differ: WRONG, PASS. WRONG: C[0][3] is 2, expected 4");
}

TEST_CASE("what depends on threads must be right in three runs") {
  // Whole runs, and repeats of the correctness alone.
  const auto judged = [](std::vector<std::string> whole, std::vector<std::string> repeats) {
    std::size_t runs = 0, again = 0;
    GradedResult result = judge_with_retries(
        [&](bool) {
          REQUIRE(runs < whole.size());
          return judged_as(whole[runs++], 8, "whole");
        },
        [&] {
          REQUIRE(again < repeats.size());
          return judged_as(repeats[again++], 4, "repeat");
        });
    CHECK(runs == whole.size());
    CHECK(again == repeats.size());
    return result;
  };
  const GradedResult right = judged({"PASS"}, {"PASS", "PASS"});
  CHECK(right.verdict == Verdict::pass);
  CHECK(right.points == 8);
  CHECK(right.right_runs == 3);
  CHECK(right.runs == runs_of({"PASS"}));
  CHECK(judged({"MISSED"}, {"PASS", "PASS"}).verdict == Verdict::missed);

  const GradedResult wrong = judged({"PASS", "WRONG"}, {"WRONG"});
  CHECK(wrong.verdict == Verdict::wrong);
  CHECK(wrong.message == "whole");  // points and words of a run of everything
  CHECK(!wrong.right_runs);
  const GradedResult once = judged({"PASS", "PASS"}, {"CRASHED"});
  CHECK(once.verdict == Verdict::review);
  CHECK(once.points == 8);
  CHECK(once.message == "its runs differ: PASS, CRASHED, PASS. CRASHED: repeat");
  CHECK(judged({"PASS"}, {"PASS", "WRONG"}).verdict == Verdict::review);
  CHECK(judged({"PASS"}, {"NOT RUN"}).verdict == Verdict::not_run);
  // What failed, or a person looks at, is not repeated as if it were right.
  CHECK(judged({"WRONG", "WRONG"}, {}).verdict == Verdict::wrong);
  CHECK(judged({"REVIEW"}, {}).verdict == Verdict::review);
}

TEST_CASE(
    "a rung that is right on the executor and fails on a GPU, or the other way, is shown with both outputs") {
  const auto on = [](const char* device, const char* verdict, const char* message) {
    GradedResult result = judged_as(verdict, 0, message);
    result.device = device;
    return result;
  };
  const GradedResult right = on("executor", "PASS", "right in all 7 classes"),
                     wrong = on("NVIDIA H200", "WRONG", "n = 64: 3 of 64");
  CHECK(where_devices_differ(right, wrong) ==
        "devices differ. executor: PASS: right in all 7 classes. NVIDIA H200: WRONG: n = 64: 3 of 64");
  CHECK(!where_devices_differ(wrong, right).empty());
  CHECK(!where_devices_differ(on("executor", "MISSED", ""), on("NVIDIA H200", "CRASHED", "")).empty());
  CHECK(where_devices_differ(right, on("NVIDIA H200", "MISSED", "")).empty());
  CHECK(where_devices_differ(on("executor", "WRONG", ""), wrong).empty());
  CHECK(where_devices_differ(right, on("executor", "WRONG", "")).empty());
  CHECK(where_devices_differ(right, on("NVIDIA H200", "SKIPPED", "")).empty());
}
