/// @file
/// What leaves a folder of grades: a student's page has nothing of others, names enter in the export alone,
/// records fit their schema.
// Guards: docs/grading.md#who-reads-what

#include "common/tool/grading/grade_store.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "common/base/files/files.hpp"
#include "common/base/text/text.hpp"
#include "common/grade/csv.hpp"
#include "common/grade/intake/package.hpp"
#include "common/grade/record.hpp"
#include "common/tool/core/options.hpp"
#include "tests/common/catch.hpp"
#include "tests/tool/schema.hpp"

using namespace ladder;
namespace fs = std::filesystem;
using nlohmann::json;

namespace {

struct Student {
  std::string name, pseudonym, id, verdict, notes;
  double points;
};

const std::vector<Student> students = {
    {"anna.lindqvist.zip", "S-AAAA2222", "u1001", "PASS", "", 8},
    {"bo.svensson", "S-BBBB3333", "u1002", "REVIEW", "I swapped the loops.", 8},
    {"carla.mendez.tar.gz", "S-CCCC4444", "u1003", "WRONG", "", 0},
    {"=dmitri+orlov", "S-DDDD5555", "u1004", "MISSED", "my tiles are 16 wide", 5.5},
    {"eva.kraus", "S-EEEE6666", "u1005", "REJECTED", "", 0},
    {"farid.haddad", "S-FFFF7777", "u1006", "NOT RUN", "", 0},
};

std::string receipt_of(const Student& s) {
  return grade::receipt(sha256(s.name));
}

/// A step as the judge writes it, with what only staff may know.
model::GradedResult step_of(const Student& s, const fs::path& out, const std::string& name) {
  json step = {
      {"lesson", "03-dgemm"},
      {"name", name},
      {"file", name + ".cu"},
      {"kind", "R"},
      {"tree", "submissions"},
      {"verdict", s.verdict},
      {"message", "said of the rung"},
      {"points", s.points},
      {"max_points", 8},
      {"backend", "executor"},
      {"device", "executor"},
      {"data", "resident"},
      {"kinds", json::array()},
      {"details", json::array({json::array({"Next", "./ladder check 03/g2 --seed 7"})})},
      {"cases", json::array({{{"class", "tails"}, {"passed", s.points > 0 ? 10 : 3}, {"of", 10}}})},
      {"problems", json::array({(out / "logs" / (s.pseudonym + "-judge.log")).string() + ":1: odd"})}};
  if (s.verdict == "REVIEW" || s.verdict == "REJECTED")
    step["message"] = "it defines a name of the harness, see " + (out / "sources").string();
  if (s.verdict == "WRONG") step["build_output"] = (out / "built/g1_naive.o").string() + ": warning";
  if (s.verdict == "MISSED")
    step["targets"] = json::array({{{"metric", "sectors"},
                                    {"relation", "<="},
                                    {"bound", 1.1},
                                    {"measured", 3.67},
                                    {"points", 1.57},
                                    {"max_points", 4},
                                    {"met", false},
                                    {"verdict", "MISSED"},
                                    {"reason", ""}}});
  return model::graded_result_from_json(step, "a step");
}

model::GradeRecord record_of(const Student& s, const fs::path& out) {
  grade::Taken taken;
  taken.files = {{"03-dgemm/g1_naive.cu", "hw/g1_naive.cu", 7, sha256(s.name + "1"), "", {}}};
  taken.refused = {{"hw/g3_register_tiles.cu", "is empty"}};
  taken.sha256 = sha256(s.name);
  taken.notes = s.notes;
  model::GradeRecord record = grade::new_record(
      {s.pseudonym, s.name, "2027-02-14T22:10:00Z", 1}, taken,
      {.sandbox = "uid", .machine = {{"cpu", "x"}}, .ladder = {{"commit", "c"}}, .key_id = "01234567"});
  grade::add_step(
      record,
      {step_of(s, out, "g1_naive"), "instant", "", 8, {{"private part", 8, "after 2027-02-14 23:59"}}});
  model::GradedResult twice = step_of(s, out, "g2_shared_tiles");
  twice.runs = {twice.verdict, twice.verdict};
  grade::add_step(record, {twice, "instant", "", 8, {}});
  return record;
}

/// A folder of grades with everyone's record, and its pages.
class Graded {
 public:
  Graded() : out(scratch_.path() / "private-folder-of-the-grader") {
    fs::create_directories(out / "records");
    for (const Student& s : students)
      grade::write_record(out / "records" / (s.pseudonym + ".json"), record_of(s, out));
    GradeStore(out).write_pages();
  }
  std::string page(const Student& s) const { return read_text(out / "pages" / (s.pseudonym + ".html")); }

 private:
  ScratchFolder scratch_;

 public:
  fs::path out;
};

using ladder::test::contains;

}  // namespace

