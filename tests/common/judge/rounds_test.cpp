// Timing sessions that end once their bound is decided: how often they err, and what their intervals hold,
// exactly and by simulation.
// Guards: docs/measuring.md#what-a-number-means

#include <cmath>
#include <functional>
#include <iterator>
#include <numbers>
#include <random>
#include <vector>

#include "common/judge/timing/rounds.hpp"
#include "tests/common/catch.hpp"

using namespace ladder;

namespace {

constexpr double fixed_error = 576.0 / 32768;  // 15 pairs: at most 3 of them on one side of their median

/// The probability that at some look fewer values than its rank are below their median. Exact: one step of
/// the walk a value, and walks that have crossed end there.
double crossing_probability() {
  std::vector<double> walk{1};  // by the number of values below
  double crossed = 0;
  for (int n = 1; n <= looks.back().pairs; ++n) {
    std::vector<double> next(walk.size() + 1, 0.0);
    for (std::size_t below = 0; below < walk.size(); ++below) {
      next[below] += walk[below] / 2;
      next[below + 1] += walk[below] / 2;
    }
    for (const Look& look : looks)
      for (std::size_t below = 0; look.pairs == n && below < look.rank; ++below)
        crossed += std::exchange(next[below], 0.0);
    walk = std::move(next);
  }
  return crossed;
}

using Generator = std::mt19937_64;

/// A distribution of ratios whose median is 1.
struct Distribution {
  const char* name;
  std::function<double(Generator&)> draw;
};

double uniform(Generator& generator) {
  return std::uniform_real_distribution<double>(0, 1)(generator);
}

std::vector<Distribution> distributions() {
  const auto normal = [](Generator& g) { return std::normal_distribution<double>(0, 1)(g); };
  return {{"normal", [=](Generator& g) { return 1 + 0.05 * normal(g); }},
          {"heavy tails",
           [](Generator& g) { return std::exp(0.03 * std::tan(std::numbers::pi * (uniform(g) - 0.5))); }},
          {"two speeds", [=](Generator& g) {
             const double away = 0.1 + 0.01 * std::abs(normal(g));
             return uniform(g) < 0.5 ? 1 - away : 1 + away;
           }}};
}

/// What a timing session of the simulation has ended with.
struct SessionEnd {
  Decision decision;
  Interval interval;
};

/// A timing session whose true ratio is 1, on a machine that does not differ from itself: noise only leaves
/// more open.
SessionEnd session_by_need(const RoundLimits& limits, const Distribution& one, double bound,
                           Generator& generator) {
  Shown shown{.bound = bound};
  while (wants_round(limits, shown, 0, true)) {
    shown.seconds.push_back(1);
    shown.ratios.push_back(one.draw(generator));
    shown.against_itself.push_back(1);
  }
  const Interval interval = interval_at_look(shown.ratios);
  return {decide(interval, bound, interval_at_look(shown.against_itself)), interval};
}

SessionEnd session_of_15(const Distribution& one, double bound, Generator& generator) {
  std::vector<double> ratios;
  for (int i = 0; i < 15; ++i) ratios.push_back(one.draw(generator));
  const Interval interval = median_interval(ratios);
  return {decide(interval, bound, {1, 1, 1, 15}), interval};
}

/// What many timing sessions have ended with, as shares of them.
struct Shares {
  double wrong = 0, open = 0, missed_interval = 0, rounds = 0;
};

Shares shares_of(int sessions, double bound, const std::function<SessionEnd()>& session) {
  Shares sum;
  for (int i = 0; i < sessions; ++i) {
    const auto [decision, interval] = session();
    sum.wrong += decision == (bound > 1 ? Decision::met : Decision::not_met);
    sum.open += decision == Decision::open;
    sum.missed_interval += interval.low > 1 || interval.high < 1;
    sum.rounds += interval.count;
  }
  for (double* share : {&sum.wrong, &sum.open, &sum.missed_interval, &sum.rounds}) *share /= sessions;
  return sum;
}

/// How far a share may be above its probability: more happens once in 300,000 times.
double margin(double probability, int sessions) {
  return 4.5 * std::sqrt(probability * (1 - probability) / sessions);
}

const RoundLimits in_run = round_limits(true, false, true, 15),
                  in_grade = round_limits(false, false, true, 15);

}  // namespace

TEST_CASE("looks: one side of all of them errs no more often than that of 15 pairs looked at once") {
  CHECK(crossing_probability() == Approx(0.0164).margin(0.00005));
  CHECK(crossing_probability() <= fixed_error);
}

TEST_CASE("looks: the rank of an interval is that of the last look") {
  std::vector<double> values;
  for (int i = 1; i <= 40; ++i) {
    values.push_back(i);
    const Interval interval = interval_at_look(values);
    const double rank = i < 11 ? 1 : i < 15 ? 2 : i < 20 ? 3 : i < 25 ? 5 : i < 31 ? 7 : 8;
    CHECK(interval.low == rank);
    CHECK(interval.high == i + 1 - rank);
    CHECK(interval.count == i);
    CHECK(is_look(values.size()) == (i == 8 || i == 11 || i == 15 || i == 20 || i == 25 || i == 31));
  }
  CHECK(interval_at_look({}).count == 0);
}

