/// @file
/// The verb report: one page about a student's ladder, from what check, run and profile have kept in
/// .ladder/.

#include "common/tool/student/report.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "common/base/files/json_file.hpp"
#include "common/base/usage_error.hpp"
#include "common/model/document_json.hpp"
#include "common/model/student_json.hpp"
#include "common/report/html/student_report.hpp"
#include "common/report/results/results.hpp"
#include "common/tool/core/context.hpp"
#include "common/tool/machine/software.hpp"
#include "common/tool/standing/progress.hpp"
#include "common/tool/student/profile.hpp"

namespace ladder {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

/// With what was kept of the file as it is.
model::DocumentStep kept_step(const StepEntry& step, const Progress& progress) {
  model::DocumentStep result = step.stated();
  if (const auto kept = progress.last_of_present(step)) {
    result = {kept->result};
    result.lesson = step.lesson, result.name = step.name, result.file = step.file;
  }
  if (step.row.is_object()) result.kind = step.kind();
  return result;
}

void add_lesson(const Context& context, const LessonEntry& lesson, const Progress& progress, bool named,
                report::StudentReport& report) {
  model::LessonResults results{.name = lesson.name, .title = lesson.title};
  bool begun = named;
  for (const StepEntry& step : lesson.steps) {
    const std::string state = progress.shown_state(step);
    results.steps.push_back(kept_step(step, progress));
    report.states[step.path()] = state;
    begun = begun || results.steps.back().judged;
    const json kept = read_json(kept_profile_file(context, step));
    if (kept.is_object()) report.profiles[step.path()] = kept;
  }
  report.rows[lesson.name] = context.catalogue.rows_of(lesson.name);
  if (begun) report.document.lessons.push_back(std::move(results));
}

/// Says what has changed since the last report, and keeps this one for the next.
void compare_with_last(const Context& context, report::StudentReport& report) {
  const fs::path file = context.state_folder() / "report.json";
  const auto before = model::last_report_from_json(read_json(file));
  const model::ReportedSteps now = report::report_state(report);
  const std::string today = report::now().substr(0, 10);
  if (before) {
    report.last = before->date;
    report.changes = report::report_changes(before->steps, now);
  }
  model::LastReport all{today, now};
  if (before) all.steps.insert(before->steps.begin(), before->steps.end());  // lessons that this one lacks
  try {
    write_text(file, report::dump(to_json(all), 1) + "\n");
  } catch (const UsageError&) {  // then the next report is compared with an older one
  }
}

}  // namespace

void add_report_options(CLI::App& app, Options& o, Typed&) {
  add_json(app, o);
  app.add_option("--html", o.html, "the page; report.html by default")->type_name("FILE");
}

int make_report(Context& context) {
  const auto lessons = context.catalogue.resolve_lessons(context.options.names);
  context.need_tables(lessons);
  const fs::path out =
      context.options.html.empty() ? fs::path("report.html") : fs::path(context.options.html);
  const Progress progress(context);
  const model::Machine host = host_facts();
  report::StudentReport page{
      .place = fmt::format("{}, {} cores, {}", host.cpu, host.cores, report::now().substr(0, 10)),
      .document = report::document("report", context.seed),
      .profiles = {},
      .states = {},
      .changes = {},
      .last = "",
      .stored = report::stored_machines(context.root)};
  page.document.machine = host;
  for (const LessonEntry* lesson : lessons)
    add_lesson(context, *lesson, progress, !context.options.names.empty(), page);
  compare_with_last(context, page);
  write_text(out, report::student_report(page));
  for (const std::string& change : page.changes) context.terminal.print(change);
  context.terminal.print("written: " + out.string());
  context.write_json(page.document);
  return 0;
}

}  // namespace ladder
