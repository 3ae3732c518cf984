/// @file
/// Questions that people grade: folders of three assistants that merge, what they differ in, points in
/// exports and on the page.
// Guards: docs/grading.md#questions-that-people-grade

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "common/base/files/files.hpp"
#include "common/base/text/text.hpp"
#include "common/course/marks.hpp"
#include "common/course/questions.hpp"
#include "common/grade/record.hpp"
#include "common/tool/grading/grade_store.hpp"
#include "common/tool/review/review_questions.hpp"
#include "tests/common/catch.hpp"

namespace ladder::questions_test {
namespace fs = std::filesystem;
using nlohmann::json;
namespace {

constexpr int submissions = 60, assistants = 3;
const std::vector<std::string> names = {"anna", "ben", "cleo"};

course::Assignment homework() {
  course::Assignment hw;
  hw.name = "hw2";
  hw.manual.push_back({.rung = "03/g1", .ask = "Why?", .points = 2});
  hw.manual.push_back({.rung = "03/g2", .ask = "What without the barrier?", .points = 4});
  return hw;
}

/// A folder of grades with that many submissions.
fs::path graded(const fs::path& folder) {
  fs::create_directories(folder / "records");
  for (int i = 0; i < submissions; ++i) {
    const std::string pseudonym = fmt::format("S-{:08}", i);
    grade::Taken taken;
    taken.sha256 = sha256(pseudonym);
    taken.notes = "## 03/g1: Why?\nbecause\n";
    grade::write_record(folder / "records" / (pseudonym + ".json"),
                        grade::new_record({pseudonym, "student" + pseudonym, "", 1}, taken,
                                          {.sandbox = "uid", .key_id = "01234567"}));
  }
  return folder;
}

json line_of(const QuestionItem& item, const std::string& by, double points, const std::string& at) {
  return {{"student", item.pseudonym},
          {"step", item.question->rung},
          {"action", grade::manual_action},
          {"question", item.question->ask},
          {"points", points},
          {"of", item.question->points},
          {"by", by},
          {"reason", "read by a person"},
          {"at", at}};
}

/// What one of three assistants does in a folder of their own.
void grade_all(const GradeStore& store, const course::Assignment& hw, std::size_t who, double points) {
  for (const QuestionItem& item :
       waiting(hw, store.records(), names[who], static_cast<int>(who) + 1, assistants))
    store.log(line_of(item, names[who], points, fmt::format("2027-03-0{}T10:00:00Z", 3 - who)));
}

}  // namespace

TEST_CASE(
    "questions: folders of three assistants merge; each answer is graded, and where two differ it is "
    "listed") {
  const ScratchFolder scratch;
  const course::Assignment hw = homework();
  std::size_t twice = 0;
  std::vector<std::string> folders;
  for (std::size_t who = 0; who < names.size(); ++who) {
    folders.push_back(graded(scratch.path() / names[who]).string());
    const GradeStore store(folders.back());
    store.log({{"student", "S-00000000"}, {"step", "x"}, {"action", "viva"}, {"at", "2027-03-01T10:00:00Z"}});
    grade_all(store, hw, who, who == 2 ? 1 : 2);  // cleo gives less
    CHECK(waiting(hw, store.records(), names[who], static_cast<int>(who) + 1, assistants).empty());
  }
  const fs::path out = scratch.path() / "all";
  merge_folders(folders, out);
  const GradeStore merged(out);
  std::size_t lines = 0;
  for (const std::string& line : lines_of(read_text(out / "decisions.jsonl"))) lines += !line.empty();
  std::vector<std::pair<std::string, std::string>> expected;  // where cleo is one of two
  for (const course::Manual& question : hw.manual)
    for (const model::GradeRecord& record : merged.records()) {
      const auto dealt = course::dealt_to(record.pseudonym, question, assistants);
      twice += dealt.size() == 2;
      const auto given = grade::graded(record);
      const grade::Graded* found = grade::find(given, question.rung, question.ask);
      REQUIRE(found);
      CHECK(found->given.size() == dealt.size());
      if (dealt.size() == 2 && (dealt[0] == 3 || dealt[1] == 3))
        expected.emplace_back(record.pseudonym, question.rung);
      else
        CHECK(found->points == (dealt[0] == 3 ? 1 : 2));
    }
  CHECK(lines == hw.manual.size() * submissions + twice + 1);  // what all copies had, once
  REQUIRE_FALSE(expected.empty());
  std::vector<std::pair<std::string, std::string>> listed;
  for (const QuestionItem& item : disagreements(hw, merged.records()))
    listed.emplace_back(item.pseudonym, item.question->rung);
  CHECK(listed == expected);
  for (std::size_t who = 0; who < names.size(); ++who)
    CHECK(waiting(hw, merged.records(), names[who], static_cast<int>(who) + 1, assistants).empty());
  CHECK(merge_folders(folders, out) == submissions);  // once more adds nothing
  CHECK(lines_of(read_text(out / "decisions.jsonl")).size() == lines);
}

TEST_CASE(
    "questions: points count by the course file, are open while two people differ, and are on the page") {
  const ScratchFolder scratch;
  const course::Assignment hw = homework();
  const GradeStore store(graded(scratch.path() / "grades"));
  const std::string pseudonym = "S-00000007";
  const QuestionItem why{&hw.manual[0], pseudonym, ""}, what{&hw.manual[1], pseudonym, ""};
  const auto counted = [&] { return course::counted(hw, store.record(pseudonym)); };
  CHECK(counted().open == std::vector<std::string>{"questions, 6 points"});
  store.log(line_of(why, "anna", 1.5, "2027-03-01T10:00:00Z"));
  store.log(line_of(what, "anna", 3, "2027-03-01T10:00:00Z"));
  store.log(line_of(what, "ben", 4, "2027-03-01T11:00:00Z"));
  CHECK(counted().points == Approx(1.5));
  CHECK(counted().open == std::vector<std::string>{"questions in which two people differ, 4 points"});
  json settled = line_of(what, "cleo", 3.5, "2027-03-02T10:00:00Z");
  settled["settles"] = true;
  store.log(settled);
  CHECK(counted().points == Approx(5));
  CHECK(counted().most == 6);
  CHECK(counted().open.empty());
  CHECK(disagreements(hw, store.records()).empty());
  course::Assignment doubled = hw;
  doubled.manual[1].points = 8;
  CHECK(course::counted(doubled, store.record(pseudonym)).points == Approx(8.5));
  store.write_pages();
  const std::string page = read_text(scratch.path() / "grades/pages" / (pseudonym + ".html"));
  for (const char* said : {"What without the barrier?", "3.5 of 4", "1.5 of 2", "read by a person"})
    CHECK(page.find(said) != page.npos);
  for (const std::string& name : names) CHECK(page.find(name) == page.npos);
}

}  // namespace ladder::questions_test
