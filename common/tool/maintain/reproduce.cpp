/// @file
/// The verb reproduce: the tables of the source on this machine, theirs next to ours.

#include "common/tool/maintain/reproduce.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "common/base/usage_error.hpp"
#include "common/model/document_json.hpp"
#include "common/report/figures/reproduction_figures.hpp"
#include "common/report/results/result_store.hpp"
#include "common/report/results/results.hpp"
#include "common/report/results/stored_text.hpp"
#include "common/report/terminal/lesson_table.hpp"
#include "common/tool/core/context.hpp"
#include "common/tool/judging/judging.hpp"
#include "common/tool/machine/machine.hpp"
#include "common/tool/maintain/hardware.hpp"
#include "common/tool/student/feedback.hpp"

namespace ladder {
namespace {

using nlohmann::json;

/// The document of one lesson as the pages look for it, its tables as text, and its figures.
void write_report(const std::filesystem::path& folder, const model::Document& document,
                  const std::string& tables) {
  const auto& lessons = document.lessons;
  const std::string stem = lessons.size() == 1 ? "reproduce-" + lessons[0].name.substr(0, 2) : "reproduce";
  write_text(folder / (stem + ".json"), report::stored_text(to_json(document)));
  write_text(folder / (stem + ".txt"), tables);
  const std::string corner = report::StoredMachine::facts(report::StoredDocument{{}, document});
  for (const model::LessonResults& lesson : lessons)
    for (const json& record : to_json(lesson.reproductions))
      for (const report::DrawnFigure& figure : report::stated_figures(record, corner))
        write_text(folder / "figures" / (stem + "-" + figure.name + ".svg"), figure.svg);
}

}  // namespace

void add_reproduce_options(CLI::App& app, Options& o, Typed& typed) {
  add_step_options(app, o, typed);
  app.add_option("--budget", typed.budget,
                 "seconds for a cell of a table, or a twelfth of a sweep (default 20)")
      ->type_name("SECONDS");
  app.add_option("--max-size", typed.max_size, "largest size")->type_name("N");
  app.add_option("--only", o.only,
                 "print and store only tables with this in their titles; 04 to 09 measure no others")
      ->type_name("TEXT");
  app.add_option("--report", o.report, "write tables, figures and JSON into this folder")
      ->type_name("FOLDER");
}

int reproduce(Context& context) {
  if (context.options.names.empty()) throw UsageError{"reproduce what? For example: ./ladder reproduce 01"};
  const std::string& only = context.options.only;
  if (context.options.names.front() == executor_word) {
    if (!only.empty())
      throw UsageError{
          "--only is for lessons; of the executor name parts: ./ladder reproduce executor costs"};
    return reproduce_executor(context);
  }
  if (!only.empty() && !context.options.report.empty())
    throw UsageError{"--report stores all tables of a lesson and --only makes some of them: use --json"};
  Plan plan = budget_of(context.options, 20);
  plan.size = context.options.max_size;
  plan.only = only;
  std::string tables;
  int found = 0;
  const auto lesson_ready = [&](const model::LessonResults& lesson) {
    for (const model::Reproduction& made : lesson.reproductions) {
      const std::string table =
          report::reproduction_table(made, static_cast<std::size_t>(context.terminal.width()));
      context.terminal.print(lesson.name + "  " + table);
      tables += table + "\n";
      ++found;
    }
  };
  model::Document document = judge_names(context, {.kinds = {TestKind::reproduce},
                                                   .plan = plan,
                                                   .machine = machine_facts(false),
                                                   .lesson_ready = lesson_ready});
  document.only = only;
  context.write_json(document);
  if (!context.options.report.empty()) {
    const std::filesystem::path folder = context.options.report;
    write_report(folder, document, tables);
    context.terminal.print("written: " + folder.string());
  }
  bool problem = false;
  for (const model::LessonResults& lesson : document.lessons) {
    for (const std::string& text : lesson.problems)
      context.terminal.print("problem: " + text), problem = true;
    // A step without a record is no failure here: a reproduction uses the steps it needs.
    for (const model::DocumentStep& step : lesson.steps)
      if (step.verdict == Verdict::build_error)
        context.terminal.print(feedback(context, step)), problem = true;
    if (lesson.reproductions.empty() && !problem)
      context.terminal.print(
          only.empty() ? fmt::format("{}: nothing to reproduce was recorded", lesson.name)
                       : fmt::format("{}: none of the tables made here has \"{}\" in its title; all of them: "
                                     "./ladder reproduce {}",
                                     lesson.name, only, lesson.name.substr(0, 2)));
  }
  context.terminal.print(fmt::format("seed {}", context.seed));
  if (document.interrupted) context.terminal.print("interrupted: what was finished is above");
  return found > 0 && !problem && !document.interrupted ? 0 : 1;
}

}  // namespace ladder
