/// @file
/// The verb run, the main job: the reference ladders on this machine with correctness, targets, findings and
/// time.

#include "common/tool/student/run.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <utility>

#include "common/base/clock.hpp"
#include "common/model/document_json.hpp"
#include "common/report/figures/figures.hpp"
#include "common/report/results/results.hpp"
#include "common/report/terminal/lesson_table.hpp"
#include "common/tool/core/context.hpp"
#include "common/tool/judging/judging.hpp"
#include "common/tool/machine/machine.hpp"
#include "common/tool/standing/progress.hpp"
#include "common/tool/student/feedback.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;

/// Table, figure and JSON of a run, for people who were not there.
void write_report(const Context& context, const model::Document& document) {
  const fs::path folder = context.options.report;
  write_text(folder / "results.json", report::dump(to_json(document), 1) + "\n");
  for (const model::LessonResults& lesson : document.lessons) {
    const std::string& name = lesson.name;
    write_text(folder / (name + ".txt"), report::lesson_table(lesson, 200, {}));
    std::string file = name;
    for (const auto& figure : report::ladder_figures(lesson, document, context.catalogue.rows_of(name))) {
      write_text(folder / (file + ".svg"), report::ladder_steps(figure));
      file += "-further";  // the longest ladder has the lesson's name
    }
  }
}

/// All that check judges, and then time: PASS of run contains that of check.
const std::vector<TestKind> usual_kinds = {TestKind::correctness, TestKind::targets, TestKind::findings,
                                           TestKind::time};
const std::vector<TestKind> npb_kinds = {TestKind::npb};  // each block has its own verification and time

/// Seconds for timing all steps.
double budget(Context& context) {
  constexpr double with_gpu = 180;
  const auto& devices = context.placer().devices();
  const bool gpu = std::any_of(devices.begin(), devices.end(), [](const Device& d) { return d.gpu; });
  return context.options.budget.value_or(gpu ? with_gpu : 0);
}

/// The blocks are the results of --npb; who has none says why.
void print_blocks(Context& context, const model::LessonResults& lesson) {
  for (const model::Reproduction& table : lesson.reproductions)
    for (const std::string& line : table.block) context.terminal.print(line);
  for (const model::DocumentStep& step : lesson.steps)
    if (step.verdict != Verdict::pass)
      context.terminal.print(
          fmt::format("{} {}  {}", step.name, context.terminal.verdict(name(step.verdict)), step.message));
}

void print_table(Context& context, const model::LessonResults& lesson) {
  const auto paint = [&](const std::string& verdict, std::size_t) {
    return context.terminal.verdict(verdict);
  };
  context.terminal.print(
      report::lesson_table(lesson, static_cast<std::size_t>(context.terminal.width()), paint));
}

}  // namespace

void add_run_options(CLI::App& app, Options& o, Typed& typed) {
  add_judge_options(app, o, typed);
  add_class(app, o);
  add_matrix(app, o);
  app.add_flag("--npb", o.npb, "print NPB's standard result block of each rung; no table");
  app.add_option("--report", o.report, "write table, figures and JSON into this folder")->type_name("FOLDER");
  app.add_option("--budget", typed.budget,
                 "seconds for timing all rungs (default 10 for each; 180 where there is a GPU), but five "
                 "rounds of calls at least")
      ->type_name("SECONDS");
}

int run(Context& context) {
  Progress progress(context);
  const bool npb = context.options.npb;
  Stopwatch watch;  // of what needs no clock, then of each lesson's times
  bool is_timed = false;
  const auto lesson_ready = [&](const model::LessonResults& lesson) {
    if (npb) return print_blocks(context, lesson);
    print_table(context, lesson);
    if (is_timed)
      context.terminal.print(fmt::format("Its times took {:.0f} s.\n", std::exchange(watch, {}).seconds()));
  };
  const auto lesson_judged = [&](model::LessonResults lesson) {
    lesson.title += " (times follow)";
    print_table(context, lesson);
  };
  const auto times_begin = [&] {
    context.terminal.print(fmt::format(
        "All that needs no clock is above; it took {:.0f} s. Now the times: one lesson after the other, "
        "shortest first, with nothing else of ours running. Ctrl-C ends this and keeps what is above.\n",
        std::exchange(watch, {}).seconds()));
    is_timed = true;
  };
  const auto step_ready = [&](const StepEntry&, const model::StepResult& result) {
    if (!context.options.matrix.empty()) return;  // how far one is, the lesson's own tests say
    progress.take(result);
    progress.save();
  };
  const model::Document document = judge_names(context, {.kinds = npb ? npb_kinds : usual_kinds,
                                                         .budget = budget(context),
                                                         .machine = machine_facts(false),
                                                         .in_phases = !npb,
                                                         .step_ready = step_ready,
                                                         .lesson_judged = lesson_judged,
                                                         .times_begin = times_begin,
                                                         .lesson_ready = lesson_ready});
  context.write_json(document);
  if (!context.options.report.empty()) {
    write_report(context, document);
    context.terminal.print("written: " + context.options.report);
  }
  context.terminal.print(summary(document));
  const bool stopped = document.interrupted;
  if (stopped)
    context.terminal.print("interrupted: what was finished is above" +
                           std::string(context.options.json.empty() ? "" : " and in the JSON"));
  return !stopped && report::all_passed(document, context.options.strict, report::Undecided::passes) ? 0 : 1;
}

}  // namespace ladder
