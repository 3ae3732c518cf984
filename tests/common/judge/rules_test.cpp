// The rules that turn numbers into verdicts, against values worked by hand.
// Guards: docs/rungs.md#what-the-words-mean, docs/measuring.md#what-a-number-means

#include <cmath>
#include <string>
#include <vector>

#include "common/base/costs.hpp"
#include "common/base/points.hpp"
#include "common/base/random.hpp"
#include "common/base/statistics.hpp"
#include "common/base/verdict.hpp"
#include "common/judge/session/session.hpp"
#include "common/judge/target_rules.hpp"
#include "common/judge/timing/time_rules.hpp"
#include "tests/common/catch.hpp"

using namespace ladder;

TEST_CASE("the median and its interval") {
  CHECK(median({}) == 0);
  CHECK(median({3, 1, 2}) == 2);
  CHECK(median({4, 1, 2, 3}) == 2.5);
  // 15 values: the 4th smallest to the 4th largest hold the median with 96.5 %.
  std::vector<double> fifteen;
  for (int i = 1; i <= 15; ++i) fifteen.push_back(i);
  const Interval wide = median_interval(fifteen);
  CHECK(wide.median == 8);
  CHECK(wide.low == 4);
  CHECK(wide.high == 12);
  const Interval five = median_interval({5, 1, 4, 2, 3});  // too few for 95 %: all of them
  CHECK(five.low == 1);
  CHECK(five.high == 5);
}

TEST_CASE("an interval within one percent of its median is narrow") {
  CHECK(is_narrow({2, 1.99, 2.01, 6}));
  CHECK_FALSE(is_narrow({2, 1.98, 2.01, 6}));
  CHECK_FALSE(is_narrow({2, 2, 2.1, 6}));
  CHECK_FALSE(is_narrow({}));  // of nothing
}

TEST_CASE("a bound on a ratio is decided, or left open") {
  const Interval quiet{1, 0.99, 1.01, 15}, noisy{1, 0.90, 1.10, 15};
  CHECK(decide({2.0, 1.9, 2.1, 15}, 1.5, quiet) == Decision::met);
  CHECK(decide({1.0, 0.9, 1.1, 15}, 1.5, quiet) == Decision::not_met);
  CHECK(decide({1.5, 1.4, 1.6, 15}, 1.5, quiet) == Decision::open);    // the interval spans it
  CHECK(decide({1.6, 1.58, 1.62, 15}, 1.5, noisy) == Decision::open);  // the machine cannot tell 7 % apart
  CHECK(decide({1.6, 1.58, 1.62, 15}, 1.5, quiet) == Decision::met);
  CHECK(decide({1.0, 0.9, 1.1, 15}, 1.5, quiet, 0.5) ==
        Decision::open);  // on a busy machine nobody is found too slow
  CHECK(decide({2.0, 1.9, 2.1, 15}, 1.5, quiet, 0.5) == Decision::met);
}

TEST_CASE(
    "points of time between two bounds: logarithmic, and those of a row's own bound are the same curve") {
  CHECK(points_between(0.5, 1, 4, 6) == 0);
  CHECK(points_between(1, 1, 4, 6) == 0);
  CHECK(points_between(2, 1, 4, 6) == Approx(3));  // half way, in factors
  CHECK(points_between(4, 1, 4, 6) == 6);
  CHECK(points_between(9, 1, 4, 6) == 6);
  CHECK(points_between(std::nan(""), 1, 4, 6) == 0);
  for (const double ratio : {0.1, 0.2, 0.9, 1.25, 2.0})
    CHECK(points_between(ratio, 1.25 / no_points_factor, 1.25, 2) ==
          Approx(points_for(ratio, ">=", 1.25, 2)).margin(1e-12));
}

