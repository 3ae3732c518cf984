/// @file
/// What leaves a folder of grades: a student's page has nothing of others, names enter in the export alone, records fit their schema.

#include "common/tool/grade_store.hpp"

#include <fstream>
#include <nlohmann/json.hpp>

#include "common/grade/csv.hpp"
#include "common/grade/package.hpp"
#include "common/grade/record.hpp"
#include "common/tool/files.hpp"
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
json step_of(const Student& s, const fs::path& out, const std::string& name) {
  json step = {
      {"lesson", "03-dgemm"},
      {"name", name},
      {"file", name + ".cu"},
      {"kind", "R"},
      {"tree", "submissions"},
      {"verdict", s.verdict},
      {"message", "said of the step"},
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
  return step;
}

json record_of(const Student& s, const fs::path& out) {
  grade::Taken taken;
  taken.files = {{"03-dgemm/g1_naive.cu", "hw/g1_naive.cu", 7, sha256(s.name + "1"), "", {}}};
  taken.refused = {{"hw/g3_register_tiles.cu", "is empty"}};
  taken.sha256 = sha256(s.name);
  taken.notes = s.notes;
  json record = grade::new_record({s.pseudonym, s.name, "2027-02-14T22:10:00Z", 1}, taken,
                                  {{"sandbox", "uid"},
                                   {"machine", {{"cpu", "x"}}},
                                   {"ladder", {{"commit", "c"}}},
                                   {"key_id", "01234567"}});
  grade::add_step(record, {step_of(s, out, "g1_naive"),
                           "instant",
                           "",
                           {s.verdict},
                           8,
                           {{"private part", 8, "after 2027-02-14 23:59"}}});
  grade::add_step(record, {step_of(s, out, "g2_shared_tiles"), "instant", "", {s.verdict, s.verdict}, 8, {}});
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

bool has(const std::string& text, const std::string& what) {
  return text.find(what) != text.npos;
}

}  // namespace

TEST_CASE("a student's page has nothing of other submissions, and no path of the grader", "[grade]") {
  const Graded graded;
  for (const Student& mine : students) {
    const std::string page = graded.page(mine);
    REQUIRE(has(page, mine.pseudonym));
    CHECK(has(page, receipt_of(mine)));
    CHECK(has(page, "private part"));
    CHECK_FALSE(has(page, mine.name));
    CHECK_FALSE(has(page, graded.out.parent_path().string()));
    CHECK_FALSE(has(page, "judge.log"));
    for (const Student& other : students)
      if (other.pseudonym != mine.pseudonym)
        for (const std::string& theirs :
             {other.name, other.pseudonym, other.id, receipt_of(other), sha256(other.name)}) {
          INFO(mine.pseudonym << " reads " << theirs);
          CHECK_FALSE(has(page, theirs));
        }
  }
}

TEST_CASE("a student reads no word for staff before a person has decided", "[grade]") {
  const Graded graded;
  for (const Student& s : {students[1], students[4]}) {
    const std::string page = graded.page(s);
    CHECK(has(page, "a person looks at this; points provisional"));
    CHECK_FALSE(has(page, "REVIEW"));
    CHECK_FALSE(has(page, "REJECTED"));
    CHECK_FALSE(has(page, "harness"));
  }
  GradeStore(graded.out)
      .decide(students[4].pseudonym, {"03-dgemm/g1_naive", "reject", 0, "Anna Ek",
                                      "it reads the clock's answer", "2027-02-20T10:00:00Z"});
  CHECK(has(graded.page(students[4]), "it reads the clock's answer"));
  CHECK_FALSE(has(graded.page(students[4]), "Anna Ek"));
}

TEST_CASE("the next point and the published curve stand on the page of a missed target", "[grade]") {
  const Graded graded;
  const std::string page = graded.page(students[3]);
  CHECK(has(page, "at 3x"));
  CHECK(has(page, "All 4 points at 1.1x, none at 8x, logarithmic between. Measured: 3.67x."));
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
      CHECK(has(text, s.pseudonym));
      CHECK_FALSE(has(text, s.name));
      CHECK_FALSE(has(text, s.id));
    }
  }
  CHECK_FALSE(has(read_text(graded.out / "grades.csv"), graded.out.parent_path().string()));
  const std::string table = grade::overview_csv(store.records(), names);
  CHECK(has(table, "\r\nS-BBBB3333,bo.svensson,"));
  CHECK(has(table, "\r\nS-DDDD5555,'=dmitri+orlov,"));  // no spreadsheet computes it
}

TEST_CASE("every record in a folder of grades fits its schema", "[grade]") {
  const Graded graded;
  GradeStore(graded.out)
      .decide(students[1].pseudonym,
              {"03-dgemm/g1_naive", "deduct", 1, "Anna Ek", "one slip", "2027-02-20T10:00:00Z"});
  const json schema = json::parse(read_text(fs::path(LADDER_PROJECT) / "docs" / "grades.schema.json"));
  const auto records = GradeStore(graded.out).records();
  REQUIRE(records.size() == students.size());
  for (const json& record : records) {
    INFO(record["pseudonym"]);
    CHECK(test::violation(record, schema, schema) == "");
  }
}