TEST_CASE("a student's page has nothing of other submissions, and no path of the grader", "[grade]") {
  const Graded graded;
  for (const Student& mine : students) {
    const std::string page = graded.page(mine);
    REQUIRE(contains(page, mine.pseudonym));
    CHECK(contains(page, receipt_of(mine)));
    CHECK(contains(page, "private part"));
    CHECK_FALSE(contains(page, mine.name));
    CHECK_FALSE(contains(page, graded.out.parent_path().string()));
    CHECK_FALSE(contains(page, "judge.log"));
    for (const Student& other : students)
      if (other.pseudonym != mine.pseudonym)
        for (const std::string& theirs :
             {other.name, other.pseudonym, other.id, receipt_of(other), sha256(other.name)}) {
          INFO(mine.pseudonym << " reads " << theirs);
          CHECK_FALSE(contains(page, theirs));
        }
  }
}

TEST_CASE("a student reads no word for staff before a person has decided", "[grade]") {
  const Graded graded;
  for (const Student& s : {students[1], students[4]}) {
    const std::string page = graded.page(s);
    CHECK(contains(page, "a person looks at this; points provisional"));
    CHECK_FALSE(contains(page, "REVIEW"));
    CHECK_FALSE(contains(page, "REJECTED"));
    CHECK_FALSE(contains(page, "harness"));
  }
  GradeStore(graded.out)
      .decide(students[4].pseudonym, {"03-dgemm/g1_naive", "reject", 0, "Anna Ek",
                                      "it reads the clock's answer", "2027-02-20T10:00:00Z"});
  CHECK(contains(graded.page(students[4]), "it reads the clock's answer"));
  CHECK_FALSE(contains(graded.page(students[4]), "Anna Ek"));
}

TEST_CASE("the next point and the published curve are on the page of a missed target", "[grade]") {
  const Graded graded;
  const std::string page = graded.page(students[3]);
  CHECK(contains(page, "at 3x"));
  CHECK(contains(page, "All 4 points at 1.1x, none at 8x, logarithmic between. Measured: 3.67x."));
}

TEST_CASE("overview and CSV know pseudonyms only; names enter in the export", "[grade]") {
  const Graded graded;
  const GradeStore store(graded.out);
  std::map<std::string, std::string> names;
  for (const Student& s : students) {
    names[s.pseudonym] = s.name;
    for (const char* file : {"overview.html", "grades.csv"}) {
      INFO(file << " and " << s.name);
      const std::string text = read_text(graded.out / file);
      CHECK(contains(text, s.pseudonym));
      CHECK_FALSE(contains(text, s.name));
      CHECK_FALSE(contains(text, s.id));
    }
  }
  CHECK_FALSE(contains(read_text(graded.out / "grades.csv"), graded.out.parent_path().string()));
  const std::string table = grade::overview_csv(store.records(), names);
  CHECK(contains(table, "\r\nS-BBBB3333,bo.svensson,"));
  CHECK(contains(table, "\r\nS-DDDD5555,'=dmitri+orlov,"));  // no spreadsheet computes it
}

TEST_CASE("every record in a folder of grades fits its schema", "[grade]") {
  const Graded graded;
  GradeStore(graded.out)
      .decide(students[1].pseudonym,
              {"03-dgemm/g1_naive", "deduct", 1, "Anna Ek", "one slip", "2027-02-20T10:00:00Z"});
  const json schema = json::parse(read_text(fs::path(LADDER_PROJECT) / "docs" / "grades.schema.json"));
  const auto records = GradeStore(graded.out).records();
  REQUIRE(records.size() == students.size());
  for (const model::GradeRecord& record : records) {
    INFO(record.pseudonym);
    CHECK(test::violation(to_json(record), schema, schema) == "");
  }
}

TEST_CASE("what is judged again takes the place of its own part; what is open stays open", "[grade]") {
  const std::string g1 = "03-dgemm/g1_naive";
  model::GradeRecord record = record_of(students[0], "/out");
  model::GradeEntry again = entry_of(record, g1).value();
  again.judged_points = 6;
  again.open.clear();  // as regrade judges without private tests
  put_step(record, again);
  CHECK(entry_of(record, g1)->points == 6);
  CHECK(record.open.size() == 1);  // the private part was announced, and is still to come
  grade::add_step(record, {step_of(students[0], "/out", "g1_naive"), "final", "private part", 8, {}});
  model::GradeEntry lower = entry_of(record, g1, "private part").value();
  lower.judged_points = 2;
  put_step(record, lower);
  CHECK(entry_of(record, g1)->points == 6);
  CHECK(entry_of(record, g1, "private part")->points == 2);
  CHECK(record.open.empty());
  CHECK_FALSE(entry_of(record, g1, "time"));
}

TEST_CASE("of many names a few are said", "[grade]") {
  CHECK(some_of({}, 2).empty());
  CHECK(some_of({"a", "b"}, 2) == "a, b");
  CHECK(some_of({"a", "b", "c"}, 2) == "a, b and 1 more");
}