TEST_CASE("bounds of a machine count instead of a row's own, and the row stays as it is") {
  static const Step row{.file = "c1_openmp.cpp",
                        .idea = "",
                        .time = {.peer = "baseline", .ratio = 1.25},
                        .points = {.time = 2}};
  TimeResult time;
  time.ratio["baseline"] = {1.4, 1.35, 1.45, 15};
  time.noise = {1, 0.99, 1.01, 15};
  const CalibratedTime bounds{.full = 1.5, .zero = 1, .points = 3};
  const Step& here = calibrated(row, bounds);
  CHECK(row.time.ratio == 1.25);
  CHECK_FALSE(misses_bound(time, row));
  CHECK(misses_bound(time, here));
  CHECK(&calibrated(row, bounds) == &here);
  CHECK(here.points.time == 3);
  static const Step shown{
      .file = "c2.cpp", .idea = "", .time = {.peer = "baseline", .ratio = 1.25}, .points = {.time = 2}};
  CHECK_FALSE(misses_bound(time, calibrated(shown, {})));  // measured, and nothing decided
}

TEST_CASE("a library of CUDA decides about a row, whatever a lesson with OpenCL rungs calls it") {
  static const Step row{
      .file = "t3_x.cu", .idea = "", .time = {.peer = "cuSOLVER", .ratio = 0.8}, .points = {.time = 2}};
  TimeResult time;
  time.noise = {1, 0.99, 1.01, 15};
  time.ratio["cuSOLVER (CUDA)"] = {0.5, 0.45, 0.55, 15};
  CHECK(misses_bound(time, row));
  time.ratio["cuSOLVER (CUDA)"] = {1.1, 1.05, 1.15, 15};
  CHECK_FALSE(misses_bound(time, row));
}

TEST_CASE("a call that waits for a core goes on, and one whose own threads wait for each other does not") {
  const CallSoFar alone{.limit = 3, .late = 0, .waited = 0, .processor_seconds = 3, .cores = 4};
  CHECK(has_had_its_time(alone));
  CallSoFar busy = alone;
  busy.waited = 2.5;
  CHECK_FALSE(has_had_its_time(busy));
  busy.late = 2.5;
  CHECK(has_had_its_time(busy));
  busy = {.limit = 3, .late = 8.9, .waited = 100, .processor_seconds = 3, .cores = 4};
  CHECK_FALSE(has_had_its_time(busy));
  busy.late = 9;  // whatever happens
  CHECK(has_had_its_time(busy));
  CallSoFar spins{.limit = 3, .late = 0, .waited = 100, .processor_seconds = 12, .cores = 4};
  CHECK(has_had_its_time(spins));
  CHECK(has_used_its_processors(spins));
  spins.processor_seconds = 11.9;
  CHECK_FALSE(has_had_its_time(spins));
  spins = {.limit = 3, .late = -0.1, .waited = 0, .processor_seconds = 12, .cores = 4};
  CHECK_FALSE(has_had_its_time(spins));
}

TEST_CASE("late work: more than half of the calls keep the harness longer than 1 ms and three times a peer") {
  CHECK_FALSE(works_late({}, 0));
  CHECK_FALSE(works_late({0.0009, 0.0008, 0.0009}, 0));
  CHECK(works_late({0.0011, 0.0012, 0.0001}, 0));
  CHECK_FALSE(works_late({0.0011, 0.0001}, 0));  // half of them
  CHECK_FALSE(works_late({0.0039, 0.0039, 0.0039}, 0.001));
  CHECK(works_late({0.0041, 0.0041, 0.0041}, 0.001));
}

