/// @file
/// The verb list, and ./ladder alone: what there is, how far one is, and what is next.

#include "common/tool/student/list.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "common/base/text/numbers.hpp"
#include "common/report/results/results.hpp"
#include "common/report/text/table.hpp"
#include "common/skeleton/handout_skeleton.hpp"
#include "common/tool/core/context.hpp"
#include "common/tool/core/student_state.hpp"
#include "common/tool/standing/assignment.hpp"
#include "common/tool/standing/course_view.hpp"
#include "common/tool/standing/next_rung.hpp"
#include "common/tool/standing/progress.hpp"
#include "common/tool/student/feedback.hpp"

namespace ladder {
namespace {

std::string text_of(const StepEntry& step, const char* field) {
  return step.row.is_object() ? step.row.value(field, std::string()) : std::string();
}

double hours_of(const StepEntry& step) {
  return step.row.is_object() ? step.row.value("hours", 0.0) : 0;
}

/// In a course's copy, where a rung has tasks of earlier ones: "9 + 7 to copy".
std::string task_lines_of(const Context& context, const StepEntry& step) {
  const cut::TaskLines lines = cut::task_lines(read_text(source_of(context.root, "lessons", step)));
  return lines.to_copy > 0 ? fmt::format("{} + {} to copy", lines.to_write, lines.to_copy) : "";
}

/// What both verbs know of a student.
struct Student {
  explicit Student(Context& context)
      : progress(context),
        spent(time_spent(read_history(context.state_folder() / "history.jsonl"))),
        course(course_of_handout(context.root)) {}
  Progress progress;
  TimeSpent spent;
  std::optional<course::Course> course;

  double spent_at(const StepEntry& step) const {
    const auto found = spent.by_step.find(step.path());
    return found == spent.by_step.end() ? 0 : found->second;
  }
};

model::DocumentStep stated(const StepEntry& step, const Student& student) {
  model::DocumentStep entry = step.stated();
  entry.kind = step.row.is_object() ? step.kind() : "?";
  entry.state = student.progress.state(step);
  entry.idea = text_of(step, "idea");
  entry.seconds_spent = student.spent_at(step);
  if (step.row.is_object()) entry.hours = hours_of(step);
  return entry;
}

model::LessonResults stated(const LessonEntry& lesson, const Student& student) {
  model::LessonResults entry{.name = lesson.name, .title = lesson.title};
  for (const StepEntry& step : lesson.steps) entry.steps.push_back(stated(step, student));
  if (!lesson.problem.empty()) entry.problems = {lesson.problem};
  return entry;
}

/// How far a lesson is.
struct LessonState {
  int required = 0, done = 0;
  double hours = 0, hours_done = 0, spent = 0;

