/// @file
/// The verb list, and ./ladder alone: what there is, and how far one is.

#include <fmt/format.h>

#include "common/report/results.hpp"
#include "common/report/table.hpp"
#include "common/tool/context.hpp"
#include "common/tool/handout_skeleton.hpp"
#include "common/tool/progress.hpp"

namespace ladder {
namespace {

using nlohmann::json;

std::string text_of(const StepEntry& step, const char* field) {
  return step.row.is_object() ? step.row.value(field, std::string()) : std::string();
}

std::string hours_of(const StepEntry& step) {
  return step.row.is_object() ? fmt::format("{:g}", step.row.value("hours", 0.0)) : "";
}

/// In a course's copy, where a rung has tasks of earlier ones: "9 + 7 to copy".
std::string lines_of(const Context& context, const StepEntry& step) {
  const cut::TaskLines lines = cut::task_lines(read_text(source_of(context.root, "lessons", step)));
  return lines.to_copy > 0 ? fmt::format("{} + {} to copy", lines.to_write, lines.to_copy) : "";
}

json entry_of(const StepEntry& step, const std::string& state) {
  json entry = {{"lesson", step.lesson}, {"name", step.name},
                {"file", step.file},     {"kind", step.row.is_object() ? step.kind() : "?"},
                {"state", state},        {"idea", text_of(step, "idea")}};
  if (step.row.is_object()) entry["hours"] = step.row.value("hours", 0.0);
  return entry;
}

json lesson_entry(const LessonEntry& lesson, const Progress& progress) {
  json entry = {{"name", lesson.name}, {"title", lesson.title}, {"steps", json::array()}};
  for (const StepEntry& step : lesson.steps) entry["steps"].push_back(entry_of(step, progress.state(step)));
  if (!lesson.problem.empty()) entry["problems"] = {lesson.problem};
  return entry;
}

}  // namespace

int list(Context& context) {
  const auto lessons = context.catalogue.resolve_lessons(context.options.names);
  context.build.refresh();
  context.read_tables(lessons);
  const Progress progress(context);
  std::vector<json> entries;
  bool whole = true;
  for (const LessonEntry* lesson : lessons) {
    entries.push_back(lesson_entry(*lesson, progress));
    report::Table table({{"step"},
                         {"name", false, false, 2},
                         {"kind"},
                         {"hours", true, false, 1},
                         {"lines", false, false, 1},
                         {"state"},
                         {"idea", false, true}});
    for (const StepEntry& step : lesson->steps)
      table.add({step.label(), step.name, step.row.is_object() ? step.kind() : "?", hours_of(step),
                 lines_of(context, step), progress.state(step), text_of(step, "idea")});
    std::string text = context.terminal.bold(lesson->name) + "  " + lesson->title + "\n\n" +
                       table.text(static_cast<std::size_t>(context.terminal.width()));
    if (!lesson->problem.empty()) text += "problem: " + lesson->problem + "\n", whole = false;
    context.terminal.print(text);
  }
  context.terminal.print(
      "R required, S stretch, D given whole.  Next: ./ladder check 03/g2 judges a step; ./ladder alone says "
      "which.");
  context.write_json(report::document("list", nullptr, context.seed, entries));
  return whole ? 0 : 1;
}

int where_am_i(Context& context) {
  context.build.refresh();
  const auto lessons = context.catalogue.resolve_lessons({});
  context.read_tables(lessons);
  const Progress progress(context);
  std::vector<json> entries;
  const StepEntry* next = nullptr;
  for (const LessonEntry* lesson : lessons) {
    entries.push_back(lesson_entry(*lesson, progress));
    int written = 0, passed = 0;
    for (const StepEntry& step : lesson->steps) {
      const std::string state = progress.state(step);
      if (!step.row.is_object() || step.kind() != "R" || state == "no file") continue;
      ++written;
      passed += progress.done(step);
      if (!progress.done(step) && !next) next = &step;
    }
    std::string text = fmt::format("{:<14} {:>2} of {:>2} required steps done   {}", lesson->name, passed,
                                   written, lesson->title);
    if (!lesson->problem.empty()) text += "\n  problem: " + lesson->problem;
    context.terminal.print(text);
  }
  if (next) {
    context.terminal.print(
        fmt::format("\nNext: {}  {}\n  read   lessons/{}/README.md\n  write  lessons/{}/{}   ({})\n  then   "
                    "./ladder check {}",
                    next->label(), text_of(*next, "idea"), next->lesson, next->lesson, next->file,
                    progress.state(*next), next->label()));
  } else {
    context.terminal.print("\nEvery required step PASSes.  Next: ./ladder run --tree lessons");
  }
  context.terminal.print(
      "\n./ladder run 03 climbs the reference ladder of lesson 03; ./ladder --help has the other verbs.");
  context.write_json(report::document("", nullptr, context.seed, entries));
  return 0;
}

}  // namespace ladder