TEST_CASE("the ceiling that binds, and the floor below which no rung is that does its work") {
  const Ceilings device{.fp64 = 1e12,
                        .memory = 1e11,
                        .cache = 1e12,
                        .cache_bytes = 1e6,
                        .to_device = 1e10,
                        .from_device = 1e10};
  const auto near = [](double value) { return Approx(value); };
  const TimeLowerBound product = time_lower_bound({.fp64 = 2e9, .bytes = 24e6}, {}, device);
  CHECK(product.binding.ceiling == "FP64");
  CHECK(product.binding.seconds == near(2e-3));
  CHECK(product.floor == near(1.8e-3));
  CHECK(time_lower_bound({.fp64 = 2e9}, {}, {.fp64 = 1e12, .fp64_tensor = true}).binding.ceiling ==
        "FP64 tensor");

  // What a row names as its own ceiling: vector units next to tensor cores, or the bytes of its plan.
  const Ceilings tensor{.fp64 = 2e12,
                        .fp64_tensor = true,
                        .fp64_vector = 1e12,
                        .memory = 1e11,
                        .cache = 1e12,
                        .cache_bytes = 1e6};
  const Work sums{.fp64 = 2e9, .bytes = 24e6};
  const Step plain{.file = "", .idea = ""}, vectors{.file = "", .idea = "", .matrix_products = false},
      streams{.file = "", .idea = "", .bytes_per_flop = 8};
  CHECK(own_ceiling(plain, sums, tensor).ceiling.empty());
  CHECK(own_ceiling(vectors, sums, tensor).ceiling == "FP64");
  CHECK(own_ceiling(vectors, sums, tensor).seconds == near(2e-3));
  CHECK(own_ceiling(vectors, {.fp64 = 2e9, .bytes = 1e9}, tensor).ceiling == "memory");
  CHECK(own_ceiling(vectors, sums, {.fp64 = 2e12}).ceiling.empty());
  CHECK(own_ceiling(streams, sums, tensor).ceiling == "memory");
  CHECK(own_ceiling(streams, sums, tensor).seconds == near(160e-3));
  CHECK(own_ceiling(streams, {.fp64 = 2e9, .bytes = 5e5}, tensor).ceiling == "cache");

  // 24 MB of an array: half of what the cache holds may have been there, and as much may stay there.
  const TimeLowerBound sweep = time_lower_bound({.bytes = 24e6}, {}, device);
  CHECK(sweep.binding.ceiling == "memory");
  CHECK(sweep.binding.seconds == near(240e-6));
  CHECK(sweep.floor == near(0.9 * 220e-6));
  CHECK(time_lower_bound({.bytes = 24e6, .passes = 3}, {}, device).floor == near(0.9 * 660e-6));

  // What the cache holds is judged by the cache alone: a right program is not faster than that.
  const TimeLowerBound small = time_lower_bound({.bytes = 1e6}, {}, device);
  CHECK(small.binding.ceiling == "cache");
  CHECK(small.floor == near(0.9e-6));
  // A little more than it holds: by memory is what is shown, but what is certain is only the cache.
  const TimeLowerBound between = time_lower_bound({.bytes = 1.5e6}, {}, device);
  CHECK(between.binding.ceiling == "memory");
  CHECK(between.floor == near(0.9 * 1.5e-6));

  const TimeLowerBound copied =
      time_lower_bound({.bytes = 1e6}, {.to_device = 1e6, .from_device = 2e6}, device);
  CHECK(copied.binding.ceiling == "link from the device");
  CHECK(copied.floor == near(180e-6));  // both ways at once

  CHECK(time_lower_bound({.fp64 = 1, .none = "CPU and GPU share the work"}, {}, device).floor == 0);
  CHECK(time_lower_bound({.bytes = 24e6}, {}, {.fp64 = 1e12}).reason.find("./ladder doctor") !=
        std::string::npos);
  CHECK(time_lower_bound({.integer = 5}, {}, device).reason != "");
}

TEST_CASE("a cost is the ratio of calls of one round, with its spread, met from below") {
  std::vector<CostRound> rounds;
  for (const double slow : {1.0, 2.0, 4.0})  // the machine slows down: ratios stay
    rounds.push_back({.reference = {.wall = 8 * slow, .processor = slow},
                      .again = {.wall = 8 * slow, .processor = slow},
                      .measured = {.wall = 4 * slow, .processor = 2 * slow}});
  rounds[1].measured.processor = 5;  // 2.5 times
  const nlohmann::json met = cost_of(rounds, 3, 0.05);
  CHECK(met["bound"] == 3);
  CHECK(met["rounds"] == 3);
  CHECK(met["foreign_load"] == 0.05);
  CHECK(met["processor"]["reference"]["median"] == 2);
  CHECK(met["processor"]["measured"]["high"] == 8);
  CHECK(met["processor"]["ratio"]["median"] == 2);
  CHECK(met["processor"]["ratio"]["low"] == 2);
  CHECK(met["processor"]["ratio"]["high"] == 2.5);
  CHECK(met["processor"]["noise"]["high"] == 1);
  CHECK(met["processor"]["decision"] == "met");
  CHECK(met["wall"]["ratio"]["median"] == 0.5);
  CHECK(cost_of(rounds, 2.2, 0)["processor"]["decision"] == "open");  // the interval spans it
  CHECK(cost_of(rounds, 1.5, 0)["processor"]["decision"] == "not met");
  CHECK(cost_of(rounds, 1.5, 0.5)["processor"]["decision"] == "open");  // on a busy machine
  rounds[0].again.processor = 1.6;
  CHECK(cost_of(rounds, 3, 0)["processor"]["decision"] == "open");  // the machine differs from itself by 60 %
}

