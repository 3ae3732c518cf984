/// @file
/// Records of grades: points by phase, words for staff and for students, files, tables.
// Guards: docs/grading.md#who-reads-what

#include "common/grade/record.hpp"

#include <fmt/format.h>

#include "common/base/error.hpp"
#include "common/grade/csv.hpp"
#include "common/grade/intake/package.hpp"
#include "tests/common/catch.hpp"
#include "tests/common/grade/packed.hpp"
#include "tests/tool/schema.hpp"

using namespace ladder::grade;
using namespace ladder::grade::test;
using ladder::Verdict;
using ladder::model::GradedResult;
using ladder::model::GradeEntry;
using ladder::model::GradeRecord;
using ladder::test::contains;
using ladder::test::violation;
using nlohmann::json;

namespace {

json schema(const char* file) {
  return json::parse(read(fs::path(SCHEMA_FOLDER) / file));
}

Taken one_file() {
  Taken taken;
  taken.files = {{"03-dgemm/g2_shared_tiles.cu",
                  "hw/g2_shared_tiles.cu",
                  7,
                  ladder::sha256("int a;\n"),
                  ladder::sha256("int a;\r\n"),
                  {"crlf"}}};
  taken.refused = {{"x.cu", "is empty"}};
  taken.sha256 = ladder::sha256("x");
  taken.notes = "why";
  return taken;
}

GradeRecord record() {
  return new_record(
      {"S-ABCDEFGH", "smithbob.zip", "2027-02-14T22:10:00Z", 1}, one_file(),
      {.sandbox = "bwrap", .machine = {{"cpu", "x"}}, .ladder = {{"commit", "c"}}, .key_id = "01234567"});
}

GradedResult result(const std::string& verdict, double points, double most,
                    const std::string& name = "g2_shared_tiles") {
  GradedResult one;
  one.lesson = "03-dgemm", one.name = name, one.file = name + ".cu";
  one.verdict = *ladder::verdict_of(verdict), one.message = "said";
  one.points = points, one.max_points = most;
  one.kind = "R", one.tree = "solutions";
  one.backend = "executor", one.data = "resident", one.details = {{"Evidence", "line 7"}};
  return one;
}

StepGrade instant(const GradedResult& result, std::vector<Open> open = {}) {
  return {result, "instant", "", 8, std::move(open)};
}

/// One of the final phase, which closes what is open.
StepGrade final_part(const GradedResult& result, const std::string& part, double most) {
  return {result, "final", part, most, {}};
}

const GradeEntry& only_step(const GradeRecord& record) {
  return record.steps.at(0);
}

/// "ACCEPTED: an honest design"
std::string student_text(const GradeEntry& step) {
  return step.student.verdict + ": " + step.student.message;
}

std::string text_of(const ladder::model::StudentView& view) {
  std::string text = fmt::format("{} {}", view.pseudonym, view.submission.name);
  for (const auto& step : view.steps) text += to_json(step).dump();
  return text + view.total;
}

}  // namespace

TEST_CASE("a record fits its schema, and its rungs fit that of results") {
  GradeRecord r = record();
  add_step(r, instant(result("PASS", 8, 8), {{"private part", 8, "after 2027-02-14 23:59"}}));
  add_step(r, instant(result("REVIEW", 7.5, 8, "g3_register_tiles")));
  decide(r, {"03-dgemm/g3_register_tiles", "deduct", 1, "Anna Ek", "too few operations",
             "2027-02-20T10:00:00Z"});
  const json grades = schema("grades.schema.json"), results = schema("results.schema.json");
  json written = to_json(r);
  CHECK(violation(written, grades, grades) == "");
  for (const json& step : written["steps"]) CHECK(violation(step, results["$defs"]["step"], results) == "");
  CHECK(wrong_with(written) == "");
  CHECK(r.submission.files[0].submitted_sha256 == ladder::sha256("int a;\r\n"));
  written["steps"][0]["student"]["verdict"] = "REVIEW";
  CHECK(contains(violation(written, grades, grades), "/steps/0/student/verdict"));
  CHECK(wrong_with(written) == "step 03-dgemm/g2_shared_tiles tells the student REVIEW");
}

