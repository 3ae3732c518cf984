/// @file
/// course purge: at the retention date code and evidence go, points and verdicts stay.
// Guards: docs/course.md#purge

#include <nlohmann/json.hpp>

#include "common/base/files/files.hpp"
#include "common/grade/record.hpp"
#include "common/report/results/results.hpp"
#include "common/tool/course/course_purge.hpp"
#include "common/tool/grading/export/grade_publish.hpp"
#include "common/tool/grading/grade_store.hpp"
#include "tests/common/catch.hpp"
#include "tests/tool/schema.hpp"

namespace ladder::purge_test {
namespace fs = std::filesystem;
using nlohmann::json;
namespace {

constexpr const char* code = "tile_of_mine[ty][tx]";  // in every place where a line of code can be
constexpr const char* pseudonym = "S-AAAA2222";

/// A folder of grades with one record, whose step was reviewed.
fs::path graded(const fs::path& folder) {
  fs::create_directories(folder / "records");
  grade::Taken taken;
  taken.sha256 = sha256("work");
  taken.notes = code;
  model::GradeRecord record = grade::new_record({pseudonym, "anna.zip", "2027-02-14T22:10:00Z", 1}, taken,
                                                {.sandbox = "uid", .key_id = "01234567"});
  const json step = {{"lesson", "03-dgemm"},
                     {"name", "g1_naive"},
                     {"file", "g1_naive.cu"},
                     {"verdict", "REVIEW"},
                     {"message", code},
                     {"points", 6},
                     {"max_points", 8},
                     {"build_output", code},
                     {"details", json::array({json::array({"Line", code})})}};
  grade::add_step(record, {model::graded_result_from_json(step, "a step"), "instant", "", 8, {}});
  grade::write_record(folder / "records" / (std::string(pseudonym) + ".json"), record);
  for (const char* part : {"sources", "logs", "amended", "judged", "old", "proposed", "viva", "published"})
    write_text(folder / part / pseudonym / "03-dgemm/g1_naive.cu", code);
  write_text(
      folder / "assignment.json",
      json({{"course", (folder.parent_path() / "course.toml").string()}, {"assignment", "hw1"}}).dump());
  const GradeStore store(folder);
  store.decide(pseudonym, {"03-dgemm/g1_naive", "deduct", 2, "anna", code, "2027-02-20T10:00:00Z"});
  store.log({{"student", pseudonym},
             {"step", "03/g1"},
             {"action", "manual"},
             {"question", "Why?"},
             {"points", 1.5},
             {"of", 2},
             {"by", "ben"},
             {"reason", code},
             {"at", "2027-02-21T10:00:00Z"}});
  return folder;
}

/// The files below a folder in which that text stands.
std::vector<std::string> files_with(const fs::path& folder, const std::string& text) {
  std::vector<std::string> found;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file() && read_text(entry.path()).find(text) != std::string::npos)
      found.push_back(entry.path().lexically_relative(folder));
  return found;
}

}  // namespace

TEST_CASE("purge: no code is left in a folder of grades, and points, verdicts and decisions are") {
  const ScratchFolder scratch;
  course::Course course;
  course.file = scratch.path() / "course.toml";
  const fs::path folder = graded(scratch.path() / "grades-hw1");
  fs::create_directories(scratch.path() / "of another course" / "records");
  CHECK(grades_of(course) == std::vector<fs::path>{folder});
  REQUIRE(files_with(folder, code).size() >= 9);
  REQUIRE(GradeStore(folder).record(pseudonym).points == 4);
  CHECK(to_purge(folder).size() == 9);
  for (int time = 0; time < 2; ++time) {  // and again, as after an interruption
    purge(folder);
    CHECK(files_with(folder, code) == std::vector<std::string>{});
    const json after = to_json(GradeStore(folder).record(pseudonym));
    CHECK(after["points"] == 4);
    CHECK(after["max_points"] == 8);
    CHECK(after["steps"][0]["staff"]["verdict"] == "REVIEW");
    CHECK(after["steps"][0]["student"]["verdict"] == "DEDUCTED");
    CHECK(after["submission"]["name"] == "anna.zip");  // exports find the person by it
    CHECK(after["decisions"][0]["points"] == 2);
    CHECK(after["manual"][0]["points"] == 1.5);
    const json schema = json::parse(read_text(fs::path(LADDER_PROJECT) / "docs" / "grades.schema.json"));
    CHECK(test::violation(after, schema, schema) == "");
  }
}

TEST_CASE("purge: from the day of the course's zone on, and not a second before") {
  course::Course course;
  course.file = "course.toml";
  course.timezone = course::TimeZone("America/Chicago");
  const auto midnight = course.timezone.moment(std::chrono::local_days(std::chrono::year(2028) / 6 / 30));
  CHECK(why_not_yet(course, midnight).find("no retention date") != std::string::npos);
  course.retention = "2028-06-30";
  CHECK(why_not_yet(course, midnight).empty());
  CHECK(why_not_yet(course, midnight - std::chrono::seconds(1)) ==
        "course.toml keeps code and evidence until 2028-06-30; --now deletes them before");
}

TEST_CASE("the page of a person says the published points, and nobody else reads the folder with ids") {
  const ScratchFolder scratch;
  const fs::path folder = graded(scratch.path() / "grades");
  write_text(folder / "published" / "gone.html", "of somebody who has left");
  const GradeStore store(folder);
  course::Course course;
  course.timezone = course::TimeZone("America/Chicago");
  course::Assignment& hw = course.assignments.emplace_back();
  hw.name = "hw1";
  hw.rungs = {{"03/g1", 10}};
  std::vector<course::Ruled> all(2);
  all[0].mark = {"ana", 3.6, pseudonym, "", ""};
  all[0].counted = {.points = 4, .most = 10};
  all[0].attempts = all[0].attempt = 2;
  all[0].received = std::chrono::sys_seconds(std::chrono::sys_days(std::chrono::year(2027) / 2 / 18)) +
                    std::chrono::hours(5);
  all[0].credit = course::Credit{.late = std::chrono::hours(20), .units = 1, .taken = 0.1, .points = 3.6};
  all[1].mark.id = "ben";  // handed in nothing
  publish_pages(store, course, hw, store.records(), all);
  CHECK(fs::status(folder / "published").permissions() == fs::perms::owner_all);
  CHECK_FALSE(fs::exists(folder / "published" / "gone.html"));
  CHECK_FALSE(fs::exists(folder / "published" / "ben.html"));
  CHECK(all[1].mark.page.empty());
  const std::string page = read_text(all[0].mark.page);
  for (const char* said : {"Points: 3.6 of 10", "20 hours late, 10 % taken", "2027-02-17 23:00 CST", "2 of 2",
                           "4 of 10", "hw1, due", "of the rung itself, which the course counts as"})
    CHECK(page.find(said) != page.npos);
  CHECK(page.find("2027-02-14T22:10:00Z") == page.npos);
}

}  // namespace ladder::purge_test