TEST_CASE("rounds of a cost: five at least, as many as fit") {
  CHECK(cost_rounds(100, 20, 15) == 5);
  CHECK(cost_rounds(2.5, 20, 15) == 8);
  CHECK(cost_rounds(0, 20, 15) == 15);
}

TEST_CASE("points fall with the logarithm of the ratio") {
  CHECK(points_for(1.0, "<=", 1.1, 4) == 4);
  CHECK(points_for(8.0, "<=", 1.1, 4) == Approx(0).margin(1e-9));
  CHECK(points_for(3.67, "<=", 1.1, 4) == Approx(1.57).margin(0.01));
  CHECK(points_for(100, "<=", 1.1, 4) == 0);
  CHECK(points_for(0.5, ">=", 0.5, 2) == 2);
  CHECK(points_for(0.25, ">=", 0.5, 2) < 2);
  CHECK(points_for(std::nan(""), "<=", 1.1, 4) == 0);
  CHECK(points_for(0, "<=", 1.1, 4) == 0);  // less than nothing was moved: nobody is paid for a broken meter
  CHECK(ratio_of_next_point(1.57, "<=", 1.1, 4) == Approx(1.1 * std::pow(8 / 1.1, 0.5)));
}

TEST_CASE("two targets of a row have half of the points each") {
  Step row{.file = "g1_two.cu", .idea = "", .targets = {{.metric = "chain"}, {.metric = "bytes"}}};
  const std::vector<const Target*> both = targets_of(row);
  REQUIRE(both.size() == 2);
  CHECK(unmeasured(row, *both[0]).metric == "chain");
  CHECK(unmeasured(row, *both[1]).metric == "bytes");
  CHECK(unmeasured(row, *both[0]).max_points == 2);
  CHECK(unmeasured(row, *both[1]).max_points == 2);
  row.targets[1] = {};
  REQUIRE(targets_of(row).size() == 1);
  CHECK(unmeasured(row, *targets_of(row)[0]).max_points == 4);
  row.targets[0] = {};
  CHECK(targets_of(row).empty());
}

TEST_CASE("between GPUs no chain and no path through messages is measured") {
  PlannedStep step;
  step.backend = "cuda";
  const Step row{.file = "m1_two.cu", .ranks = 2};
  for (const char* metric : {"chain", "path"})
    CHECK(measurement_of(step, row, {.metric = metric}).skip.starts_with("the order of NCCL's messages"));
}

TEST_CASE("of two verdicts the one of more weight counts, for every pair") {
  using enum Verdict;
  constexpr Verdict by_weight[] = {pass,  skipped, inconclusive, missed,      review,   not_started,
                                   wrong, timeout, crashed,      build_error, rejected, not_run};
  STATIC_REQUIRE(std::size(by_weight) == verdict_names.size());
  for (std::size_t a = 0; a < std::size(by_weight); ++a)
    for (std::size_t b = 0; b < std::size(by_weight); ++b) {
      CAPTURE(name(by_weight[a]), name(by_weight[b]));
      CHECK(worse(by_weight[a], by_weight[b]) == by_weight[std::max(a, b)]);
    }
  for (const auto text : verdict_names) CHECK(name(*verdict_of(text)) == text);
  CHECK(!verdict_of("FINE"));
}

