/// @file
/// A number that was missed, in words that a learner has met.
// Guards: docs/rungs.md#what-the-words-mean

#include "common/tool/judging/missed_text.hpp"

#include "common/base/text/target_text.hpp"
#include "common/trace/metrics.hpp"
#include "tests/common/catch.hpp"

namespace ladder::missed_text_test {

namespace {

model::Target target(const std::string& metric, double measured,
                     const char* relation = "<=", double necessary = 100) {
  return {.metric = metric,
          .relation = relation,
          .bound = 1.1,
          .measured = measured,
          .necessary = "n launches",
          .amount = measured * necessary,
          .necessary_amount = necessary,
          .verdict = Verdict::missed,
          .points = 1.25,
          .max_points = 4};
}

}  // namespace

TEST_CASE("missed: each metric has a sentence without signs and points") {
  for (const Metric& metric : all_metrics()) {
    for (const char* relation : {"<=", ">="}) {
      const std::string text = missed_sentence(target(metric.name, 4.5, relation));
      INFO(metric.name << ": " << text);
      CHECK(text.find("4.5") != std::string::npos);
      CHECK(text.find("1.1") != std::string::npos);
      for (const char* sign : {"_", "<=", ">=", "points", " of "})
        CHECK(text.find(sign) == std::string::npos);
    }
  }
  CHECK(missed_sentence(target("sectors", 4.5)) == "it moves 4.5 times the data it needs (limit 1.1)");
  CHECK(missed_sentence(target("launches", 4.5)) == "launches: 4.5 times as many as necessary (limit 1.1)");
  CHECK(missed_sentence(target("barriers:fft_lines", 2)).starts_with("barriers in fft_lines: 2 times"));
  CHECK(missed_sentence(target("chain", 3, "<=", 1)) == "chain: 3 (limit 1.1)");
  CHECK(missed_sentence(target("balance", 0.4, ">=", 1)) == "balance: 0.4, where at least 1.1 is wanted");
  CHECK(missed_sentence(target("local_bytes", 48, "<=", 0)).find("where none is necessary") !=
        std::string::npos);
}

TEST_CASE("missed: the numbers for points have lines of their own") {
  model::StepResult step;
  step.verdict = Verdict::missed;
  step.message = "right in all 7 classes; sectors 450 of 100 necessary: 4.5x";
  step.points = 5.25;
  step.max_points = 8;
  step.targets = {target("sectors", 4.5), target("launches", 2)};
  CHECK(missed_message(step) ==
        "right in all 7 classes, but it moves 4.5 times the data it needs (limit 1.1); launches: 2 times as "
        "many as "
        "necessary (limit 1.1)");
  const auto blocks = missed_numbers(step);
  REQUIRE(blocks.size() == 3);
  CHECK(blocks[0].first == "Points");
  CHECK(blocks[0].second.starts_with("5.25 of 8 for the rung, 1.25 of 4 for sectors; the next point at "));
  CHECK(blocks[1] ==
        std::pair<std::string, std::string>("Counted", "450 sectors; 100 are necessary (n launches)"));
  step.verdict = Verdict::pass;
  CHECK(missed_message(step) == "");
  CHECK(missed_numbers(step).empty());
  step.verdict = Verdict::missed, step.targets.clear();
  CHECK(missed_message(step) == "");  // by time: the race says it
}

TEST_CASE("missed: an amount is named by what it is a number of, also where the metric is a quotient") {
  for (const auto& [metric, things] : {std::pair{"sectors per flop", "sectors"},
                                       {"sectors_per_flop", "sectors"},
                                       {"wavefronts per fma:multiply", "wavefronts:multiply"},
                                       {"requests per byte", "requests"},
                                       {"most_barriers", "most_barriers"},
                                       {"sweeps:fft_lines", "sweeps:fft_lines"}})
    CHECK(things_of(metric) == things);
  CHECK(target_sentence("sectors per flop", 540672, 278528, "n^3", 1.941, "<=", 1.1) ==
        "sectors 540,672 of 278,528 necessary (n^3): 1.94x, limit 1.1x");
  CHECK(target_sentence("chain", 8, 10, "1", 0.8, ">=", 0.85) ==
        "chain 8 of 10 necessary (1): 0.8x, at least 0.85x");
  model::StepResult step;
  step.verdict = Verdict::missed;
  step.targets = {target("wavefronts per fma:multiply", 4.5)};
  CHECK(missed_numbers(step).back().second == "450 wavefronts in multiply; 100 are necessary (n launches)");
}

}  // namespace ladder::missed_text_test
