/// @file
/// What judging again changes of grades: words that stay true, who would lose, people by the course file,
/// tests that were changed.
// Guards: docs/grading.md#afterwards

#include "common/tool/grading/submission/regrade_changes.hpp"

#include <fmt/format.h>

#include "common/base/files/files.hpp"
#include "common/base/usage_error.hpp"
#include "common/grade/record.hpp"
#include "common/tool/judging/private_tests.hpp"
#include "common/tool/review/review_items.hpp"
#include "tests/common/catch.hpp"

namespace ladder::regrade_test {
namespace fs = std::filesystem;

namespace {

const std::string g1 = "03-dgemm/g1_naive";

model::GradedResult step_of(const std::string& verdict, double points, double most,
                            const std::string& message) {
  model::GradedResult step;
  step.lesson = "03-dgemm", step.name = "g1_naive", step.file = "g1_naive.cu";
  step.verdict = *verdict_of(verdict), step.message = message;
  step.points = points, step.max_points = most;
  return step;
}

void add(model::GradeRecord& record, const model::GradedResult& step, const std::string& part = "") {
  grade::add_step(record, {step, part.empty() ? "instant" : "final", part, 8, {}});
}

model::GradeRecord empty_record_of(const std::string& pseudonym) {
  return grade::new_record({pseudonym, "of " + pseudonym, "", 1}, {},
                           {.sandbox = "uid", .machine = {{"cpu", "x"}}, .ladder = {{"commit", "c"}}});
}

/// A folder of grades with these records.
class Folder {
 public:
  GradeStore with(const std::vector<model::GradeRecord>& records) {
    fs::create_directories(path / "records");
    for (const model::GradeRecord& record : records)
      grade::write_record(path / "records" / (record.pseudonym + ".json"), record);
    return GradeStore(path);
  }

 private:
  ScratchFolder scratch_;

