/// @file
/// Nothing that was handed in is lost or counted otherwise in silence: what was not taken waits for a person,
/// amendments outlive records, points are of one currency, equal sources are named, and nobody else on the
/// machine reads it.
// Guards: docs/grading.md

#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "common/base/files/files.hpp"
#include "common/base/process/process.hpp"
#include "common/base/text/temporary_names.hpp"
#include "common/grade/record.hpp"
#include "common/tool/exam/similarity_runs.hpp"
#include "common/tool/grading/equal_sources.hpp"
#include "common/tool/grading/export/points_of_course.hpp"
#include "common/tool/grading/grade_store.hpp"
#include "common/tool/review/review_items.hpp"
#include "common/tool/review/review_questions.hpp"
#include "tests/common/catch.hpp"

namespace ladder::care_test {
namespace fs = std::filesystem;
using nlohmann::json;
using Names = std::vector<std::string>;
namespace {

const std::string g1 = "03-dgemm/g1_naive";

model::GradedResult step(const char* verdict, double points, const std::string& name = "g1_naive") {
  model::GradedResult one;
  one.lesson = "03-dgemm", one.name = name, one.file = name + ".cu";
  one.verdict = *verdict_of(verdict), one.message = "said";
  one.points = points, one.max_points = 8;
  return one;
}

model::GradeRecord record_of(const std::string& pseudonym, const grade::Taken& taken, const char* verdict,
                             double points) {
  model::GradeRecord record =
      grade::new_record({pseudonym, "n" + pseudonym, "", 1}, taken, {.sandbox = "uid", .key_id = "01"});
  grade::add_step(record, {step(verdict, points), "instant", "", 8, {}});
  return record;
}

grade::Taken with_file(const std::string& sum) {
  grade::Taken taken;
  taken.files = {{g1 + ".cu", "g1_naive.cu", 7, sum, sum, {}}};
  return taken;
}

/// A folder of grades.
struct Grades {
  Grades() : out(scratch.path() / "grades") { fs::create_directories(out / "records"); }
  void put(const model::GradeRecord& record) const {
    grade::write_record(out / "records" / (record.pseudonym + ".json"), record);
  }
  std::string text(const std::string& file) const { return read_text(out / file); }
  ScratchFolder scratch;
  fs::path out;
};

using ladder::test::contains;

}  // namespace

TEST_CASE("untaken: what came and was not taken is in queue, overview and page, until a person has looked",
          "[grade]") {
  const Grades grades;
  grade::Taken taken;
  taken.missing = {g1 + ".cu"};
  taken.contained = {"resposta.docx"};
  grades.put(record_of("S-AAAA2222", taken, "NOT STARTED", 0));
  taken.contained.clear();
  grades.put(record_of("S-BBBB3333", taken, "NOT STARTED", 0));  // nothing came
  grades.put(record_of("S-CCCC4444", with_file("1"), "PASS", 8));
  const GradeStore store(grades.out);
  store.write_pages();
  const auto items = open_items(store);
  REQUIRE(items.size() == 1);
  CHECK(items[0].pseudonym == "S-AAAA2222");
  CHECK(items[0].step.untaken == "resposta.docx");
  CHECK(contains(grades.text("overview.html"), "resposta.docx"));
  CHECK(contains(grades.text("pages/S-AAAA2222.html"), "resposta.docx"));
  store.decide("S-AAAA2222", {g1, "accept", 0, "Anna Ek", "a letter to the staff", "2027-02-20T10:00:00Z"});
  CHECK(open_items(store).empty());
  CHECK_FALSE(contains(grades.text("overview.html"), "1 rung without a file"));
  CHECK(store.record("S-AAAA2222").points == 0);
  // Another file comes under the same name: what was decided was about the other.
  grades.put(record_of("S-AAAA2222", with_file("2"), "REVIEW", 8));
  CHECK(open_items(store).size() == 1);
}

TEST_CASE("untaken: an assistant reads why there are no notes", "[grade]") {
  course::Assignment hw;
  hw.manual.push_back({.rung = "03/g1", .ask = "Why?", .points = 2});
  const auto answer = [&](const grade::Taken& taken) {
    return waiting(hw, {record_of("S-AAAA2222", taken, "PASS", 8)}, "anna", 1, 1).at(0).answer;
  };
  grade::Taken taken = with_file("1");
  CHECK(answer(taken) == "no notes.md");
  taken.contained = {"Notizen.txt"};
  CHECK(answer(taken) == "no notes.md; also in the submission: Notizen.txt");
  taken.refused = {{"hw/Notes (1).md", "is UTF-16: save it as UTF-8"}};
  CHECK(answer(taken) == "notes.md was not taken: it is UTF-16: save it as UTF-8");
  grade::Taken none;
  none.refused = {{"ana.zip", "is encrypted: pack it without a password"}};
  CHECK(answer(none) == "nothing was taken of the submission: ana.zip");
}

TEST_CASE("amendments are in the log, which outlives the records that are judged again", "[grade]") {
  const Grades grades;
  grades.put(record_of("S-AAAA2222", with_file("1"), "PASS", 8));
  const GradeStore store(grades.out);
  CHECK(store.amendments("S-AAAA2222").empty());
  for (const int points : {2, 1})
    store.log({{"student", "S-AAAA2222"},
               {"step", g1},
               {"action", "amend"},
               {"by", "anna"},
               {"reason", "a semicolon"},
               {"points", points},
               {"diff", "-a\n+b\n"},
               {"source_sha256", "1"},
               {"before", {{"verdict", "CRASHED"}}}});
  store.log({{"student", "S-BBBB3333"}, {"step", g1}, {"action", "amend"}, {"source_sha256", "1"}});
  const auto all = store.amendments("S-AAAA2222");
  REQUIRE(all.size() == 1);
  CHECK(all.at(g1).points == 1);  // the last one
  CHECK(all.at(g1).before.verdict == Verdict::crashed);
  // Judged again with it: the points are taken off again, once.
  model::GradeRecord again = grade::new_record({"S-AAAA2222", "n", "", 1}, with_file("1"), {});
  model::GradedResult judged = step("PASS", 8);
  judged.amendment = all.at(g1);
  grade::add_step(again, {judged, "instant", "", 8, {}});
  CHECK(again.points == 7);
}

TEST_CASE("points that people read are those of the course file, in every place", "[grade]") {
  const Grades grades;
  const fs::path file = grades.scratch.path() / "course.toml";
  write_text(file,
             "course = \"CS\"\ntimezone = \"America/Chicago\"\n[[assignment]]\nname = \"hw1\"\n"
             "opens = 2027-02-01T09:00\ndue = 2027-02-14T23:59\nrungs = { \"03/g1\" = 20 }\n");
  grades.put(record_of("S-AAAA2222", with_file("1"), "MISSED", 6));
  const GradeStore store(grades.out);
  store.write_pages();
  CHECK(contains(grades.text("overview.html"), "6 of 8"));
  write_text(grades.out / "assignment.json", json({{"course", file.string()}, {"assignment", "hw1"}}).dump());
  store.write_pages();
  for (const char* name : {"overview.html", "pages/S-AAAA2222.html"}) {
    INFO(name);
    CHECK(contains(grades.text(name), "15 of 20"));
  }
  CHECK(contains(grades.text("grades.csv"), ",15,20,"));
  CHECK_FALSE(contains(grades.text("overview.html"), "6 of 8"));
  const PointsOfCourse points(grades.out);
  CHECK(points.known());
  CHECK(points.own(store.judged("S-AAAA2222"), g1, 5) ==
        Approx(2));  // five of its points are two of the rung's
  CHECK(points.scaled(store.judged("S-AAAA2222")).points == 15);
  CHECK(store.judged("S-AAAA2222").points == 6);  // records keep the rungs' own
  fs::remove(file);
  CHECK_FALSE(PointsOfCourse(grades.out).known());
  CHECK(PointsOfCourse(grades.out).own(store.judged("S-AAAA2222"), g1, 5) == 5);
}

TEST_CASE("equal sources: the published solution, and those of two people, are named; skeletons are nobody's",
          "[grade]") {
  const Grades grades;
  const fs::path root = grades.scratch.path() / "checkout";
  write_text(root / "lessons" / (g1 + ".cu"), "// TASK\nvoid naive() { ladder::task(); }\n");
  write_text(root / "solutions" / (g1 + ".cu"), "// g1\nvoid naive() { right(); }\n");
  std::vector<model::GradeRecord> records;
  const auto hand_in = [&](const std::string& pseudonym, const std::string& text) {
    write_text(grades.out / "sources" / pseudonym / (g1 + ".cu"), text);
    records.push_back(record_of(pseudonym, with_file(pseudonym), "PASS", 8));
  };
  hand_in("S-1", "void naive()\n{\n  right(); // mine\n}\n");
  hand_in("S-2", "void naive() { ladder::task(); }\n");
  hand_in("S-3", "void naive() { /* TASK */ ladder::task(); }\n");
  hand_in("S-4", "void naive() { mine(); }\n");
  hand_in("S-5", "void naive() {\n  mine();\n}\n");
  hand_in("S-6", "void naive() { other(); }\n");
  auto found = equal_lines(equal_sources(root, grades.out, records));
  CHECK(found == Names{"03/g1 is the published solution, but for comments and blanks, of 1: S-1",
                       "03/g1 is the same, but for comments and blanks, of 2: S-4, S-5"});
  // Two downloads of one person's file are no copy.
  records[4].submission.name = records[3].submission.name;
  CHECK(equal_sources(root, grades.out, records).size() == 1);
}

TEST_CASE("similarity of homework with one rung: one rung is enough, and three friends are no crowd",
          "[grade]") {
  const Passage one{"03/g2", 0, 1, {1, 2, 3, 4}, {1, 2, 3, 4}, 60};
  CHECK(pairs_of({one}).empty());
  CHECK(pairs_of({one}, rarity_of(1)).size() == 1);
  CHECK(pairs_of({one}, rarity_of(2)).empty());
  std::map<std::string, StepText> files;
  std::string text;
  for (int i = 0; i < 30; ++i) text += fmt::format("int a{};\n", i);
  std::vector<Run> runs;
  for (std::size_t w = 0; w < 8; ++w) files[fmt::format("w{}.cpp", w)] = {w, text};
  const auto share = [&](std::size_t works) {
    runs.clear();
    for (std::size_t a = 0; a < works; ++a)
      for (std::size_t b = 0; b < works; ++b)
        if (a != b) runs.push_back({fmt::format("w{}.cpp", a), fmt::format("w{}.cpp", b), 1, 12, 1, 12});
    return runs;
  };
  CHECK(rare_passages("03/g2", files, share(3), 25).empty());
  CHECK_FALSE(rare_passages("03/g2", files, share(3), 25, rarity_of(1)).empty());
  CHECK(rare_passages("03/g2", files, share(8), 25, rarity_of(1)).empty());  // what many have is not rare
}

TEST_CASE("a compiler's temporary names are one name, and nothing else changes", "[grade]") {
  CHECK(without_temporary_names("build/ccW9h5Ne.s:7: x, /tmp/cc6FwzjT.o: y") ==
        "build/temporary.s:7: x, /tmp/temporary.o: y");
  for (const char* same :
       {"success.so", "account.s", "g1_naive.cu:7", "ccache.s", "cc", "cc1234567.s", "ccW9h5Ne.hpp"})
    CHECK(without_temporary_names(same) == same);
}

TEST_CASE("what grading writes is its user's alone; what it builds is for all", "[grade][as-root]") {
  const ScratchFolder scratch;
  fs::permissions(scratch.path(), fs::perms(0755));
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {  // the mask is of the process
    ::umask(022);
    write_privately();
    const fs::path out = scratch.path() / "grades";
    fs::create_directories(out / "records");
    grade::write_record(out / "records/S-AAAA2222.json", record_of("S-AAAA2222", with_file("1"), "PASS", 8));
    const GradeStore store(out);
    store.write_pages();
    store.decide("S-AAAA2222", {g1, "reject", 0, "Anna Ek", "why", ""});
    store.replace(store.judged("S-AAAA2222"));
    std::ofstream(out / "sources") << "x";
    run_process({.arguments = {"sh", "-c", "echo > ours"}, .folder = out});
    run_process({.arguments = {"sh", "-c", "echo > built"}, .folder = scratch.path(), .builds = true});
    run_process({.arguments = {"sh", "-c", "echo > judged"}, .folder = scratch.path(), .for_all = true});
    ::_exit(0);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  REQUIRE(status == 0);
  const auto mode = [](const fs::path& path) {
    return static_cast<unsigned>(fs::status(path).permissions()) & 0777;
  };
  std::size_t files = 0;
  CHECK(mode(scratch.path() / "grades") == 0700);
  for (const auto& entry : fs::recursive_directory_iterator(scratch.path() / "grades")) {
    INFO(entry.path().string());
    CHECK((mode(entry.path()) & 077) == 0);
    ++files;
  }
  CHECK(files >= 9);
  CHECK(mode(scratch.path() / "built") == 0644);
  CHECK(mode(scratch.path() / "judged") == 0644);
  if (::geteuid() != 0) return;
  // As another user of the machine.
  const pid_t other = ::fork();
  if (other == 0) {
    bool read = ::setgid(65534) != 0 || ::setuid(65534) != 0;
    for (const char* file :
         {"grades/grades.csv", "grades/overview.html", "grades/pages/S-AAAA2222.html", "grades/sources"})
      read = read || std::ifstream(scratch.path() / file).good();
    ::_exit(read || !std::ifstream(scratch.path() / "built").good());
  }
  ::waitpid(other, &status, 0);
  CHECK(status == 0);
}

}  // namespace ladder::care_test
