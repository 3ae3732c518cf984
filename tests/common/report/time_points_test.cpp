/// @file
/// What a time is worth: ratio, points, the next point, and what makes it uncertain.
// Guards: docs/student.md#how-fast-bench

#include "common/report/figures/time_points.hpp"
#include "common/model/result_json.hpp"

#include <cmath>

#include "common/base/points.hpp"
#include "tests/common/catch.hpp"

using namespace ladder::report;
using ladder::model::step_from_json;
using nlohmann::json;

namespace {

json interval_json(double median, double low, double high) {
  return {{"median", median}, {"low", low}, {"high", high}, {"runs", 15}};
}

json timed_step(double ratio, double points) {
  const json kind = {{"kind", "time"}, {"points", points}, {"max_points", 2}};
  json step = {{"time", interval_json(0.1, 0.099, 0.101)}, {"kinds", json::array({kind})}};
  step["ratio_interval"]["cuBLAS"] = interval_json(ratio, ratio * 0.99, ratio * 1.01);
  step["time"]["foreign_load"] = 0.01;
  return step;
}

const json dgemm_row = {{"time", {{"peer", "cuBLAS"}, {"ratio", 0.4}, {"size", 256}}}};

}  // namespace

TEST_CASE("a time's points, and how much less time the next point takes") {
  const double half = 0.4 / std::sqrt(ladder::no_points_factor);  // one of two points
  const auto met = time_points_of(step_from_json(timed_step(0.5, 2)), dgemm_row);
  REQUIRE(met);
  CHECK(met->next == 0);
  CHECK(met->less_time() == 0);
  CHECK(curve_line(*met, 9) == "0.055x --------o 0.4x");
  const auto below = time_points_of(step_from_json(timed_step(half / 2, 0.3)), dgemm_row);
  REQUIRE(below);
  CHECK(below->next == Approx(half));
  CHECK(below->less_time() == Approx(0.5));
  CHECK(below->low == Approx(half / 2 * 0.99));
  CHECK(curve_line(*time_points_of(step_from_json(timed_step(half, 1)), dgemm_row), 9) ==
        "0.055x ----o---- 0.4x");
  CHECK(points_curve(curve_of(*below)).find("speed over that of cuBLAS, logarithmic") != std::string::npos);
}

TEST_CASE("a GPU's rung is compared with a baseline that was timed alone") {
  json step = timed_step(1, 2);
  step["time"]["baseline"] = interval_json(0.3, 0.29, 0.31);
  const auto found =
      time_points_of(step_from_json(step), {{"time", {{"peer", "baseline"}, {"ratio", 1.25}}}});
  REQUIRE(found);
  CHECK(found->ratio == Approx(3));
  CHECK(found->low == Approx(0.29 / 0.101));
  CHECK_FALSE(time_points_of(step_from_json(step), {{"time", {{"peer", "OpenBLAS"}, {"ratio", 1.25}}}}));
  CHECK_FALSE(time_points_of(step_from_json(step), {{"time", nullptr}}));
  CHECK_FALSE(time_points_of({}, dgemm_row));
}

TEST_CASE("a noisy machine is said, a quiet one is not") {
  json step = timed_step(1, 2);
  step["time"]["noise"] = interval_json(1, 0.99, 1.02);
  CHECK(unrest_of(step_from_json(step)).empty());
  step["time"]["foreign_load"] = 0.3;
  step["time"]["noise"] = interval_json(1, 0.8, 1.02);
  step["time"]["high"] = 0.139;
  CHECK(unrest_of(step_from_json(step)) ==
        std::vector<std::string>{"other programs used 30 % of this machine",
                                 "it differs from itself by 20 %: the rung was timed against itself",
                                 "the interval of the time is ±20 %"});
}
