#include "common/tool/review/review_questions.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <iostream>

#include "common/base/text/numbers.hpp"
#include "common/base/usage_error.hpp"
#include "common/course/questions.hpp"
#include "common/grade/intake/names.hpp"
#include "common/grade/record.hpp"
#include "common/report/results/results.hpp"
#include "common/tool/core/context.hpp"
#include "common/tool/grading/course_verb.hpp"
#include "common/tool/grading/grade_course.hpp"
#include "common/tool/grading/grade_store.hpp"
#include "common/tool/student/feedback.hpp"

namespace ladder {
namespace fs = std::filesystem;
namespace {

using nlohmann::json;

constexpr std::size_t max_shown = 8000;  // of an answer

/// Why a submission has no notes: they were refused, or nothing is called notes.md, and what there is
/// instead.
std::string without_notes(const model::GradedSubmission& submission) {
  for (const model::RefusedFile& one : submission.refused)
    if (grade::lower(grade::plain_name(grade::file_name(one.path)).name) == "notes.md")
      return fmt::format("notes.md was not taken: it {}", one.why);
  const std::string there = grade::what_was_there(submission, 8);
  if (submission.files.empty() && !there.empty()) return "nothing was taken of the submission: " + there;
  return there.empty() ? "no notes.md" : "no notes.md; also in the submission: " + there;
}

QuestionItem item_of(const course::Assignment& assignment, const course::Manual& question,
                     const model::GradeRecord& record) {
  const std::string notes = record.submission.notes;
  const auto answer = course::answer_to(question, assignment, notes);
  std::string text = answer ? *answer : "";
  if (!answer)
    text = notes.empty() ? without_notes(record.submission)
                         : "no such heading in notes.md; all of it:\n" + notes;
  if (text.empty()) text = "nothing below its heading";
  return {&question, record.pseudonym, text.substr(0, max_shown)};
}

std::string question_shown(Context& context, const QuestionItem& item,
                           const std::vector<grade::Graded>& given) {
  const auto width = static_cast<std::size_t>(context.terminal.width());
  const course::Manual& question = *item.question;
  std::string text =
      fmt::format("\n{}  {}\n", context.terminal.bold(item.pseudonym), course::heading_of(question));
  text += feedback_block("Answer", item.answer, width);
  std::string levels;
  for (const std::string& level : question.levels) levels += (levels.empty() ? "" : "; ") + level;
  if (!levels.empty()) text += feedback_block("Levels, best first", levels, width);
  const grade::Graded* found = grade::find(given, question.rung, question.ask);
  if (found && !found->points)
    for (const model::QuestionMark& mark : found->given)
      text += feedback_block(fmt::format("{} points", grade::points_text(mark.points)),
                             mark.by + ": " + mark.reason, width);
  return text;
}

/// "q", or what goes into the log; nothing: the next one.
struct GivenPoints {
  bool quit = false;
  std::optional<double> points{};
  std::string note{};
};

GivenPoints points_for(const QuestionItem& item) {
  const double most = item.question->points;
  for (;;) {
    const auto key = typed_in(fmt::format("points, 0 to {} · s later · q quit > ", grade::points_text(most)));
    if (!key || *key == "q") return {.quit = true};
    if (*key == "s" || key->empty()) return {};
    const auto points = parsed_number(*key);
    if (!points || !(*points >= 0 && *points <= most)) continue;
    const auto note = typed_in("note; the student reads it > ");
    if (!note) return {.quit = true};
    return {.points = points, .note = *note};
  }
}

void keep_given(const GradeStore& store, const QuestionItem& item, const GivenPoints& typed,
                const std::string& by, bool settles) {
  json line = {{"student", item.pseudonym},
               {"step", item.question->rung},
               {"action", grade::manual_action},
               {"question", item.question->ask},
               {"points", *typed.points},
               {"of", item.question->points},
               {"by", by},
               {"reason", typed.note},
               {"at", report::now()}};
  if (settles) line["settles"] = true;
  store.log(line);
}

int number_of_assistant(const ReviewOptions& options) {
  if (options.of == 1 && options.number == 0) return 1;
  if (options.number == 0)
    throw UsageError{fmt::format("--number says which of the {} assistants {} is: 1 to {}", options.of,
                                 options.assistant, options.of)};
  if (options.number > options.of)
    throw UsageError{fmt::format("--number {}: there are {} assistants (--of)", options.number, options.of)};
  return options.number;
}

void list_disagreements(Context& context, const std::vector<QuestionItem>& differ) {
  if (differ.empty()) return;
  context.terminal.print(fmt::format("two people differ in {}; --settle goes through them:", differ.size()));
  for (const QuestionItem& item : differ)
    context.terminal.print(fmt::format("  {}  {}", item.pseudonym, course::heading_of(*item.question)));
}

}  // namespace

std::optional<std::string> typed_in(const std::string& question) {
  std::printf("%s", question.c_str());
  std::fflush(stdout);
  std::string line;
  if (!std::getline(std::cin, line)) return std::nullopt;
  return line;
}

std::vector<QuestionItem> waiting(const course::Assignment& assignment,
                                  const std::vector<model::GradeRecord>& records,
                                  const std::string& assistant, int number, int of) {
  std::vector<QuestionItem> items;
  for (const course::Manual& question : assignment.manual)
    for (const model::GradeRecord& record : records) {
      const auto dealt = course::dealt_to(record.pseudonym, question, of);
      if (std::find(dealt.begin(), dealt.end(), number) == dealt.end()) continue;
      const auto given = grade::graded(record);
      const grade::Graded* found = grade::find(given, question.rung, question.ask);
      const bool mine =
          found && std::any_of(found->given.begin(), found->given.end(),
                               [&](const model::QuestionMark& mark) { return mark.by == assistant; });
      if (!mine && (!found || found->given.size() < dealt.size()))
        items.push_back(item_of(assignment, question, record));
    }
  return items;
}

std::vector<QuestionItem> disagreements(const course::Assignment& assignment,
                                        const std::vector<model::GradeRecord>& records) {
  std::vector<QuestionItem> items;
  for (const course::Manual& question : assignment.manual)
    for (const model::GradeRecord& record : records) {
      const auto given = grade::graded(record);
      const grade::Graded* found = grade::find(given, question.rung, question.ask);
      if (found && !found->points) items.push_back(item_of(assignment, question, record));
    }
  return items;
}

int review_questions(Context& context) {
  const ReviewOptions& options = context.options.review;
  const auto& names = context.options.names;
  if (names.size() != 1)
    throw UsageError{
        "one folder of grades: ./ladder review grades/ --course course.toml --ta anna --of 3 --number 1"};
  if (context.options.grade.course.empty())
    throw UsageError{"--course FILE has the questions that --ta grades"};
  if (options.assistant.empty()) throw UsageError{"--ta NAME is missing: the log records who grades"};
  const int number = number_of_assistant(options);
  const course::Course course = course_of(context.options.grade.course);
  const course::Assignment& assignment = chosen_assignment(course, context.options.grade.assignment);
  if (assignment.manual.empty())
    throw UsageError{fmt::format("{}: {} has no `manual` questions for people to grade", course.file.string(),
                                 assignment.name)};
  const GradeStore store(fs::absolute(names[0]));
  for (const std::string& line : store.unreadable()) context.terminal.print(line);
  const auto records = store.records();
  const auto differ = disagreements(assignment, records);
  const auto items =
      options.settle ? differ : waiting(assignment, records, options.assistant, number, options.of);
  context.terminal.print(items.empty() ? "no answer waits for you"
                                       : fmt::format("{} {} for you", items.size(),
                                                     items.size() == 1 ? "answer waits" : "answers wait"));
  if (!options.settle) list_disagreements(context, differ);
  const bool asks = ::isatty(0) == 1 || options.ask;
  if (asks) store.try_to_write_here();
  std::size_t kept = 0;
  for (const QuestionItem& item : items) {
    // Points of another person are shown only where they differ: the second reader does not know of the
    // first.
    context.terminal.print(question_shown(
        context, item,
        options.settle ? grade::graded(store.record(item.pseudonym)) : std::vector<grade::Graded>()));
    if (!asks) continue;
    const GivenPoints typed = points_for(item);
    if (typed.quit) break;
    if (typed.points) keep_given(store, item, typed, options.assistant, options.settle), ++kept;
  }
  if (kept > 0) store.write_pages();
  return 0;
}

}  // namespace ladder
