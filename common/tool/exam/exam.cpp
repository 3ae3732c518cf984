/// @file
/// The verb exam: sheets and key from what the course knows about its programs.

#include "common/tool/exam/exam.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "common/base/error.hpp"
#include "common/base/usage_error.hpp"
#include "common/course/platforms/roster.hpp"
#include "common/grade/sha256.hpp"
#include "common/model/exam_json.hpp"
#include "common/report/results/results.hpp"
#include "common/skeleton/skeletonize.hpp"
#include "common/tool/exam/exam_pages.hpp"
#include "common/tool/exam/exam_run.hpp"

namespace ladder {
namespace fs = std::filesystem;
namespace exam {
namespace {

using nlohmann::json;

constexpr const char* example =
    "for example: ./ladder exam --rungs 00/g3-g7,03/g1-g3 --students roster.csv --key class.key --out exam/";

/// Who writes it, in the roster's order.
std::vector<Student> students_in(const fs::path& roster) {
  std::vector<Student> students;
  for (const course::Person& person : course::read_roster(roster))
    students.push_back({person.id, person.name});
  if (students.empty()) throw UsageError{fmt::format("{}: the roster is empty", roster.string())};
  return students;
}

/// What questions and sheets are drawn from: the class key, or what --seed says.
grade::Key secret_of(const Options& options) {
  if (!options.grade.key.empty()) return grade::read_key(options.grade.key);
  if (!options.seed && options.key.empty())
    throw UsageError{"--key FILE names the class key from which the questions are drawn; or give --seed N"};
  const std::string digits = sha256("exam " + (options.seed ? std::to_string(*options.seed) : options.key));
  grade::Key key;
  for (std::size_t i = 0; i < key.size(); ++i)
    key[i] = static_cast<unsigned char>(std::stoul(digits.substr(2 * i, 2), nullptr, 16));
  return key;
}

/// The rungs that are meant, with the rows of their tables.
std::vector<StepEntry*> steps_of(Context& context, const std::vector<std::string>& names) {
  const auto rungs = without_ranges(context.catalogue, names);
  context.terminal.begin_work();
  context.build.refresh();
  context.check_tables(context.catalogue.resolve_lessons(rungs));
  auto steps = context.catalogue.resolve(rungs);
  if (!fs::is_directory(context.root / "solutions"))
    throw UsageError{"this copy has no solutions, which an exam is made from"};
  for (const StepEntry* step : steps)
    if (step->family() != "cuda")
      throw UsageError{fmt::format("{}: an exam asks about CUDA rungs only", step->label())};
  return steps;
}

void write_exam(Context& context, const Exam& exam, const fs::path& out) {
  for (std::size_t s = 0; s < exam.sheets.size(); ++s)
    write_text(out / "sheets" / sheet_file(exam, s), sheet_page(exam, s));
  write_text(out / "sheets.html", all_sheets_page(exam));
  write_text(out / "key.html", key_page(exam));
  write_text(out / "key.json", report::dump(key_json(exam), 1) + "\n");
  if (context.options.exam.format == "moodle-xml") write_text(out / "moodle.xml", moodle_xml(exam));
}

void tell_left_out(Context& context, const std::vector<std::string>& left_out) {
  for (const std::string& one : left_out) context.terminal.print("left out  " + one);
}

int new_exam(Context& context) {
  const Options& options = context.options;
  if (options.grade.rungs.empty())
    throw UsageError{fmt::format("name the rungs to ask about with --rungs, {}", example)};
  if (options.exam.students.empty())
    throw UsageError{fmt::format("name the roster with --students FILE, {}", example)};
  if (options.grade.out.empty())
    throw UsageError{fmt::format("--out FOLDER is missing: where to write the exam, {}", example)};
  const grade::Key secret = secret_of(options);
  const auto students = students_in(options.exam.students);
  const fs::path out = fs::absolute(options.grade.out);
  try_to_write(out / "key.json");
  const auto steps = steps_of(context, options.grade.rungs);
  Exam exam{.secret = grade::key_id(secret)};
  for (const StepEntry* step : steps) exam.rungs.push_back(step->label());
  exam.seed = Dice(secret, "inputs").below(1000000);
  exam.bank = questions_of(context.root, steps, secret);
  const std::size_t drawn = exam.bank.size();
  tell_left_out(context, answer_all(context, exam.bank, exam.seed));
  exam.sheets = deal(exam.bank, students, secret);
  write_exam(context, exam, out);
  context.terminal.end_work();
  context.terminal.print(
      fmt::format("{} sheets from {} questions ({} drawn): {} to print, {} for you alone\nagain: ./ladder "
                  "exam --check {}",
                  exam.sheets.size(), exam.bank.size(), drawn, (out / "sheets.html").string(),
                  (out / "key.html").string(), options.grade.out));
  return 0;
}

/// Gives the programs of an exam that was read their texts. @return what is another one today
std::vector<std::string> with_texts(Exam& exam, const std::vector<Question>& today) {
  std::vector<std::string> other;
  for (Question& q : exam.bank)
    for (Program& p : q.programs) {
      const std::string sum = p.text;
      const Program* found = nullptr;
      for (const Question& now : today)
        for (const Program& program : now.programs)
          if (program.id() == p.id()) found = &program;
      if (found) p = *found;
      if (!found || sha256(p.text) != sum)
        other.push_back(fmt::format("{}: its program {} is another one here", q.id, p.id()));
    }
  return other;
}

/// What differs between two keys of a question. Words of a message may hold an address or an order of
/// threads.
std::string difference(const Question& was, const Question& is) {
  static const char* const fields[] = {"changed",          "verdict", "problem", "amount",
                                       "necessary_amount", "counts",  "answer"};
  const json key = model::to_json(was.ask, was.key), now = model::to_json(is.ask, is.key);
  for (const char* field : fields)
    if (key.value(field, json()) != now.value(field, json()))
      return fmt::format("{}: {} is {} in the key and {} now", was.id, field, key.value(field, json()).dump(),
                         now.value(field, json()).dump());
  return "";
}

std::vector<std::string> differences(const Exam& exam, const fs::path& folder,
                                     const std::vector<Question>& again) {
  std::vector<std::string> all;
  for (const Question& q : exam.bank) {
    const auto now =
        std::find_if(again.begin(), again.end(), [&](const Question& a) { return a.id == q.id; });
    if (now == again.end()) continue;  // it was said why
    if (const std::string text = difference(q, *now); !text.empty()) all.push_back(text);
  }
  for (std::size_t s = 0; s < exam.sheets.size(); ++s)
    if (read_text(folder / "sheets" / sheet_file(exam, s)) != sheet_page(exam, s))
      all.push_back(fmt::format("sheets/{} is not what the key makes", sheet_file(exam, s)));
  return all;
}

int check_exam(Context& context) {
  const fs::path folder = fs::absolute(context.options.exam.check);
  const std::string text = read_text(folder / "key.json");
  if (text.empty())
    throw UsageError{fmt::format("{}: no exam here; ./ladder exam --out makes one", folder.string())};
  Exam exam = from_key_json(json::parse(text, nullptr, false));
  const auto steps = steps_of(context, exam.rungs);
  auto wrong = with_texts(exam, all_programs(context.root, steps));
  if (wrong.empty()) {
    std::vector<Question> again = exam.bank;
    wrong = answer_all(context, again, exam.seed);
    for (std::string& one : differences(exam, folder, again)) wrong.push_back(std::move(one));
  }
  context.terminal.end_work();
  for (const std::string& one : wrong) context.terminal.print("differs  " + one);
  if (wrong.empty())
    context.terminal.print(fmt::format("all {} answers come out again; {} sheets are what the key makes",
                                       exam.bank.size(), exam.sheets.size()));
  return wrong.empty() ? 0 : 1;
}

int make(Context& context) {
  return context.options.exam.check.empty() ? new_exam(context) : check_exam(context);
}

}  // namespace
}  // namespace exam

void add_exam_options(CLI::App& app, Options& o, Typed& typed) {
  add_device_options(app, o, typed);
  app.add_option("--rungs", o.grade.rungs, "what is asked about: 00/g3-g7,03/g1-g3")
      ->delimiter(',')
      ->type_name("RUNGS");
  app.add_option("--students", o.exam.students, "the roster: a CSV with the columns id and name")
      ->type_name("FILE");
  app.add_option("--out", o.grade.out, "the folder for sheets and key")->type_name("FOLDER");
  app.add_option("--key", o.grade.key, "the class key, from which the questions are drawn; or --seed")
      ->type_name("FILE");
  app.add_option("--seed", typed.seed, "a number instead of the class key")->type_name("N");
  app.add_option("--format", o.exam.format, "moodle-xml: counts and comparisons as questions for Moodle too")
      ->check(CLI::IsMember({"moodle-xml"}))
      ->type_name("FORMAT");
  app.add_option("--check", o.exam.check, "an exam that is there: run everything again and compare its key")
      ->type_name("FOLDER");
}

int make_exam(Context& context) {
  try {
    return exam::make(context);
  } catch (const cut::Error& error) {
    throw UsageError{error.what()};
  } catch (const ladder::Error& error) {
    throw UsageError{error.what()};
  }
}

}  // namespace ladder