TEST_CASE("what is open is counted nowhere, and said") {
  GradeRecord r = record();
  CHECK(total_text(r) == "0 of 0");
  const Open hidden{"private part", 8, "after 2027-02-14 23:59"}, time{"time", 1, "when it is measured"};
  add_step(r, instant(result("PASS", 8, 8), {hidden, time}));
  CHECK(total_text(r) ==
        "visible part 8 of 8; private part, 8 points, opens after 2027-02-14 23:59; "
        "time, 1 point, opens when it is measured");
  CHECK(only_step(r).open_points == 9);
  add_step(r, instant(result("PASS", 16, 16, "g3_register_tiles"), {hidden}));
  CHECK(r.open.size() == 2);
  CHECK(r.open[0].points == 16);
  const json before = to_json(only_step(r));
  for (const char* step : {"g2_shared_tiles", "g3_register_tiles"})
    add_step(r, final_part(result("MISSED", 4.505, 8, step), "private part", 8));
  add_step(r, final_part(result("PASS", 1, 1), "time", 1));
  CHECK(total_text(r) == "34.01 of 41");
  for (const char* field : {"points", "max_points", "verdict", "student", "staff"})
    CHECK(to_json(only_step(r))[field] == before[field]);  // the final phase changes no instant point
}

TEST_CASE("points of rungs that were not judged to their end") {
  GradeRecord r = record();
  GradedResult unbuilt = result("BUILD ERROR", 0, 0, "g1_naive");
  unbuilt.points = unbuilt.max_points = std::nullopt;
  add_step(r, instant(unbuilt));
  CHECK(total_text(r) == "0 of 8");
  add_step(r, instant(result("WRONG", 1, 4, "g1_naive")));  // instead of the former
  CHECK(total_text(r) == "1 of 8");
  add_step(r, instant(result("SKIPPED", 4, 4,
                             "g5_async_copies")));  // what this device cannot measure is not counted
  CHECK(total_text(r) == "5 of 12");
  add_step(r, instant(result("NOT RUN", 0, 0, "g7_streams")));
  CHECK(total_text(r) ==
        "visible part 5 of 12; 03-dgemm/g7_streams, 8 points, opens when it has been judged");
  CHECK(contains(r.steps[2].student.message, "costs no points"));
  GradedResult broken = result("PASS", 99, 8, "g2_shared_tiles");
  broken.points.reset();
  add_step(r, instant(broken));
  CHECK(r.steps[3].points == 0);
}

TEST_CASE("REVIEW and REJECTED are words for staff until a person has decided") {
  for (const char* verdict : {"REVIEW", "REJECTED"}) {
    GradeRecord r = record();
    GradedResult suspicious = result(verdict, 7, 8);
    suspicious.targets.emplace_back().reason = "too few";
    suspicious.targets[0].verdict = suspicious.verdict;
    add_step(r, instant(suspicious));
    CHECK(student_text(only_step(r)) == "PROVISIONAL: a person looks at this; points provisional");
    CHECK(only_step(r).staff.verdict == suspicious.verdict);
    CHECK(total_text(r) == "7 of 8; provisional: a person looks at a rung");  // no zero by itself
    const std::string seen = text_of(student_view(r));
    for (const char* word : {"REVIEW", "REJECTED", "line 7", "too few", "smithbob"})
      CHECK(!contains(seen, word));

    GradeRecord accepted = r, deducted = r, rejected = r;
    const std::string step = "03-dgemm/g2_shared_tiles";
    decide(accepted, {step, "accept", 0, "Anna Ek", "an honest design", ""});
    CHECK(student_text(only_step(accepted)) == "ACCEPTED: an honest design");
    CHECK(total_text(accepted) == "7 of 8");
    decide(deducted, {step, "deduct", 1.5, "Anna Ek", "a slip", ""});
    CHECK(only_step(deducted).student.message == "1.5 points: a slip");
    CHECK(total_text(deducted) == "5.5 of 8");
    decide(rejected, {step, "reject", 0, "Anna Ek", "reads the judge", ""});
    CHECK(total_text(rejected) == "0 of 8");
    decide(rejected, {step, "accept", 0, "Ben Os", "it does not", ""});
    CHECK(total_text(rejected) == "7 of 8");
    CHECK(rejected.decisions.size() == 2);
    CHECK(!contains(text_of(student_view(rejected)), "Anna"));
    add_step(accepted, instant(suspicious));  // judged again: the decision stays
    CHECK(only_step(accepted).student.verdict == "ACCEPTED");
  }
  GradeRecord r = record();
  add_step(r, instant(result("PASS", 8, 8)));
  CHECK_THROWS_AS(decide(r, {"03-dgemm/g2_shared_tiles", "accept", 0, "", "x", ""}), ladder::Error);
  CHECK_THROWS_AS(decide(r, {"03-dgemm/g2_shared_tiles", "accept", 0, "Anna", "", ""}), ladder::Error);
  CHECK_THROWS_AS(decide(r, {"03-dgemm/g2_shared_tiles", "forgive", 0, "Anna", "x", ""}), ladder::Error);
  CHECK_THROWS_AS(decide(r, {"03-dgemm/g2_shared_tiles", "deduct", 0, "Anna", "x", ""}), ladder::Error);
  CHECK_THROWS_AS(decide(r, {"03-dgemm/g9", "accept", 0, "Anna", "x", ""}), ladder::Error);
  CHECK_THROWS_AS(add_step(r, {result("PASS", 1, 1), "later", "", 1, {}}), ladder::Error);
  CHECK_THROWS_AS(add_step(r, final_part(result("PASS", 1, 1), "", 1)), ladder::Error);
}

