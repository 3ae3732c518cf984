#include "common/tool/exam/exam_pages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "common/base/error.hpp"
#include "common/base/text/text.hpp"
#include "common/grade/sha256.hpp"
#include "common/model/exam_json.hpp"
#include "common/skeleton/code_lines.hpp"

namespace ladder::exam {
namespace {

using nlohmann::json;
using report::HtmlPage;

/// Programs of lesson 00 work on images of n x n elements, all others on matrices or grids of order n.
std::string size_text(const Question& q) {
  const std::string& problem = q.ask == Ask::count ? q.key.count.problem : q.key.more.problem;
  return problem.empty() ? fmt::format("n = {}", q.size) : problem;
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

std::string lines_text(const std::vector<Change>& changed) {
  std::string text;
  for (const Change& c : changed)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", c.is.empty() ? "after line" : "line", c.line);
  return text;
}

/// The answer in a few words.
std::string short_answer(const Question& q) {
  if (q.ask == Ask::mistake)
    return fmt::format("{}: {}", lines_text(q.key.mistake.changed), q.key.mistake.verdict);
  return q.ask == Ask::count ? number(q.key.count.amount) : q.key.more.answer;
}

void add_mistake_key(HtmlPage& page, const model::MistakeAnswer& key) {
  std::vector<std::vector<std::string>> rows;
  for (const Change& c : key.changed)
    rows.push_back({std::to_string(c.line), c.is.empty() ? "(missing after it)" : c.is,
                    c.was.empty() ? "(nothing)" : c.was});
  page.table("The mistake", {{"line", true}, {"is"}, {"would be right"}}, rows);
  model::Details facts = {{key.verdict, key.message}};
  facts.insert(facts.end(), key.details.begin(), key.details.end());
  page.facts(facts);
}

void add_key(HtmlPage& page, const Question& q) {
  page.heading(q.id);
  page.paragraph(short_answer(q));
  if (q.ask == Ask::mistake) return add_mistake_key(page, q.key.mistake);
  if (q.ask == Ask::count) {
    const model::CountAnswer& key = q.key.count;
    page.facts({{"Problem", size_text(q)},
                {"Counted", fmt::format("{} ({})", number(key.amount), q.metric)},
                {"Necessary", fmt::format("{} = {}", key.necessary, number(key.necessary_amount))}});
    return;
  }
  const std::vector<double>& counts = q.key.more.counts;
  page.facts({{"Problem", size_text(q)},
              {"A", fmt::format("{} ({}): {}", number(counts.at(0)), q.metric, q.programs[0].id())},
              {"B", fmt::format("{} ({}): {}", number(counts.at(1)), q.metric, q.programs[1].id())}});
}

model::ExamProgram key_program(const Program& p) {
  return {.lesson = p.lesson,
          .step = p.step,
          .file = p.file,
          .label = p.label,
          .tree = p.tree,
          .edit = p.edit,
          .sha256 = sha256(p.text)};
}

Question question_from(const model::ExamQuestion& asked) {
  Question q{.id = asked.id, .ask = asked.ask, .size = asked.size, .metric = asked.metric, .key = asked.key};
  for (const model::ExamProgram& p : asked.programs)
    q.programs.push_back({.lesson = p.lesson,
                          .step = p.step,
                          .file = p.file,
                          .label = p.label,
                          .tree = p.tree,
                          .edit = p.edit,
                          .text = p.sha256});
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
    text += moodle_answer(number(q.key.count.amount), true, "<tolerance>0</tolerance>");
  } else {
    text +=
        "    <single>true</single>\n    <shuffleanswers>false</shuffleanswers>\n    "
        "<answernumbering>none</answernumbering>\n";
    for (const char* choice : {"A", "B", "the same"})
      text += moodle_answer(choice, q.key.more.answer == choice, "");
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
  model::ExamKey key{.rungs = exam.rungs, .seed = exam.seed, .secret = exam.secret};
  for (const Question& q : exam.bank) {
    key.questions.push_back({.id = q.id, .ask = q.ask, .size = q.size, .metric = q.metric, .key = q.key});
    for (const Program& p : q.programs) key.questions.back().programs.push_back(key_program(p));
  }
  for (std::size_t s = 0; s < exam.sheets.size(); ++s) {
    const Student& student = exam.sheets[s].student;
    key.sheets.push_back({.id = student.id, .name = student.name, .file = sheet_file(exam, s)});
    for (const std::size_t q : exam.sheets[s].questions)
      key.sheets.back().questions.push_back(exam.bank[q].id);
  }
  return to_json(key);
}

Exam from_key_json(const json& text) {
  if (!text.is_object() || text.value("schema", "") != model::exam_schema)
    throw Error("this is no key of an exam");
  const model::ExamKey key = model::exam_key_from_json(text, "the key of the exam");
  Exam exam{.rungs = key.rungs, .seed = key.seed, .secret = key.secret};
  for (const model::ExamQuestion& q : key.questions) exam.bank.push_back(question_from(q));
  for (const model::ExamSheet& s : key.sheets) {
    Sheet sheet{.student = {s.id, s.name}};
    for (const std::string& id : s.questions) {
      const auto at = std::ranges::find(exam.bank, id, &Question::id);
      if (at == exam.bank.end()) throw Error("a sheet has a question that the key does not have");
      sheet.questions.push_back(static_cast<std::size_t>(at - exam.bank.begin()));
    }
    exam.sheets.push_back(std::move(sheet));
  }
  return exam;
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