namespace {

/// A row's targets, each with the verdict that it gets for itself. @return the report's verdict and message
std::pair<Verdict, std::string> together(const std::vector<std::pair<Verdict, std::string>>& targets) {
  const PlannedStep step;
  TestReport report(step, TestKind::targets);
  for (const auto& [verdict, said] : targets)
    judge_alone(report, TargetResult{},
                [&, &verdict = verdict, &said = said](TargetResult&) { report.set(verdict, said); });
  return {report.verdict(), report.message()};
}

}  // namespace

TEST_CASE("each target of a row has its verdict, and a worse one is never hidden") {
  using enum Verdict;
  using Said = std::pair<Verdict, std::string>;
  CHECK(together({{missed, "bytes 3x"}, {wrong, "race"}}) == Said(wrong, "race; bytes 3x"));
  CHECK(together({{skipped, "bytes not measured"}, {wrong, "race"}}) ==
        Said(wrong, "race; bytes not measured"));
  CHECK(together({{pass, "bytes 1x"}, {skipped, "chain not measured"}}) ==
        Said(skipped, "chain not measured; bytes 1x"));
  CHECK(together({{wrong, "n = 1: wrong"}, {wrong, "n = 1: wrong"}}) == Said(wrong, "n = 1: wrong"));
  CHECK(together({}) == Said(pass, ""));
}

TEST_CASE("a target that ends badly is the verdict of that target, with no points") {
  const PlannedStep step;
  TestReport report(step, TestKind::targets);
  const auto crash = [](TargetResult&) { throw Failure{Verdict::crashed, "signal 11", {}}; };
  TargetResult two_points;
  two_points.points = two_points.max_points = 2;
  CHECK_NOTHROW(judge_alone(report, two_points, crash));
  CHECK(report.verdict() == Verdict::crashed);
  REQUIRE(report.targets().size() == 1);
  CHECK(report.targets()[0].verdict == Verdict::crashed);
  CHECK(report.targets()[0].points == 0);
}

TEST_CASE("balance that unequal cores explain is INCONCLUSIVE, with the points of the favourable end") {
  const PlannedStep step;
  const auto judged = [&](double amount, double equal_work) {
    TestReport report(step, TestKind::targets);
    TargetResult target;
    target.metric = "balance", target.relation = "<=", target.bound = 1.2, target.max_points = 4;
    judge_target(target, amount, 1, equal_work, report);
    return std::pair(report.verdict(), target.points == target.max_points);
  };
  CHECK(judged(1.1, 1.0) == std::pair(Verdict::pass, true));
  CHECK(judged(1.5, 1.0) == std::pair(Verdict::missed, false));
  CHECK(judged(1.5, 1.4) == std::pair(Verdict::inconclusive, true));
  CHECK(judged(1.9, 1.4) == std::pair(Verdict::missed, false));
}

namespace {

/// @param all_kernels  of kernels of all names, where the row counts those of one
std::pair<Verdict, std::string> judged_work(const char* metric, double amount, double floor,
                                            double all_kernels = 0) {
  const PlannedStep step;
  TestReport report(step, TestKind::targets);
  TargetResult target;
  target.metric = metric, target.relation = "<=", target.bound = 1.2, target.work = true;
  target.floor = floor, target.all_kernels = all_kernels;
  target.max_points = 4;
  judge_target(target, amount, 100, 0, report);
  CHECK(target.points == 4);
  return {report.verdict(), report.message()};
}

}  // namespace

TEST_CASE(
    "less than the reference needs is PASS with a remark by how much; less than the proved floor is REVIEW") {
  CHECK(judged_work("sectors", 100, 100).first == Verdict::pass);
  CHECK(judged_work("sectors", 100, 0).second.find("less") == std::string::npos);
  CHECK(judged_work("sectors", 99, 100).first == Verdict::review);  // its floor is the amount itself
  const auto clever = judged_work("atomics", 50, 10);
  CHECK(clever.first == Verdict::pass);
  CHECK(clever.second.ends_with("   50 % less than the reference needs"));
  CHECK(judged_work("atomics", 9, 10).first == Verdict::review);
  CHECK(judged_work("atomics", 9, 10).second.ends_with("   less than the necessary amount"));
  CHECK(judged_work("sectors", 0, 10).second.ends_with("   no work was seen"));
  CHECK(judged_work("atomics", 0, 0).first == Verdict::pass);  // nothing says that there must be one
}