 public:
  const fs::path path = scratch_.path() / "grades", beside = scratch_.path();
};

/// A record with a private part of that many points of 4.
model::GradeRecord with_private(const std::string& pseudonym, double points) {
  model::GradeRecord record = empty_record_of(pseudonym);
  add(record, step_of("PASS", 8, 8, "right"));
  add(record, step_of(points < 4 ? "MISSED" : "PASS", points, 4, "private"), grade::private_part);
  return record;
}

Changes changes_to(const GradeStore& store, const model::GradeRecord& fresh) {
  return changes_of(store, proposal_of(store, store.record(fresh.pseudonym), fresh), false);
}

}  // namespace

TEST_CASE("regrade: why a file could not be taken stays what the student reads", "[regrade]") {
  Folder folder;
  for (const char* why : {"g1_naive.cu could not be taken: it is UTF-16: save it as UTF-8",
                          "the submission could not be read: it holds no files"}) {
    model::GradeRecord record = empty_record_of("S-AAAA2222"), fresh = record;
    add(record, step_of("NOT STARTED", 0, 8, why));
    add(fresh, step_of("NOT STARTED", 0, 8, "no g1_naive.cu in the submission"));
    const GradeStore store = folder.with({record});
    const Changes changes = changes_to(store, fresh);
    CHECK(changes.words == 0);
    CHECK(changes.lines.empty());
    CHECK(entry_of(changes.record, g1)->student.message == why);
    // What was taken is judged by its text: a skeleton's words may change.
    write_text(folder.path / "sources/S-AAAA2222/03-dgemm/g1_naive.cu", "// skeleton");
    CHECK(changes_to(store, fresh).words == 1);
    fs::remove_all(folder.path / "sources");
  }
}

TEST_CASE("regrade: who would lose is one summary, and no news after --apply", "[regrade]") {
  Folder folder;
  std::vector<model::GradeRecord> records, fresh;
  for (int i = 0; i < 7; ++i) {
    records.push_back(with_private(fmt::format("S-AAAA000{}", i), i == 0 ? 2 : 4));
    fresh.push_back(with_private(fmt::format("S-AAAA000{}", i), i == 0 ? 4 : i == 6 ? 4 : 2.79));
  }
  const GradeStore store = folder.with(records);
  RegradeTally tally;
  for (std::size_t i = 0; i < fresh.size(); ++i) {
    const Changes changes = changes_to(store, fresh[i]);
    tally.add(changes);
    CHECK(changes.lines.size() == (i == 0 ? 1 : 0));  // the kept are not listed as changes
    if (i > 0) CHECK(entry_of(changes.record, g1, grade::private_part)->points == 4);
    CHECK(changes.lower.size() == (i == 0 || i == 6 ? 0 : 1));
  }
  CHECK(tally.text(false) == "1 would change, 0 in words only, 6 stay as they are");
  CHECK(tally.text(true) == "1 changed, 0 in words only, 6 stayed as they were");
  const auto lines = tally.lower_text(known_lower(store));
  REQUIRE(lines.size() == 2);
  CHECK(lines[0] ==
        "5 submissions would have fewer points, and keep what they have (--may-lower lowers them):");
  CHECK(lines[1] ==
        "  03/g1, private part: PASS, 4 of 4 points → MISSED, 2.79 of 4 points: 5 (S-AAAA0001, S-AAAA0002, "
        "S-AAAA0003 and 2 more)");
  keep_known_lower(store, tally.lower());
  CHECK(tally.lower_text(known_lower(store)) ==
        std::vector<std::string>{"5 results lower, and kept, as at the last --apply"});
}

TEST_CASE("regrade: by the course file it says which people change, not how many drafts", "[regrade]") {
  Folder folder;
  const GradeStore store = folder.with(
      {with_private("S-AAAA0000", 2), with_private("S-AAAA0001", 4), with_private("S-AAAA0002", 2)});
  write_text(folder.beside / "private/03-dgemm/private_test.cpp", "// as it was");
  write_text(folder.beside / "course.toml",
             "course = \"CS\"\ntimezone = \"America/Chicago\"\n[[assignment]]\nname = \"hw1\"\n"
             "opens = 2027-02-01T09:00\ndue = 2027-02-14T23:59\nrungs = { \"03/g1\" = 10 }\n"
             "private = { folder = \"private\", points = 6 }\n");
  const course::Course course = course::read_course(folder.beside / "course.toml");
  const auto before = store.records();
  auto now = before;
  CHECK(people_who_change(store, course, course.assignment("hw1"), before, now) ==
        std::vector<std::string>{"hw1: nobody gets other points"});
  now[0] = with_private("S-AAAA0000", 4);
  const auto lines = people_who_change(store, course, course.assignment("hw1"), before, now);
  REQUIRE(lines.size() == 2);
  CHECK(lines[0] == "hw1: 1 person gets other points:");
  CHECK(lines[1].starts_with("  of S-AAAA0000: 13 → 16 points (16 of 16 points"));
}

TEST_CASE("regrade: an export knows that private parts were judged by other tests", "[regrade]") {
  Folder folder;
  const GradeStore store = folder.with({with_private("S-AAAA0000", 2), with_private("S-AAAA0001", 4)});
  const fs::path tests = folder.beside / "private", file = tests / "03-dgemm/private_test.cpp";
  write_text(file, "// as it was");
  const auto said = [&] { return outstanding_regrade(store, store.records(), tests, "course.toml"); };
  CHECK(said().empty());  // nobody knows by which
  keep_private_sums(store, {{g1, private_sum(tests, "03-dgemm")}});
  CHECK(said().empty());
  write_text(file, "// fixed");
  CHECK(said().starts_with("2 private parts were judged by other private tests"));
  CHECK(said().find("./ladder regrade " + folder.path.string() + " --all --course course.toml") !=
        std::string::npos);
  keep_private_sums(store, {{g1, private_sum(tests, "03-dgemm")}});
  CHECK(said().empty());
}

TEST_CASE("review: evidence and headline say different things; alike is what was found alike", "[review]") {
  const auto looked_at = [](const std::string& pseudonym, const std::string& found, const std::string& name,
                            const std::string& judged) {
    model::GradeRecord record = empty_record_of(pseudonym);
    auto step = step_of("REVIEW", 8, 8, fmt::format("{}; judged {}: all of it", found, judged));
    step.judged_as = verdict_of(judged), step.uses = {name};
    add(record, step);
    return record;
  };
  const std::string registers = "it registers a function for the end of the process (atexit)";
  Folder folder;
  const GradeStore store =
      folder.with({looked_at("S-AAAA0000", registers, "atexit", "PASS"),
                   looked_at("S-AAAA0001", registers, "atexit", "WRONG"),
                   looked_at("S-AAAA0002", registers, "atexit", "REJECTED"),
                   looked_at("S-AAAA0003", "it defines a name of the harness itself (x)", "x", "PASS")});
  const auto items = open_items(store);
  REQUIRE(items.size() == 4);
  CHECK(evidence_of(items[0].step) ==
        "the object file of g1_naive.cu has the symbol atexit, and that of the reference has not");
  CHECK(allowance_for(items[0].step).find("allow = { symbols = [\"atexit\"] }") != std::string::npos);
  CHECK(allowance_for(items[3].step).empty());
  const auto others = alike(items, "S-AAAA0000", items[0].step);
  REQUIRE(others.size() == 1);
  CHECK(others[0].pseudonym == "S-AAAA0001");
  CHECK(alike(items, "S-AAAA0002", items[2].step).empty());
  Decisions all = decisions_for(others, {"", "accept", 0, "anna", "it is harmless", "2027-03-01T10:00:00Z"});
  all.emplace_back("S-AAAA0000", all[0].second);
  store.decide(all);
  CHECK(open_items(store).size() == 2);
  all[1].second.reason.clear();
  CHECK_THROWS_AS(store.decide(all), UsageError);
}

}  // namespace ladder::regrade_test