  LessonState(const LessonEntry& lesson, const Student& student) {
    for (const StepEntry& step : lesson.steps) {
      spent += student.spent_at(step);
      if (!step.row.is_object() || step.kind() != "R" || student.progress.state(step) == "no file") continue;
      const bool is_done = student.progress.done(step);
      ++required, done += is_done;
      hours += hours_of(step), hours_done += is_done ? hours_of(step) : 0;
    }
  }
  std::string text() const {
    return fmt::format("{} of {} required rungs done, {:g} of {:g} h; your time here: {}", done, required,
                       hours_done, hours, hours_text(spent));
  }
};

std::string table_of(const Context& context, const LessonEntry& lesson, const Student& student) {
  report::Table table({{"rung"},
                       {"name", false, false, 2},
                       {"kind"},
                       {"hours", true, false, 1},
                       {"yours", true, false, 1},
                       {"points", false, false, 1},
                       {"lines", false, false, 1},
                       {"state"},
                       {"idea", false, true}});
  for (const StepEntry& step : lesson.steps) {
    const double spent = student.spent_at(step);
    table.add({step.label(), step.name, step.row.is_object() ? step.kind() : "?",
               step.row.is_object() ? fmt::format("{:g}", hours_of(step)) : "",
               spent > 0 ? hours_text(spent) : "", course_points(student.course, step.label()),
               task_lines_of(context, step), student.progress.shown_state(step), text_of(step, "idea")});
  }
  return table.text(static_cast<std::size_t>(context.terminal.width()));
}

/// Deadlines, and the time so far.
void print_course_and_time(Context& context, const Student& student) {
  if (student.course)
    for (const course::Assignment& one : student.course->assignments)
      context.terminal.say(course_line(*student.course, one, now_in_seconds()));
  if (student.spent.sessions > 0)
    context.terminal.say(
        fmt::format("Your time so far: {} in {}. It is counted from verdict to verdict; {} without one "
                    "begin a new session, and {} are added before its first.",
                    hours_text(student.spent.seconds), counted(student.spent.sessions, "session"),
                    hours_text(session_pause), hours_text(session_lead)));
}

/// What list ends with. Where some lessons were named, the tables of others are not read, and the next step
/// may be of those.
std::string what_to_call(Context& context, const Progress& progress) {
  const StepEntry* next = context.options.names.empty() ? next_rung(context, progress).step : nullptr;
  return next ? fmt::format("./ladder check {}; ./ladder alone says why.", next->label())
              : "./ladder alone says what is next.";
}

}  // namespace

namespace {

std::string line_of(const Context& context, const LessonEntry& lesson, const Student& student) {
  const LessonState part(lesson, student);
  return feedback_block(
      lesson.name, fmt::format("{} of {} required rungs done: {}", part.done, part.required, lesson.title),
      static_cast<std::size_t>(context.terminal.width()));
}

/// The lesson of what is next, else of the last verdict: its steps are shown where none was named.
std::string lesson_now(Context& context, const Student& student) {
  if (const StepEntry* next = next_rung(context, student.progress).step) return next->lesson;
  if (const StepEntry* last = judged_last(context, student.progress, [](const StepEntry&) { return true; }))
    return last->lesson;
  return context.catalogue.lessons.front().name;
}

}  // namespace

void add_list_options(CLI::App& app, Options& o, Typed&) {
  add_json(app, o);
  app.add_flag("--all", o.every, "the rungs of all lessons, not only of the one that you are in");
}

int list(Context& context) {
  const auto lessons = context.catalogue.resolve_lessons(context.options.names);
  context.build.refresh();
  context.check_tables(lessons);
  const Student student(context);
  const bool brief = context.options.names.empty() && !context.options.every && lessons.size() > 1;
  const std::string now = brief ? lesson_now(context, student) : "";
  std::vector<model::LessonResults> entries;
  bool whole = true;
  std::string lines, tables;
  for (const LessonEntry* lesson : lessons) {
    entries.push_back(stated(*lesson, student));
    if (brief) lines += line_of(context, *lesson, student);
    if (!brief || lesson->name == now)
      tables += (tables.empty() ? "" : "\n") + context.terminal.bold(lesson->name) + "  " + lesson->title +
                "\n\n" + table_of(context, *lesson, student) + LessonState(*lesson, student).text() + "\n";
    if (!lesson->problem.empty()) tables += "problem: " + lesson->problem + "\n", whole = false;
  }
  context.terminal.print(lines + (lines.empty() ? "" : "\n") + tables);
  print_course_and_time(context, student);
  if (brief) context.terminal.say("All rungs: ./ladder list --all. Those of one lesson: ./ladder list 03");
  context.terminal.say(fmt::format("R required, S stretch, D given whole.  Next: {}",
                                   what_to_call(context, student.progress)));
  context.write_json(report::document("list", context.seed, entries));
  return whole ? 0 : 1;
}

int where_am_i(Context& context) {
  context.build.refresh();
  const auto lessons = context.catalogue.resolve_lessons({});
  context.check_tables(lessons);
  const Student student(context);
  const auto width = static_cast<std::size_t>(context.terminal.width());
  std::vector<model::LessonResults> entries;
  for (const LessonEntry* lesson : lessons) {
    entries.push_back(stated(*lesson, student));
    context.terminal.print(line_of(context, *lesson, student));
    if (!lesson->problem.empty()) context.terminal.print(feedback_block("  problem", lesson->problem, width));
  }
  print_course_and_time(context, student);
  const auto [next, why, other, why_other] = next_rung(context, student.progress);
  if (next) {
    const std::string points = course_points(student.course, next->label());
    context.terminal.print("");
    std::string text =
        feedback_block("Next: " + next->label(),
                       text_of(*next, "idea") + (points.empty() ? "" : "  (" + points + " points)"), width);
    text += feedback_block("  why", why, width);
    text += feedback_block("  read", "lessons/" + next->lesson + "/README.md", width);
    text += feedback_block(
        "  write",
        fmt::format("lessons/{}/{}   ({})", next->lesson, next->file, student.progress.shown_state(*next)),
        width);
    text += feedback_block("  then", "./ladder check " + next->label(), width);
    if (other) text += feedback_block("Or: " + other->label(), why_other, width);
    context.terminal.print(text);
  } else {
    context.terminal.print("\nEvery required rung PASSes.  Next: ./ladder run --tree lessons");
  }
  context.terminal.say("\ndocs/student.md is the student's guide; ./ladder --help has the verbs.");
  context.write_json(report::document("", context.seed, entries));
  return 0;
}

}  // namespace ladder