TEST_CASE(
    "simulation: a timing session by need errs no more often than 15 pairs, and its interval holds what it "
    "says") {
  constexpr int sessions = 3000;
  const auto seed = std::random_device{}();
  Generator generator(seed);
  for (const RoundLimits& limits : {in_run, in_grade})
    for (const Distribution& one : distributions())
      for (const double bound : {0.999, 1.0, 1.001}) {
        const Shares by_need =
            shares_of(sessions, bound, [&] { return session_by_need(limits, one, bound, generator); });
        INFO("seed " << seed << ", " << one.name << ", bound " << bound << ", at most " << limits.most
                     << " rounds: wrong " << by_need.wrong << ", outside " << by_need.missed_interval);
        CHECK(by_need.wrong <= fixed_error + margin(fixed_error, sessions));
        CHECK(by_need.missed_interval <= 2 * fixed_error + margin(2 * fixed_error, sessions));
      }
}

TEST_CASE(
    "simulation: a clear ratio takes 8 rounds, and a near one is left open no more often than by 15 pairs") {
  constexpr int sessions = 3000;
  const auto seed = std::random_device{}();
  Generator generator(seed);
  const Distribution normal = distributions().front();
  for (const RoundLimits& limits : {in_run, in_grade}) {
    const auto by_need = [&](double bound) {
      return shares_of(sessions, bound, [&] { return session_by_need(limits, normal, bound, generator); });
    };
    const Shares near = by_need(0.95);  // one standard deviation below
    const Shares fixed = shares_of(sessions, 0.95, [&] { return session_of_15(normal, 0.95, generator); });
    INFO("seed " << seed << ": open " << near.open << ", by 15 pairs " << fixed.open << "; " << near.rounds
                 << " rounds");
    CHECK(near.open <= fixed.open + margin(fixed.open, sessions));
    CHECK(near.rounds < 18);
    CHECK(by_need(0.7).rounds < 8.1);
    CHECK(by_need(1.3).rounds < (limits.missed == 8 ? 8.1 : 15.1));
  }
}

TEST_CASE("rounds: a bound that is met ends them at a look; a missed one where points count only after 15") {
  Shown shown{.bound = 1};
  const auto round = [&](double ratio) {
    shown.seconds.push_back(1);
    shown.ratios.push_back(ratio);
    shown.against_itself.push_back(1);
  };
  for (int i = 0; i < 7; ++i) round(1.5);
  CHECK(wants_round(in_run, shown, 0, false));  // seven alike decide nothing
  round(1.5);
  CHECK_FALSE(wants_round(in_run, shown, 0, true));
  CHECK_FALSE(wants_round(in_grade, shown, 0, true));
  shown.against_itself.back() = 1.6;  // the machine cannot tell them apart
  CHECK(wants_round(in_run, shown, 0, true));
  CHECK_FALSE(wants_round(in_run, shown, 0, false));  // nobody waits for more in run
  CHECK(wants_round(in_grade, shown, 0, false));
  shown.against_itself.back() = 1;
  for (double& ratio : shown.ratios) ratio = 0.5;
  CHECK_FALSE(wants_round(in_run, shown, 0, true));
  CHECK(wants_round(in_run, shown, 0.5, true));  // too slow on a busy machine: open
  CHECK(wants_round(in_grade, shown, 0, true));
  for (int i = 8; i < 15; ++i) round(0.5);
  CHECK_FALSE(wants_round(in_grade, shown, 0, true));
}

TEST_CASE("rounds: a time that is shown takes as many as its spread needs, and next to a better number six") {
  const RoundLimits shown_in_run = round_limits(true, false, false, 15);
  Shown shown;
  for (int i = 0; i < 8; ++i) shown.seconds.push_back(1 + 0.01 * i);
  CHECK_FALSE(wants_round(shown_in_run, shown, 0, true));
  shown.seconds.back() = 1.3;
  CHECK(wants_round(shown_in_run, shown, 0, true));
  CHECK_FALSE(wants_round(shown_in_run, shown, 0, false));
  shown.seconds.resize(15, 1.1);
  shown.seconds.back() = 2;
  CHECK_FALSE(wants_round(shown_in_run, shown, 0, true));

  const RoundLimits secondary = round_limits(true, true, false, 15),
                    elsewhere = round_limits(false, true, false, 15);
  shown.seconds.resize(5);
  CHECK(wants_round(secondary, shown, 0, false));
  shown.seconds.resize(6);
  CHECK_FALSE(wants_round(secondary, shown, 0, true));
  CHECK(wants_round(elsewhere, shown, 0, true));
  CHECK_FALSE(wants_round(elsewhere, shown, 0, false));
}
