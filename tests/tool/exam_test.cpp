/// @file
/// Exams: which questions there are, who gets which, what is on paper. Nothing is run.
// Guards: docs/exam.md#an-exam-on-paper

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "common/base/error.hpp"
#include "common/base/text/text.hpp"
#include "common/base/usage_error.hpp"
#include "common/model/exam_json.hpp"
#include "common/tool/exam/exam_pages.hpp"
#include "tests/common/catch.hpp"

namespace ladder::exam {
namespace {

grade::Key secret(unsigned char first) {
  grade::Key key{};
  key[0] = first;
  return key;
}

StepEntry rung(const std::string& lesson, const std::string& name, const std::string& metric) {
  return {lesson, name, name + ".cu", {{"targets", {{{"metric", metric}}}}}};
}

/// The questions of three rungs, with answers as a run could give them.
std::vector<Question> bank(const grade::Key& key) {
  static StepEntry g3 = rung("00-first-steps", "g3_tile", "sectors"),
                   g4 = rung("00-first-steps", "g4_padded_tile", "wavefronts"),
                   g2 = rung("03-dgemm", "g2_shared_tiles", "sectors per flop");
  auto all = questions_of(LADDER_PROJECT, {&g3, &g4, &g2}, key);
  for (Question& q : all) {
    q.key.mistake = {.changed = {{.line = 7, .is = "a"}}, .verdict = "WRONG", .message = "so <it> is"};
    q.key.count = {.problem = "n = 64", .amount = 5120, .necessary = "n^2", .necessary_amount = 5120};
    q.key.more = {.problem = "n = 64", .counts = {2, 1}, .answer = "A"};
  }
  return all;
}

std::vector<Student> students(int many) {
  std::vector<Student> all;
  for (int i = 0; i < many; ++i)
    all.push_back({"m" + std::to_string(1000 + i), "Person " + std::to_string(i)});
  return all;
}

Exam exam_of(unsigned char key, int many) {
  Exam exam{.rungs = {"00/g3", "00/g4", "03/g2"}, .seed = 7, .secret = "0011aabb", .bank = bank(secret(key))};
  exam.sheets = deal(exam.bank, students(many), secret(key));
  return exam;
}

}  // namespace

TEST_CASE("changes of a program: a line replaced, a line removed, comments apart") {
  const std::string right = "a;\n// why\nb;  // and why\nc;\nd;\n";
  const auto replaced = changes(right, "a;\nB;\nc;\nd;\n");
  REQUIRE(replaced.size() == 1);
  CHECK(replaced[0].line == 2);
  CHECK(replaced[0].is == "B;");
  CHECK(replaced[0].was == "b;");
  const auto removed = changes(right, "a;\nb;\nd;\n");
  REQUIRE(removed.size() == 1);
  CHECK(removed[0].line == 2);
  CHECK(removed[0].is.empty());
  CHECK(removed[0].was == "c;");
  CHECK(changes(right, "a;\nb;\nc;\nd;\n").empty());
}

TEST_CASE("questions: from the secret alone, of three kinds, each with programs that fit on paper") {
  const auto all = bank(secret(1));
  std::set<std::string> ids;
  std::map<Ask, int> kinds;
  for (const Question& q : all) {
    CHECK(ids.insert(q.id).second);
    ++kinds[q.ask];
    for (const Program& p : q.programs) {
      CHECK_FALSE(p.text.empty());
      if (q.ask == Ask::mistake) {
        CHECK_FALSE(p.changed.empty());
      } else {
        CHECK(q.size % 32 == 0);
      }
    }
  }
  CHECK(kinds[Ask::mistake] == 18);
  CHECK(kinds[Ask::count] >= 18);
  CHECK(kinds[Ask::more] >= 6);
  CHECK(ids.contains("b-00-g4-padding-4-" + std::to_string(all[24].size)) ==
        ids.contains("b-00-g4-padding-2-" + std::to_string(all[24].size)));  // tile and padding are asked for
  const auto again = bank(secret(1)), other = bank(secret(2));
  const auto names = [](const std::vector<Question>& bank) {
    std::vector<std::string> list;
    for (const Question& q : bank) list.push_back(q.id);
    return list;
  };
  CHECK(names(again) == names(all));
  CHECK(names(other) != names(all));
}

TEST_CASE("150 sheets: neighbours never have the same, the same secret gives the same") {
  const Exam exam = exam_of(1, 150), again = exam_of(1, 150), other = exam_of(2, 150);
  REQUIRE(exam.sheets.size() == 150);
  int shared = 0, differ = 0;
  for (std::size_t s = 0; s < exam.sheets.size(); ++s) {
    const auto& mine = exam.sheets[s].questions;
    CHECK(mine.size() == 8);
    CHECK(std::set<std::size_t>(mine.begin(), mine.end()).size() == 8);
    CHECK(mine == again.sheets[s].questions);
    differ += mine != other.sheets[s].questions;
    if (s == 0) continue;
    const auto& before = exam.sheets[s - 1].questions;
    CHECK(std::set<std::size_t>(before.begin(), before.end()) !=
          std::set<std::size_t>(mine.begin(), mine.end()));
    for (const std::size_t q : mine) shared += std::count(before.begin(), before.end(), q);
    CHECK(sheet_page(exam, s) == sheet_page(again, s));
  }
  CHECK(shared == 0);
  CHECK(differ > 140);
}

TEST_CASE("a sheet has the program and no answer, nobody else and no script") {
  const Exam exam = exam_of(1, 5);
  for (std::size_t s = 0; s < exam.sheets.size(); ++s) {
    const std::string page = sheet_page(exam, s);
    for (std::size_t other = 0; other < exam.sheets.size(); ++other)
      CHECK((page.find(exam.sheets[other].student.id) != std::string::npos) == (other == s));
    CHECK(page.find("<script") == std::string::npos);
    CHECK(page.find("http") == std::string::npos);
    CHECK(page.find("__global__") != std::string::npos);
    for (const std::size_t q : exam.sheets[s].questions)
      for (const Program& p : exam.bank[q].programs)
        if (!p.edit.empty()) {
          CHECK(page.find(p.edit) == std::string::npos);
        }
    CHECK(page.find("5120") == std::string::npos);
    CHECK(sheet_file(exam, s) == fmt::format("{:03}-m{}.html", s + 1, 1000 + s));
  }
  CHECK(lines_of(all_sheets_page(exam)).size() > 100);
}

TEST_CASE("lines of a program on paper: the file's numbers, no comments, no includes") {
  const auto rows = shown_lines(
      "/// @file\n#include \"a.hpp\"\n\nnamespace a {\n\nvoid f() {  // why\n  g();\n}\n\n}  // namespace "
      "a\n");
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].number == 6);
  CHECK(rows[0].text == "void f() {");
  CHECK(rows[2].text == "}");
}

