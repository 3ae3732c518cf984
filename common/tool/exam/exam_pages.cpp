#include "common/tool/exam/exam_pages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "common/base/error.hpp"
#include "common/base/text/text.hpp"
#include "common/grade/sha256.hpp"
#include "common/report/results/results.hpp"
#include "common/skeleton/code_lines.hpp"

namespace ladder::exam {
namespace {

using nlohmann::json;
using report::HtmlPage;

constexpr const char* schema = "gpu-ladder-exam/1";
constexpr const char* kinds[] = {"mistake", "count", "more"};

const char* name_of(Ask ask) {
  return kinds[static_cast<int>(ask)];
}

/// Programs of lesson 00 work on images of n x n elements, all others on matrices or grids of order n.
std::string size_text(const Question& q) {
  return q.key.is_object() && q.key.contains("problem") ? q.key["problem"].get<std::string>()
                                                        : fmt::format("n = {}", q.size);
}

std::string number(double value) {
  return fmt::format("{:.0f}", value);
}

std::string caption(const Program& program, const char* which = "") {
  return fmt::format("Program {}{}/{}", which, program.lesson, program.file);
}

void add_program(HtmlPage& page, const Program& program, const char* which = "") {
  page.listing(caption(program, which), shown_lines(program.text));
}

/// What a program should do, so that a mistake can be called one.
std::string purpose(const Program& program) {
  return "What the program should do: " + purpose_of(program.text);
}

void add_question(HtmlPage& page, const Question& q, std::size_t place) {
  if (q.ask == Ask::mistake) {
    page.heading(fmt::format("Question {} (4 points)", place));
    page.paragraph("There is one mistake in this program. The check of the course does not pass it. " +
                   purpose(q.program()));
    add_program(page, q.program());
    page.answer(
        "a) Which line is wrong? If a line is missing: after which line? Write the number. (1 point)");
    page.answer("b) What happens when the program runs, and why? (2 points)", 3);
    page.answer("c) What does check say: WRONG, CRASHED or MISSED? (1 point)");
    return;
  }
  page.heading(fmt::format("Question {} (2 points)", place));
  if (q.ask == Ask::count) {
    page.paragraph(fmt::format("This program is run once. The problem is {}.", size_text(q)));
    add_program(page, q.program());
    page.answer(asked_for(q.metric) + " Write a number, and how you found it.", 2);
    return;
  }
  page.paragraph(fmt::format("Both programs are run once. The problem is {}.", size_text(q)));
  add_program(page, q.programs[0], "A: ");
  add_program(page, q.programs[1], "B: ");
  page.answer(asked_of_two(q.metric) + " Give one reason.", 2);
}

void add_sheet(HtmlPage& page, const Exam& exam, const Sheet& sheet) {
  int points = 0;
  for (const std::size_t q : sheet.questions) points += exam.bank[q].ask == Ask::mistake ? 4 : 2;
  page.facts({{"Name", sheet.student.name},
              {"Number", sheet.student.id},
              {"Points", fmt::format("____ of {}", points)}});
  page.paragraph(
      "The numbers to the left of a program are the lines of its file. Comments are left out. A warp has 32 "
      "threads. "
      "A sector has 32 bytes. Shared memory has 32 banks of 4 bytes. "
      "WRONG: the result is wrong, or threads race. CRASHED: the program or the device stops with an error. "
      "MISSED: the result is right, and the program asks for too much.");
  std::size_t place = 0;
  for (const std::size_t q : sheet.questions) {
    page.together();
    add_question(page, exam.bank[q], ++place);
    page.end();
  }
}

std::string title_of(const Exam& exam, std::size_t sheet) {
  return fmt::format("GPU programming, sheet {:03}: {}", sheet + 1, exam.sheets[sheet].student.name);
}

std::string lines_text(const json& changed) {
  std::string text;
  for (const json& c : changed) {
    const bool missing = c.value("is", "").empty();
    text +=
        fmt::format("{}{} {}", text.empty() ? "" : ", ", missing ? "after line" : "line", c.value("line", 0));
  }
  return text;
}

/// The answer in a few words.
std::string short_answer(const Question& q) {
  if (q.ask == Ask::mistake)
    return fmt::format("{}: {}", lines_text(q.key["changed"]), q.key.value("verdict", ""));
  if (q.ask == Ask::count) return number(q.key.value("amount", 0.0));
  return q.key.value("answer", "");
}

void add_mistake_key(HtmlPage& page, const Question& q) {
  std::vector<std::vector<std::string>> rows;
  for (const json& c : q.key["changed"])
    rows.push_back({std::to_string(c.value("line", 0)),
                    c.value("is", "").empty() ? "(missing after it)" : c.value("is", ""),
                    c.value("was", "").empty() ? "(nothing)" : c.value("was", "")});
  page.table("The mistake", {{"line", true}, {"is"}, {"would be right"}}, rows);
  std::vector<std::pair<std::string, std::string>> said = {
      {q.key.value("verdict", ""), q.key.value("message", "")}};
  for (const json& d : q.key.value("details", json::array())) said.emplace_back(d[0], d[1]);
  page.facts(said);
}

void add_key(HtmlPage& page, const Question& q) {
  page.heading(q.id);
  page.paragraph(short_answer(q));
  if (q.ask == Ask::mistake) return add_mistake_key(page, q);
  if (q.ask == Ask::count) {
    page.facts({{"Problem", size_text(q)},
                {"Counted", fmt::format("{} ({})", number(q.key.value("amount", 0.0)), q.metric)},
                {"Necessary", fmt::format("{} = {}", q.key.value("necessary", ""),
                                          number(q.key.value("necessary_amount", 0.0)))}});
    return;
  }
  page.facts({{"Problem", size_text(q)},
              {"A", fmt::format("{} ({}): {}", number(q.key["counts"][0]), q.metric, q.programs[0].id())},
              {"B", fmt::format("{} ({}): {}", number(q.key["counts"][1]), q.metric, q.programs[1].id())}});
}

json program_json(const Program& p) {
  return {{"lesson", p.lesson}, {"step", p.step}, {"file", p.file},          {"label", p.label},
          {"tree", p.tree},     {"edit", p.edit}, {"sha256", sha256(p.text)}};
}

Question question_from(const json& j) {
  Question q{.id = j.at("id"), .size = j.at("size"), .metric = j.at("metric"), .key = j.at("key")};
  const auto kind = std::find(std::begin(kinds), std::end(kinds), j.at("ask").get<std::string>());
  if (kind == std::end(kinds)) throw Error("the key has a question of an unknown kind");
  q.ask = static_cast<Ask>(kind - std::begin(kinds));
  for (const json& p : j.at("programs"))
    q.programs.push_back({.lesson = p.at("lesson"),
                          .step = p.at("step"),
                          .file = p.at("file"),
                          .label = p.at("label"),
                          .tree = p.at("tree"),
                          .edit = p.at("edit"),
                          .text = p.at("sha256")});
  if (q.programs.empty()) throw Error("the key has a question without a program");
  return q;
}

std::string as_cdata(std::string text) {
  replace_all(text, "]]>", "]]]]><![CDATA[>");
  return "<![CDATA[" + text + "]]>";
}

std::string as_html(std::string text) {
  replace_all(text, "&", "&amp;");
  replace_all(text, "<", "&lt;");
  replace_all(text, ">", "&gt;");
  return text;
}

std::string as_pre(const Program& program) {
  std::string text;
  for (const auto& row : shown_lines(program.text)) text += fmt::format("{:>4}  {}\n", row.number, row.text);
  return "<pre>" + as_html(text) + "</pre>";
}

std::string moodle_answer(const std::string& text, bool right, const std::string& more) {
  return fmt::format("    <answer fraction=\"{}\" format=\"{}\"><text>{}</text>{}</answer>\n",
                     right ? 100 : 0, more.empty() ? "html" : "moodle_auto_format", text, more);
}

std::string moodle_question(const Question& q) {
  const bool count = q.ask == Ask::count;
  std::string html = fmt::format("<p>The problem is {}.</p>", as_html(size_text(q)));
  if (count)
    html += as_pre(q.program()) + "<p>" + asked_for(q.metric) + "</p>";
  else
    html += "<p>Program A:</p>" + as_pre(q.programs[0]) + "<p>Program B:</p>" + as_pre(q.programs[1]) +
            "<p>" + asked_of_two(q.metric) + "</p>";
  std::string text = fmt::format(
      "  <question type=\"{}\">\n    <name><text>{}</text></name>\n"
      "    <questiontext format=\"html\"><text>{}</text></questiontext>\n"
      "    <defaultgrade>2</defaultgrade>\n    <penalty>0</penalty>\n    <hidden>0</hidden>\n",
      count ? "numerical" : "multichoice", q.id, as_cdata(html));
  if (count) {
    text += moodle_answer(number(q.key.value("amount", 0.0)), true, "<tolerance>0</tolerance>");
  } else {
    text +=
        "    <single>true</single>\n    <shuffleanswers>false</shuffleanswers>\n    "
        "<answernumbering>none</answernumbering>\n";
    for (const char* choice : {"A", "B", "the same"})
      text += moodle_answer(choice, q.key.value("answer", "") == choice, "");
  }
  return text + "  </question>\n";
}

}  // namespace

std::vector<report::SourceRow> shown_lines(const std::string& source) {
  const auto code = lines_of(cut::without_comments(source)), whole = lines_of(source);
  std::vector<report::SourceRow> rows;
  for (std::size_t i = 0; i < code.size(); ++i) {
    const auto begins = [&](const char* word) { return whole[i].starts_with(word); };
    if (trim(code[i]).empty() || begins("#include") || begins("#pragma once") || begins("namespace ") ||
        begins("}  // namespace"))
      continue;
    rows.push_back(
        {static_cast<int>(i) + 1, code[i].substr(0, code[i].find_last_not_of(" \t") + 1), "", false});
  }
  return rows;
}

std::string sheet_page(const Exam& exam, std::size_t sheet) {
  HtmlPage page(title_of(exam, sheet));
  add_sheet(page, exam, exam.sheets[sheet]);
  return page.text();
}

std::string all_sheets_page(const Exam& exam) {
  HtmlPage page(fmt::format("{} sheets, one part for each student", exam.sheets.size()));
  for (std::size_t s = 0; s < exam.sheets.size(); ++s) {
    page.part(title_of(exam, s));
    add_sheet(page, exam, exam.sheets[s]);
  }
  return page.text();
}

std::string sheet_file(const Exam& exam, std::size_t sheet) {
  std::string id = exam.sheets[sheet].student.id;
  for (char& c : id)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-' && c != '_') c = '_';
  return fmt::format("{:03}-{}.html", sheet + 1, id);
}

std::string key_page(const Exam& exam) {
  HtmlPage page("Key of the exam");
  page.paragraph(
      "Not for students. Every answer is what a run on the executor has shown; ./ladder exam --check repeats "
      "all runs.");
  std::vector<std::vector<std::string>> rows;
  for (std::size_t s = 0; s < exam.sheets.size(); ++s) {
    std::string answers;
    std::size_t place = 0;
    for (const std::size_t q : exam.sheets[s].questions)
      answers += fmt::format("{}{}) {}", place ? "; " : "", place + 1, short_answer(exam.bank[q])), ++place;
    rows.push_back({std::to_string(s + 1), exam.sheets[s].student.id, exam.sheets[s].student.name, answers});
  }
  page.table("Sheets", {{"sheet", true}, {"number"}, {"name"}, {"answers"}}, rows);
  for (const Question& q : exam.bank) add_key(page, q);
  return page.text();
}

json key_json(const Exam& exam) {
  json questions = json::array(), sheets = json::array();
  for (const Question& q : exam.bank) {
    json programs = json::array();
    for (const Program& p : q.programs) programs.push_back(program_json(p));
    questions.push_back({{"id", q.id},
                         {"ask", name_of(q.ask)},
                         {"size", q.size},
                         {"metric", q.metric},
                         {"programs", programs},
                         {"key", q.key}});
  }
  for (std::size_t s = 0; s < exam.sheets.size(); ++s) {
    json ids = json::array();
    for (const std::size_t q : exam.sheets[s].questions) ids.push_back(exam.bank[q].id);
    sheets.push_back({{"id", exam.sheets[s].student.id},
                      {"name", exam.sheets[s].student.name},
                      {"file", sheet_file(exam, s)},
                      {"questions", ids}});
  }
  return {{"schema", schema},      {"rungs", exam.rungs},    {"seed", exam.seed},
          {"secret", exam.secret}, {"questions", questions}, {"sheets", sheets}};
}

Exam from_key_json(const json& key) {
  if (!key.is_object() || key.value("schema", "") != schema) throw Error("this is no key of an exam");
  try {
    Exam exam{.rungs = key.at("rungs"), .seed = key.at("seed"), .secret = key.at("secret")};
    for (const json& q : key.at("questions")) exam.bank.push_back(question_from(q));
    for (const json& s : key.at("sheets")) {
      Sheet sheet{.student = {s.at("id"), s.at("name")}};
      for (const json& id : s.at("questions")) {
        const auto at =
            std::find_if(exam.bank.begin(), exam.bank.end(), [&](const Question& q) { return q.id == id; });
        if (at == exam.bank.end()) throw Error("a sheet has a question that the key does not have");
        sheet.questions.push_back(static_cast<std::size_t>(at - exam.bank.begin()));
      }
      exam.sheets.push_back(std::move(sheet));
    }
    return exam;
  } catch (const json::exception& error) {
    throw Error(fmt::format("the key of the exam is broken: {}", error.what()));
  }
}

std::string moodle_xml(const Exam& exam) {
  std::string text =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<quiz>\n"
      "  <question type=\"category\"><category><text>$course$/top/GPU Ladder "
      "exam</text></category></question>\n";
  for (const Question& q : exam.bank)
    if (q.ask != Ask::mistake) text += moodle_question(q);
  return text + "</quiz>\n";
}

}  // namespace ladder::exam