TEST_CASE(
    "less in kernels of one name is a remark only where all kernels together need no more than is stated") {
  CHECK(judged_work("sectors:update", 60, 0, 90).first == Verdict::pass);
  CHECK(judged_work("sectors:update", 60, 0, 130).first == Verdict::review);
  CHECK(judged_work("sectors:update", 100, 0, 500).first == Verdict::pass);
  CHECK(judged_work("sectors:update", 0, 0, 0).first == Verdict::review);  // no kernel has this name
}

TEST_CASE("a bound on time is met, missed, or open where the interval or the noise spans it") {
  const Step row{
      .file = "c1_x.cpp", .idea = "", .time = {.peer = "baseline", .ratio = 1}, .points = {.time = 2}};
  const PlannedStep step;
  const auto judged = [&](double low, double median, double high, double noise) {
    TimeResult time;
    time.ratio["baseline"] = {.median = median, .low = low, .high = high, .count = 15};
    time.noise = {.median = 1, .low = 1 - noise, .high = 1 + noise, .count = 15};
    TestReport report(step, TestKind::time);
    judge_time_bound(time, row, report);
    return report.verdict();
  };
  CHECK(judged(1.1, 1.2, 1.3, 0.01) == Verdict::pass);
  CHECK(judged(0.7, 0.8, 0.9, 0.01) == Verdict::missed);
  CHECK(judged(0.9, 1.0, 1.1, 0.01) == Verdict::inconclusive);
  CHECK(judged(1.02, 1.05, 1.08, 0.3) == Verdict::inconclusive);
  CHECK(judged(0.92, 0.95, 0.98, 0.3) == Verdict::inconclusive);

  // Why it is open: other programs, where they used more than a tenth of the machine, else the machine
  // itself.
  const auto said = [&](double load) {
    TimeResult time;
    time.ratio["baseline"] = {.median = 0.8, .low = 0.7, .high = load > 0 ? 0.9 : 1.1, .count = 15};
    time.noise = {.median = 1, .low = 0.98, .high = 1.02, .count = 15};
    time.foreign_load = load;
    TestReport report(step, TestKind::time);
    judge_time_bound(time, row, report);
    CHECK(report.verdict() == Verdict::inconclusive);
    return report.message();
  };
  CHECK(said(0.45).ends_with("; open, since this machine was busy: other programs used 45 % of it"));
  CHECK(
      said(0).find(
          "; open, since this machine differs from itself: by 2 % where the rung is timed against itself") !=
      std::string::npos);

  // A missed bound is missed where a second timing session says so, too.
  const auto judged_twice = [&](double second) {
    TimeResult time, again;
    time.ratio["baseline"] = {.median = 0.8, .low = 0.7, .high = 0.9, .count = 15};
    again.ratio["baseline"] = {.median = second, .low = second - 0.1, .high = second + 0.1, .count = 15};
    again.noise = time.noise = {.median = 1, .low = 0.99, .high = 1.01, .count = 15};
    time.again = std::make_shared<TimeResult>(again);
    TestReport report(step, TestKind::time);
    judge_time_bound(time, row, report);
    return report.verdict();
  };
  CHECK(judged_twice(0.75) == Verdict::missed);
  CHECK(judged_twice(1.7) == Verdict::inconclusive);
  CHECK(judged_twice(1.0) == Verdict::inconclusive);
}

TEST_CASE("random numbers are the same everywhere") {
  Random random(7);
  CHECK(random.bits() == 0x63cbe1e459320dd7u);  // SplitMix64's published recurrence
  double low = 1, high = 0;
  for (int i = 0; i < 10'000; ++i) {
    const double u = random.uniform();
    low = std::min(low, u);
    high = std::max(high, u);
  }
  CHECK(low >= 0);
  CHECK(high < 1);
  CHECK(high - low > 0.99);
}