TEST_CASE("the key comes back as it was written; what is no key is said") {
  const Exam exam = exam_of(1, 4);
  const Exam read = from_key_json(key_json(exam));
  REQUIRE(read.bank.size() == exam.bank.size());
  const auto answer = [](const Question& q) { return model::to_json(q.ask, q.key); };
  for (std::size_t i = 0; i < exam.bank.size(); ++i) {
    CHECK(read.bank[i].id == exam.bank[i].id);
    CHECK(answer(read.bank[i]) == answer(exam.bank[i]));
  }
  CHECK(read.bank.back().ask == Ask::more);
  const nlohmann::json questions = key_json(exam)["questions"];
  CHECK(questions.front()["key"]["changed"][0] == nlohmann::json{{"line", 7}, {"is", "a"}, {"was", ""}});
  CHECK(questions.back()["key"] ==
        nlohmann::json{{"problem", "n = 64"}, {"counts", {2.0, 1.0}}, {"answer", "A"}});
  CHECK(read.sheets[3].questions == exam.sheets[3].questions);
  CHECK_THROWS_AS(from_key_json({{"schema", "other"}}), Error);
  nlohmann::json broken = key_json(exam);
  broken["questions"][0]["key"]["verdikt"] = "WRONG";
  CHECK_THROWS_WITH(from_key_json(broken),
                    "the key of the exam.questions[0].key.verdikt is not a known field");
  broken = key_json(exam);
  broken["sheets"][0]["questions"][0] = "none";
  CHECK_THROWS_AS(from_key_json(broken), Error);
  CHECK(key_page(exam).find("so &lt;it&gt; is") != std::string::npos);
}

TEST_CASE("Moodle: counts are numerical, comparisons multichoice with one right answer") {
  const Exam exam = exam_of(1, 4);
  const std::string xml = moodle_xml(exam);
  const auto count = [&](const std::string& what) {
    int found = 0;
    for (std::size_t at = 0; (at = xml.find(what, at)) != std::string::npos; at += what.size()) ++found;
    return found;
  };
  const auto of = [&](Ask ask) {
    return std::count_if(exam.bank.begin(), exam.bank.end(), [&](const Question& q) { return q.ask == ask; });
  };
  CHECK(count("type=\"numerical\"") == of(Ask::count));
  CHECK(count("type=\"multichoice\"") == of(Ask::more));
  CHECK(count("fraction=\"100\"") == of(Ask::count) + of(Ask::more));
  CHECK(count("<question ") == count("</question>"));
  CHECK(count("<text>5120</text>") == of(Ask::count));
}

TEST_CASE("too few questions for neighbours are refused; one student may have them") {
  auto few = bank(secret(1));
  few.resize(3);
  CHECK_THROWS_AS(deal(few, students(2), secret(1)), UsageError);
  CHECK(deal(few, students(1), secret(1)).front().questions.size() == 3);
}

}  // namespace ladder::exam
