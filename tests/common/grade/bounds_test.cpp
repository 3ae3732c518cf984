/// @file
/// Bounds of time: what is proposed, where there are no points of time, and on which machine a file counts.
/// And what the final phase says of what it has measured twice.
// Guards: docs/grading.md#bounds-of-time-for-a-machine, docs/grading.md#two-phases

#include "common/grade/bounds.hpp"

#include <filesystem>
#include <fstream>

#include "common/base/error.hpp"
#include "common/grade/repeatability.hpp"
#include "tests/common/catch.hpp"

using namespace ladder;
using namespace ladder::grade;
namespace fs = std::filesystem;
using nlohmann::json;

namespace {

const Interval reference{2.05, 2.0, 2.1, 20};

Slower rung_below(double low, double high) {
  return {"the rung below", {(low + high) / 2, low, high, 20}};
}
Slower first_rung(double low, double high) {
  return {"the first rung", {(low + high) / 2, low, high, 20}};
}

/// Whether a text has these words.
using ladder::test::contains;

/// A file of bounds with one rung.
class BoundsFile {
 public:
  explicit BoundsFile(const std::string& text) { std::ofstream(file()) << text; }
  ~BoundsFile() { fs::remove(file()); }
  fs::path file() const { return fs::temp_directory_path() / "ladder-bounds-test.json"; }
  std::string refused() const {
    try {
      read_bounds(file());
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }
};

json bounds_of(const json& rung) {
  return {{"schema", bounds_schema}, {"rungs", {{"03-dgemm/c1_openmp", rung}}}};
}

/// A record with one time, as the final phase writes it.
ladder::model::GradeRecord record(double points, double low, double high) {
  return ladder::model::grade_record_from_json(
      {{"pseudonym", "S-AAAA2222"},
       {"steps", json::array({{{"lesson", "03-dgemm"},
                               {"name", "c1_openmp"},
                               {"part", "time"},
                               {"points", points},
                               {"max_points", 2.0},
                               {"ratio", {{"baseline", (low + high) / 2}}},
                               {"ratio_interval", {{"baseline", {{"low", low}, {"high", high}}}}}}})}},
      "a record");
}
const std::vector<TimedStep> steps = {{"03-dgemm/c1_openmp", "03/c1", "baseline"}};

}  // namespace

TEST_CASE("bounds: full at a share of the reference's lower end, none at the slow version's upper end") {
  const TimePoints points =
      propose_time_points(reference, rung_below(1.3, 1.4), first_rung(0.98, 1.0149), 0.8);
  CHECK(points.why_not == "");
  CHECK(points.full == Approx(1.6));
  CHECK(points.zero == Approx(1.02));  // three digits, upwards
  CHECK(propose_time_points(reference, {}, first_rung(1, 1), 0.95).full == Approx(1.9));
  CHECK(propose_time_points(reference, rung_below(1.3, 1.4), {}, 0.8).zero == Approx(1.4));
}

TEST_CASE("bounds: no points of time where a slower version is not seen to be slower") {
  const auto why = [](const auto& below, const auto& slow) {
    return propose_time_points(reference, below, slow, 0.8).why_not;
  };
  // Intervals overlap, of either.
  CHECK(contains(why(std::optional(rung_below(1.9, 2.0)), std::optional(first_rung(1, 1))),
                 "the interval of the reference, 2 to 2.1, is not above that of the rung below, 1.9 to 2"));
  CHECK(contains(why(std::optional(rung_below(1, 1.1)), std::optional(first_rung(1.9, 2.2))),
                 "the first rung"));
  // They do not, but the slower one would get all points.
  CHECK(contains(why(std::optional(rung_below(1.5, 1.6)), std::optional(first_rung(1, 1))),
                 "the rung below reaches 1.6, and 0.8 of the reference's lower end is 1.6"));
  CHECK(contains(why(std::optional<Slower>(), std::optional<Slower>()), "nothing slower was measured"));
  CHECK(contains(propose_time_points({}, rung_below(1, 1), {}, 0.8).why_not, "no ratio to the peer"));
}

TEST_CASE("bounds count on their model only, and for the peer that they are a ratio to") {
  const json rung = {
      {"model", "NVIDIA A100"}, {"peer", "cuBLAS"}, {"full", 0.4}, {"zero", 0.1}, {"points", 2}};
  CHECK(why_not_here(rung, "NVIDIA A100", "cuBLAS") == "");
  CHECK(why_not_here(rung, "NVIDIA H200", "cuBLAS") ==
        "its bounds are those of NVIDIA A100, and this is NVIDIA H200");
  CHECK(contains(why_not_here(rung, "NVIDIA A100", "baseline"), "its row compares with baseline"));
}

TEST_CASE("bounds: a file that is wrong is named, with what is wrong") {
  const json right = {{"model", "m"}, {"peer", "baseline"}, {"full", 1.6}, {"zero", 1.0}, {"points", 2}};
  CHECK(BoundsFile(bounds_of(right).dump()).refused() == "");
  CHECK(BoundsFile(bounds_of({{"model", "m"}, {"peer", "baseline"}, {"why_not", "too near"}}).dump())
            .refused() == "");
  const auto with = [&](const char* field, const json& value) {
    json rung = right;
    rung[field] = value;
    return BoundsFile(bounds_of(rung).dump()).refused();
  };
  CHECK(contains(with("full", 0.9), "03-dgemm/c1_openmp has full points at 0.9 and none at 1"));
  CHECK(contains(with("zero", 0), "both above 0"));
  CHECK(contains(with("points", -1), "less than 0 points"));
  CHECK(contains(with("full", "fast"), "no number full"));
  CHECK(contains(with("model", json()), "no model"));
  CHECK(contains(BoundsFile("{\"schema\": ").refused(), "is no JSON: it goes wrong at byte"));
  CHECK(contains(BoundsFile("[]").refused(), "no bounds of schema gpu-ladder-bounds/1"));
}

TEST_CASE("final: another ratio at the end, with other points, flags the batch") {
  Repeatability same, meets, differs;
  same.compare(record(2, 1.5, 1.6), record(2, 1.1, 1.2), steps);  // the same points
  CHECK(final_state(true, true, same) == "agrees");
  meets.compare(record(2, 1.5, 1.6), record(1.7, 1.3, 1.5), steps);  // the intervals meet
  CHECK(final_state(true, true, meets) == "agrees");
  differs.compare(record(2, 1.5, 1.6), record(1.2, 1.1, 1.2), steps);
  CHECK(differs.flagged());
  CHECK(final_state(true, true, differs) == "flagged");
  REQUIRE(differs.differ.size() == 1);
  CHECK(differs.differ[0] == "03/c1 of S-AAAA2222: 2 points at the beginning, 1.2 at the end");
  REQUIRE(differs.pairs.size() == 1);
  CHECK(differs.pairs[0]["same"] == false);
  CHECK(differs.pairs[0]["ratio_again"]["baseline"] == Approx(1.15));
  differs.compare(record(2, 1.5, 1.6), record(2, 1.5, 1.6), steps);  // one that agrees does not undo it
  CHECK(differs.flagged());
}

TEST_CASE("final: a reference below full points flags the batch, even when it is as slow at the end") {
  Repeatability full, slow;
  full.look_at_reference(record(2, 1.5, 1.6), steps);
  CHECK(final_state(true, true, full) == "agrees");
  slow.compare(record(0.3, 1.0, 1.1), record(0.3, 1.0, 1.1), steps);
  CHECK(slow.differ.empty());
  slow.look_at_reference(record(0.3, 1.0, 1.1), steps);
  CHECK(final_state(true, true, slow) == "flagged");
  REQUIRE(slow.below_full.size() == 1);
  CHECK(slow.below_full[0] == "03/c1: 0.3 of 2 points for time");
  CHECK(slow.reasons() == std::vector<std::string>{"the reference, 03/c1: 0.3 of 2 points for time"});
}

TEST_CASE("final: what was interrupted is not said to agree") {
  Repeatability nothing, differs;
  CHECK(final_state(false, true, nothing) == "interrupted");
  differs.compare(record(2, 1.5, 1.6), record(1.2, 1.1, 1.2), steps);
  CHECK(final_state(false, true, differs) == "interrupted");
  CHECK(final_state(true, false, nothing) == "untimed");
  nothing.compare(record(2, 1.5, 1.6), {}, steps);  // not measured again
  CHECK(nothing.pairs.empty());
}
