/// @file
/// What is said of a class: by people, not by downloads; who has no time, who gets nothing; what points are,
/// and what it costs.
// Guards: docs/course.md#check-before-the-class-does

#include "common/course/summary.hpp"

#include "tests/common/catch.hpp"
#include "tests/common/grade/packed.hpp"

using namespace ladder::course;
using namespace ladder::grade::test;

namespace {

ImportedSubmission a_download(const char* key, std::vector<std::string> people, bool timed = true) {
  ImportedSubmission one{.key = key, .platform = "canvas", .people = std::move(people), .path = {}};
  if (timed) one.received = Time(std::chrono::hours(1));
  return one;
}

Ruled a_person(const char* id, std::optional<double> points, int attempts, bool counts = true,
               bool timed = true) {
  Ruled one;
  one.mark.id = id;
  one.mark.points = points;
  one.attempts = attempts;
  if (attempts > 0) one.credit = Credit{.counts = counts, .late = std::chrono::seconds(counts ? 0 : 9)};
  if (attempts > 0 && timed) one.received = Time(std::chrono::hours(1));
  return one;
}

}  // namespace

TEST_CASE("people are counted, not downloads, and who has no time is named") {
  const Scratch scratch;
  SubmissionImport handed;
  handed.all = {a_download("c-1~canvas_1", {"u1"}), a_download("c-1~canvas_2", {"u2"}, false),
                a_download("c-2~canvas_1", {"u1"}), a_download("c-2~canvas_2", {"u2"}, false),
                a_download("c-2~canvas_9", {}, false)};
  handed.missing = {"u3"};
  const auto times = scratch / "received.csv";
  CHECK(handed_summary(handed, times) ==
        std::vector<std::string>{
            "5 submissions in 2 downloads, of 2 people on the roster; 1 of the roster handed in nothing: u3",
            "The time of 3 submissions is not known, of nobody on the roster (c-2~canvas_9), u2 "
            "(c-1~canvas_2 and 1 "
            "more): write " +
                times.string() + ", or give --received FILE"});
  write(times, "submission,received\n");
  CHECK(handed_summary(handed, times)[1].ends_with(": add to " + times.string()));
  handed.all = {a_download("anna", {"u1"})};
  handed.missing.clear();
  CHECK(
      handed_summary(handed, times) ==
      std::vector<std::string>{"1 submission, of 1 person on the roster; 0 of the roster handed in nothing"});
}

TEST_CASE("an export says who gets 0 for being too late, who an empty cell, and whose time is unknown") {
  const std::vector<Ruled> all = {a_person("u1", 8.0, 1), a_person("u2", 0.0, 2, false),
                                  a_person("u3", {}, 0), a_person("u4", {}, 1),
                                  a_person("u5", 3.0, 1, true, false)};
  CHECK(ruled_summary(all) == std::vector<std::string>{"5 people, 3 with points, 1 late",
                                                       "Too late for any point, which is 0: u2",
                                                       "Nothing handed in, an empty cell and no 0: u3",
                                                       "Nothing could be judged, an empty cell and no 0: u4",
                                                       "The time is unknown and counts as in time (a line in "
                                                       "received.csv, then grade … --resume, gives it): u5"});
  CHECK(ruled_summary({a_person("u1", 8.0, 1)}) ==
        std::vector<std::string>{"1 person, 1 with points, 0 late"});
}

TEST_CASE("a trial says how the rungs' own points become those of the course file") {
  const auto step = [](const char* name, const char* part, double most) {
    ladder::model::GradeEntry one;
    one.lesson = "03-dgemm", one.name = name, one.part = part, one.max_points = most;
    return one;
  };
  ladder::model::GradeRecord record;
  record.steps = {step("g1_naive", "", 8), step("g1_naive", "private part", 3), step("g3_x", "", 8)};
  Assignment hw;
  hw.rungs = {{"03/g1", 8}, {"03/g3", 8}};
  CHECK(scale_text(hw, record).empty());
  hw.rungs[1].second = 10;
  CHECK(scale_text(hw, record) == "03/g1 8 → 8; 03/g3 8 → 10");
  hw.private_tests.emplace().points = 6;
  hw.time.emplace().points = 2;
  hw.manual.push_back({.rung = "03/g1", .ask = "Why?", .points = 1});
  CHECK(scale_text(hw, record) ==
        "03/g1 8 → 8; 03/g3 8 → 10; time, in the final phase, 2 points; private tests, in the final phase, 6 "
        "points; "
        "questions that people grade, 1 points");
}

TEST_CASE("what a class costs lies between all sources equal and all different") {
  Cost cost{.different = 40, .known = 0.8, .once = 130, .people = 150, .jobs = 2};
  const std::string text = cost_text(cost);
  CHECK(text.starts_with(
      "costs here, with --jobs 2, between 1 min, where all sources are equal, and 50 min, where"));
  CHECK(ladder::test::contains(text,
                               "(40.0 s for one that is judged and passes, 0.8 s for one whose sources are"));
  cost.cpu = 39;
  CHECK(cost_text(cost) == text);
  cost.cpu = 4;
  CHECK(ladder::test::contains(cost_text(cost),
                               "nobody's are (other work kept this machine busy: 5 min without it) ("));
  CHECK(text.ends_with("before it 3 min for what all share and the reference"));
}