TEST_CASE("nothing taken of something that came is told, and waits for a person") {
  const auto with = [](const std::vector<Refused>& refused, const std::vector<std::string>& contained,
                       bool skeleton) {
    Taken taken;
    taken.refused = refused, taken.contained = contained;
    if (skeleton)
      taken.files = {{"03-dgemm/g1_naive.cu", "g1_naive.cu", 7, "1", "1", {}}};
    else
      taken.missing = {"03-dgemm/g1_naive.cu"};
    GradeRecord r = new_record({"S-ABCDEFGH", "x", "", 1}, taken, {});
    GradedResult step = result("NOT STARTED", 0, 0, "g1_naive");
    step.message = why_missing("g1_naive.cu", "x", taken);
    add_step(r, instant(step));
    return r;
  };
  const auto waits = [](const GradeRecord& r) { return is_untaken(r, only_step(r)); };
  CHECK_FALSE(waits(with({}, {}, false)));  // nothing was handed in
  const GradeRecord doc = with({}, {"resposta.docx"}, false);
  CHECK(waits(doc));
  CHECK(what_was_there(doc.submission, 3) == "resposta.docx");
  CHECK(student_view(doc).steps[0].student.message ==
        "no g1_naive.cu in the submission, and nothing that could be it; not taken: resposta.docx");
  CHECK(student_view(doc).submission.contained == std::vector<std::string>{"resposta.docx"});
  const json grades = schema("grades.schema.json");
  CHECK(violation(to_json(doc)["submission"], grades["properties"]["submission"], grades, "submission") ==
        "");
  CHECK(only_step(with({{"hw/g1_naive (1).cu", "is UTF-16"}}, {}, false)).message ==
        "hw/g1_naive (1).cu could not be taken: it is UTF-16");
  CHECK(only_step(with({{"x", "is encrypted"}}, {}, false)).message ==
        "the submission could not be read: it is encrypted");
  CHECK(waits(with({{"x", "is encrypted"}}, {}, false)));
  // The skeleton, and with it what may be the work.
  CHECK_FALSE(waits(with({}, {"Makefile", "report.pdf"}, true)));
  CHECK(waits(with({}, {"g1_final.cu"}, true)));
  // Somebody has looked: it stays at 0 points, under its own word. A file of the staff's ends it, too.
  GradeRecord looked = doc;
  decide(looked, {"03-dgemm/g1_naive", "accept", 0, "Anna Ek", "a letter to the staff", "",
                  source_of(doc, "03-dgemm/g1_naive")});
  CHECK_FALSE(waits(looked));
  CHECK(student_text(only_step(looked)) == "NOT STARTED: a letter to the staff");
  GradeRecord amended = doc;
  amended.steps[0].amendment.emplace();
  CHECK_FALSE(waits(amended));
}

TEST_CASE("a decision is about the file that was looked at, and not about one that replaced it") {
  GradeRecord r = record();
  add_step(r, instant(result("REVIEW", 7, 8)));
  const std::string step = "03-dgemm/g2_shared_tiles";
  decide(r, {step, "reject", 0, "Anna Ek", "reads the judge", "", source_of(r, step)});
  CHECK(total_text(r) == "0 of 8");
  GradeRecord replaced = r;
  replaced.submission.files[0].sha256 = ladder::sha256("int b;\n");
  add_step(replaced, instant(result("REVIEW", 6, 8)));
  CHECK(only_step(replaced).student.verdict == "PROVISIONAL");
  decide(replaced, {step, "accept", 0, "Ben Os", "fine", "", source_of(replaced, step)});
  CHECK(total_text(replaced) == "6 of 8");
  // Of an older log, which names no file, every decision counts.
  GradeRecord older = record();
  add_step(older, instant(result("REVIEW", 7, 8)));
  decide(older, {step, "reject", 0, "Anna Ek", "reads the judge", ""});
  older.submission.files[0].sha256 = ladder::sha256("int b;\n");
  add_step(older, instant(result("REVIEW", 6, 8)));
  CHECK(total_text(older) == "0 of 8");
}