TEST_CASE("what could not be judged again is named; a reference that did not pass is judged again",
          "[grade]") {
  const model::GradeRecord once = record_of(students[0], "/out");
  model::GradeRecord old = once;
  grade::add_step(old, {step_of(students[0], "/out", "g1_naive"), "final", "private part", 8, {}});
  CHECK(private_parts_missing(old, old).empty());
  CHECK(private_parts_missing(once, once).empty());  // nothing was judged of it yet
  CHECK(private_parts_missing(old, once) ==
        std::vector<std::string>{
            "S-AAAA2222 03/g1, private part: it could not be judged again and stays as it is"});
  for (const Verdict verdict : {Verdict::pass, Verdict::skipped, Verdict::review}) {
    model::GradedResult known;
    known.verdict = verdict;
    CHECK(counts_as_known(known, "S-AAAA2222"));
    CHECK(counts_as_known(known, reference_name) == (verdict != Verdict::review));
  }
}

TEST_CASE("a judged result that does not fit is none: its source is judged again", "[grade]") {
  const ScratchFolder scratch;
  const fs::path file = scratch.path() / "judged/source.json";
  CHECK_FALSE(known_result(file));  // not judged yet
  const json judged = to_json(step_of(students[0], "/out", "g1_naive"));
  write_text(file, judged.dump());
  REQUIRE(known_result(file));
  CHECK(known_result(file)->verdict == Verdict::pass);
  json unknown = judged, word = judged;
  unknown["steps_done"] = 3;
  word["verdict"] = "FINE";
  for (const std::string& text :
       {unknown.dump(), word.dump(), judged.dump().substr(0, 99), std::string("[]")}) {
    INFO(text);
    write_text(file, text);
    CHECK_FALSE(known_result(file));
  }
}

TEST_CASE("grades that are there and a course file: what is typed wins, then what the grades have",
          "[grade]") {
  const ScratchFolder scratch;
  const fs::path folder = scratch.path() / "grades", file = scratch.path() / "course.toml";
  std::string text = "course = \"CS\"\ntimezone = \"America/Chicago\"\nkey = \"cs.key\"\n";
  for (const char* name : {"hw1", "hw2"}) {
    write_text(scratch.path() / fmt::format("{}-tests/03-dgemm/private_test.cpp", name), "");
    text += fmt::format(
        "[[assignment]]\nname = \"{}\"\nopens = 2027-02-01T09:00\ndue = 2027-02-14T23:59\n"
        "rungs = {{ \"03/g{}\" = 8 }}\nprivate = {{ folder = \"{}-tests\", points = 4 }}\n",
        name, name[2], name);
  }
  write_text(file, text);
  write_text(scratch.path() / "cs.key", "of the course");
  write_text(folder / "assignment.json", json({{"course", file.string()},
                                               {"assignment", "hw1"},
                                               {"headers", {"own.hpp"}},
                                               {"allowed", {"atexit"}}})
                                             .dump());
  const auto taken = [&](GradeOptions options) {
    options.course = file.string();
    take_private_tests(options, folder);
    CHECK(options.course.empty());  // else the verb grade would read it again, and refuse what both say
    CHECK(options.assignment.empty());
    return options;
  };
  CHECK(fs::path(taken({}).private_tests).filename() == "hw1-tests");
  CHECK(taken({}).key == (scratch.path() / "cs.key").string());
  GradeOptions typed;
  typed.assignment = "hw2";
  CHECK(fs::path(taken(typed).private_tests).filename() == "hw2-tests");
  typed.private_tests = "/fixed", typed.key = "/typed.key", typed.opens = "soon";
  CHECK(taken(typed).private_tests == "/fixed");
  CHECK(taken(typed).opens == "soon");
  CHECK(taken(typed).key == "/typed.key");
  write_text(folder / "class.key", "own");
  CHECK(taken({}).key == (folder / "class.key").string());
  GradeOptions final_phase;
  final_phase.headers = {"other.hpp"};
  take_allowed(final_phase, folder);
  CHECK(final_phase.headers == std::vector<std::string>{"other.hpp"});
  CHECK(final_phase.allowed == std::vector<std::string>{"atexit"});
  GradeOptions without_course;
  take_allowed(without_course, folder);
  CHECK(without_course.headers == std::vector<std::string>{"own.hpp"});
}

TEST_CASE("the class key of grades: the one typed, their own, or that of their course file", "[grades]") {
  const ScratchFolder scratch;
  const fs::path folder = scratch.path() / "grades", file = scratch.path() / "course.toml";
  CHECK(key_of_grades(folder, "") == folder / "class.key");
  write_text(folder / "assignment.json", json({{"course", file.string()}, {"assignment", "hw1"}}).dump());
  CHECK(key_of_grades(folder, "") == folder / "class.key");  // no such course file any more
  write_text(file,
             "course = \"CS\"\ntimezone = \"America/Chicago\"\nkey = \"keys/cs.key\"\n[[assignment]]\nname = "
             "\"hw1\"\n"
             "opens = 2027-02-01T09:00\ndue = 2027-02-14T23:59\nrungs = { \"03/g1\" = 8 }\n");
  CHECK(key_of_grades(folder, "") == scratch.path() / "keys/cs.key");
  CHECK(key_of_grades(folder, "/other.key") == "/other.key");
  write_text(folder / "class.key", "own");
  CHECK(key_of_grades(folder, "") == folder / "class.key");
}