TEST_CASE("words that change are those that a student reads") {
  const auto entry = [](const std::string& verdict, const std::string& message, const char* detail) {
    GradeRecord of = record();
    GradedResult judged = result(verdict, 4, 8);
    judged.message = message;
    judged.details[0].second = detail;
    judged.judge_seconds = message.size();  // no word
    add_step(of, instant(judged));
    return of.steps[0];
  };
  const GradeEntry before = entry("MISSED", "too many sectors", "line 7");
  CHECK(changed_words(before, before) == "");
  CHECK(changed_words(before, entry("MISSED", "3.7 times the sectors", "line 7")) ==
        "\"too many sectors\" → \"3.7 times the sectors\"");
  CHECK(changed_words(before, entry("MISSED", "too many sectors", "line 8")) == "its details");
  // A compiler's temporary files have another name in each run.
  CHECK(changed_words(entry("BUILD ERROR", "build/ccW9h5Ne.s:7: no such instruction", "/tmp/ccAAAAAA.o"),
                      entry("BUILD ERROR", "build/cc6FwzjT.s:7: no such instruction", "/tmp/cc_b0Bb1.o")) ==
        "");
  CHECK(changed_words(entry("BUILD ERROR", "build/ccW9h5Ne.s:7: x", "a"),
                      entry("BUILD ERROR", "build/cc6FwzjT.s:8: x", "a")) != "");
  // Evidence is for staff.
  CHECK(changed_words(entry("REVIEW", "it names ptrace", "line 7"),
                      entry("REVIEW", "it calls ptrace", "line 8")) == "");
}

TEST_CASE("of a private part a student reads class and verdict") {
  GradeRecord r = record();
  GradedResult hidden = result("WRONG", 2, 8);
  hidden.message = "C(3, 7): expected 15.92003";
  hidden.cases = {{"thin", 1, 3}};
  hidden.runs = {Verdict::wrong, Verdict::wrong};
  add_step(r, final_part(hidden, "private part", 8));
  const auto view = student_view(r).steps[0];
  CHECK(view.student.verdict == "WRONG");
  CHECK(view.cases.at(0).name == "thin");
  CHECK(view.runs.empty());
  CHECK(!contains(to_json(view).dump(), "15.92003"));
  CHECK(!contains(to_json(view).dump(), "line 7"));
}

TEST_CASE("records are written whole, and a wrong one is refused with the reason") {
  const Scratch scratch;
  GradeRecord r = record();
  add_step(r, instant(result("PASS", 8, 8)));
  r.submission.notes = "\xff";  // never a reason to lose a grade
  write_record(scratch / "records/a.json", r);
  CHECK(files_below(scratch.path()) == std::vector<std::string>{"records/a.json"});
  const json back = to_json(read_record(scratch / "records/a.json"));
  CHECK(back["steps"] == to_json(r)["steps"]);
  const auto refused = [&](const std::string& text) {
    write(scratch / "a.json", text);
    try {
      read_record(scratch / "a.json");
    } catch (const ladder::Error& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  CHECK(contains(refused("{"), "is no record of schema gpu-ladder-grade/1"));
  CHECK(contains(refused(back.dump().substr(0, 200)), "is no record of schema"));
  json wrong = back;
  wrong["points"] = 9;
  CHECK(contains(refused(wrong.dump()), "its total is 9 of 8 points, and its rungs have 8 of 8"));
  wrong = back, wrong["steps"][0]["points"] = 9;
  CHECK(contains(refused(wrong.dump()), "has 9 of 8 points"));
  wrong = back, wrong["steps"][0].erase("staff");
  CHECK(contains(refused(wrong.dump()), "has no staff"));
  wrong = back,
  wrong["decisions"].push_back({{"step", "x"}, {"action", "accept"}, {"by", ""}, {"reason", "y"}});
  CHECK(contains(refused(wrong.dump()), "a decision has no person or reason"));
  CHECK_THROWS_AS(write_record("/proc/none/a.json", r), ladder::Error);
}

TEST_CASE("a package says what is in it, and its receipt is the grade's") {
  const Scratch scratch;
  const std::vector<PackageFile> files = {
      {"03-dgemm/g2_shared_tiles.cu", "#include \"tile.hpp\"\r\n"},
      {"03-dgemm/g1_naive.cu", "// g1\n"},
      {"03-dgemm/tile.hpp", "int tile = 32;\n"},
      {"notes.md", "why\r\n"},
      {"predictions.json", R"({"schema":"gpu-ladder-predictions/1","predictions":[]})"}};
  const json manifest = manifest_of("03-dgemm", "2027.1", files);
  const json grades = schema("grades.schema.json");
  CHECK(violation(manifest, grades["$defs"]["package"], grades) == "");
  std::vector<Item> items = {{"manifest.json", manifest.dump()}};
  for (const PackageFile& file : files) items.push_back({"hw/" + file.path, file.bytes});
  int count = 0;
  const auto taken_of = [&](const std::vector<Item>& all, const Wanted& wanted) {
    const std::string name = std::to_string(++count);
    return take(pack(scratch / (name + ".zip"), "zip", all), wanted, scratch / name);
  };
  const Taken taken = taken_of(items, two_steps());
  CHECK(taken.refused.empty());
  CHECK(json::parse(taken.manifest) == manifest);
  CHECK(differences(taken).empty());
  CHECK(receipt_of(taken) == manifest["receipt"]);
  // One step is graded of two, with or without its header.
  for (const char* step : {"03-dgemm/g1_naive.cu", "03-dgemm/g2_shared_tiles.cu"})
    CHECK(receipt_of(taken_of(items, {.steps = {step}})) == manifest["receipt"]);
  // Any file that is another one, is gone or was not packed gives another receipt, and is named.
  for (std::size_t i = 1; i < items.size(); ++i) {
    auto edited = items, gone = items;
    edited[i].bytes += " ";
    gone.erase(gone.begin() + static_cast<std::ptrdiff_t>(i));
    const std::string path = items[i].path.substr(3);
    for (const auto& [all, said] : {std::pair(edited, " is another file than when it was packed"),
                                    std::pair(gone, " is in the manifest and was not taken")}) {
      INFO(path << said);
      const Taken other = taken_of(all, two_steps());
      const auto found = differences(other);
      REQUIRE_FALSE(found.empty());
      // Without a step its header is not taken either.
      CHECK(found.front() == path + said);
      CHECK(receipt_of(other) == receipt(other.sha256));
      CHECK(receipt_of(other) != manifest["receipt"]);
    }
  }
  auto more = items;
  more[2].bytes = "#include \"own.hpp\"\n";
  more.push_back({"hw/03-dgemm/own.hpp", "int own;\n"});
  CHECK(differences(taken_of(more, two_steps())).back() == "03-dgemm/own.hpp is not in the manifest");
  Taken odd = taken;
  odd.manifest = R"({"schema":"gpu-ladder-submission/1","files":[1]})";
  CHECK(differences(odd) == std::vector<std::string>{"the manifest is not what submit writes"});
  odd.manifest.clear();
  CHECK(receipt_of(odd) == receipt(taken.sha256));
}

TEST_CASE("a table for spreadsheets: RFC 4180, and no name becomes a formula") {
  CHECK(csv_line({"a", "b,c", "d\"e", "f\ng", ""}) == "a,\"b,c\",\"d\"\"e\",\"f\ng\",\r\n");
  CHECK(csv_field(csv_name("=O'Brien, Søren")) == "\"'=O'Brien, Søren\"");
  for (const char* name : {"+x", "-1+x", "@x", "\tx", "\nx"}) CHECK(csv_name(name)[0] == '\'');
  for (const char* name : {"O'Brien", "-", "-1.5", "+1"}) CHECK(csv_name(name) == name);
  GradeRecord r = record();
  add_step(r, instant(result("REVIEW", 7.254, 8), {{"private part", 8, "later"}}));
  GradeRecord other = record();
  other.pseudonym = "S-BBBBBBBB";
  add_step(other, instant(result("PASS", 8, 8, "g1_naive")));
  CHECK(
      overview_csv({r, other}) ==
      "pseudonym,attempt,received,receipt,points,max_points,open_points,provisional,03-dgemm/g1_naive points,"
      "03-dgemm/g1_naive verdict,03-dgemm/g2_shared_tiles points,03-dgemm/g2_shared_tiles verdict\r\n"
      "S-ABCDEFGH,1,2027-02-14T22:10:00Z," +
          receipt(ladder::sha256("x")) +
          ",7.25,8,8,yes,,,7.25,PROVISIONAL\r\n"
          "S-BBBBBBBB,1,2027-02-14T22:10:00Z," +
          receipt(ladder::sha256("x")) + ",8,8,0,no,8,PASS,,\r\n");
  CHECK(
      contains(overview_csv({r}, {{"S-ABCDEFGH", "=O'Brien, Søren"}}), "S-ABCDEFGH,\"'=O'Brien, Søren\",1,"));
}
