/// @file
/// The verb bench: the time of one's own steps as ratios on this machine, its points, and the next point.

#include "common/tool/student/bench.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>

#include "common/base/text/points_text.hpp"
#include "common/base/text/text.hpp"
#include "common/base/usage_error.hpp"
#include "common/report/figures/figures.hpp"
#include "common/report/figures/time_points.hpp"
#include "common/report/html/html.hpp"
#include "common/report/results/page_text.hpp"
#include "common/report/results/performance.hpp"
#include "common/report/results/results.hpp"
#include "common/report/results/step_view.hpp"
#include "common/report/text/table.hpp"
#include "common/tool/core/context.hpp"
#include "common/tool/judging/judging.hpp"
#include "common/tool/machine/machine.hpp"
#include "common/tool/standing/progress.hpp"
#include "common/tool/student/feedback.hpp"

namespace ladder {
namespace {

using report::TimePoints;

using Blocks = std::vector<std::pair<std::string, std::string>>;

/// Why a step has no time here; empty: it has.
std::string why_untimed(Context& context, const Progress& progress, const StepEntry& step) {
  const std::string worker = fmt::format("workers/{}/{}/{}", context.options.tree, step.lesson, step.name);
  const Placement place = context.placer().place(step, context.build, worker);
  if (!place.skip.empty()) return place.skip;
  if (place.backend == "executor") return "no GPU here, and the executor's time says nothing about one";
  const std::string state = context.options.tree == "lessons" ? progress.state(step) : "";
  return state == "not started" || state == "no file" ? state : "";
}

/// Leaves the steps that are timed in the options, and says of the others why not. @return how many are left
std::size_t choose(Context& context) {
  context.need_tables(context.catalogue.resolve_lessons(context.options.names));
  const Progress progress(context);
  std::vector<std::string> timed;
  std::map<std::string, std::vector<std::string>> untimed;  // by reason
  for (const StepEntry* step : context.catalogue.resolve(context.options.names)) {
    if (const std::string why = why_untimed(context, progress, *step); !why.empty())
      untimed[why].push_back(step->label());
    else
      timed.push_back(step->path());
  }
  for (const auto& [why, labels] : untimed)
    context.terminal.print(fmt::format("not timed: {}: {}", fmt::join(labels, ", "), why));
  context.options.names = timed;
  return timed.size();
}

/// "12.3 ms ±4 % at n 768, 15 rounds"
std::string time_text(const model::StepResult& step) {
  std::vector<std::string> problem;
  for (const auto& [name, value] : step.time->problem) problem.push_back(fmt::format("{} = {}", name, value));
  return fmt::format("{}, {}, {} rounds", report::view_of(step).time, fmt::join(problem, ", "),
                     step.time->seconds.count);
}

/// "baseline 2.10x (2.05 to 2.15), rung below 1.02x (…)"
std::string ratios_text(const model::StepResult& step) {
  std::vector<std::string> all;
  for (const auto& [peer, ratio] : step.ratio_interval)
    all.push_back(fmt::format("{} {}x ({} to {})", peer == "below" ? "the rung below" : peer,
                              report::short_number(ratio.median), report::short_number(ratio.low),
                              report::short_number(ratio.high)));
  return fmt::format("{}", fmt::join(all, ", "));
}

/// Where the processor's clock follows its load, so do times; empty: it does not, or nobody says so.
std::string changing_clock() {
  const std::string text = read_text("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
  const std::string governor(trim(text.substr(0, text.find('\n'))));
  if (governor.empty() || governor == "performance") return "";
  return fmt::format("the processor's clock follows its load (governor {})", governor);
}

Blocks blocks_of(const model::StepResult& step, const std::optional<TimePoints>& points) {
  Blocks all = {
      {"Time", time_text(step)}, {"Faster than", ratios_text(step)}, {"The idea", report::gain_long(step)}};
  const auto performance = report::performance_of(step);
  const std::string& reason = step.time->work.reason;
  if (performance && performance->share > 0)
    all.emplace_back("Of its ceiling", report::share_text(*performance) + ", " + performance->rate);
  else if (!reason.empty())
    all.emplace_back("Of its ceiling", "not known: " + reason);
  if (points) {
    all.emplace_back(
        "Points", fmt::format("{}   {} for {:.3g}x of {}", report::curve_line(*points, 32),
                              points_text(points->points, points->max_points), points->ratio, points->peer));
    if (points->next > points->ratio)
      all.emplace_back("Next point", fmt::format("at {:.3g}x: in {:.0f} % less time", points->next,
                                                 100 * points->less_time()));
  }
  auto unrest = report::unrest_of(step);
  if (!unrest.empty()) {
    if (const std::string clock = changing_clock(); !clock.empty()) unrest.push_back(clock);
    all.emplace_back("Noisy", fmt::format("{}. Such a time says little: close other programs, or try again.",
                                          fmt::join(unrest, "; ")));
  }
  std::erase_if(all, [](const auto& block) { return block.second.empty(); });
  return all;
}

/// What a step that was not timed, or whose time was not decided, gets to read is the judge's.
std::string text_of(const Context& context, const model::StepResult& result, const Blocks& blocks) {
  std::string text = feedback(context, result);
  for (const auto& [heading, what] : blocks)
    text += feedback_block(heading, what, static_cast<std::size_t>(context.terminal.width()));
  return text;
}

void write_page(const Context& context, const model::Document& document, const report::HtmlPage& steps) {
  report::HtmlPage page = steps;
  for (const model::LessonResults& lesson : document.lessons) {
    const auto figures = report::ladder_figures(lesson, document, context.catalogue.rows_of(lesson.name));
    if (!figures.empty()) page.heading(lesson.name);
    for (const auto& figure : figures) page.figure(report::ladder_steps(figure));
  }
  write_text(context.options.html, page.text());
}

}  // namespace

void add_bench_options(CLI::App& app, Options& o, Typed& typed) {
  add_judge_options(app, o, typed);
  add_class(app, o);
  app.add_option("--budget", typed.budget, "seconds for timing all rungs (default 10 for each)")
      ->type_name("SECONDS");
  app.add_option("--html", o.html, "write a page with the curves of points")->type_name("FILE");
  add_matrix(app, o);
  add_remote_options(app, o);
}

int bench(Context& context) {
  if (context.options.names.empty()) throw UsageError{"bench what? For example: ./ladder bench 03/c1"};
  const std::size_t count = choose(context);
  const std::string example =
      "Rungs on the CPU (c1) have a time everywhere; what counts without a clock: ./ladder check, ./ladder "
      "profile.";
  if (count == 0) {
    context.terminal.print("Nothing to time here. " + example);
    context.write_json(report::document("bench", context.seed));
    return context.options.strict ? 1 : 0;
  }
  report::HtmlPage page("Times on this machine");
  page.paragraph(
      "Ratios are the time of the other over the time of the rung, from pairs of one round: above 1 the rung "
      "is faster.");
  bool first = true;
  const auto step_ready = [&](const StepEntry& step, const model::StepResult& result) {
    const auto points = report::time_points_of(result, step.row);
    const Blocks blocks = result.time ? blocks_of(result, points) : Blocks{};
    Progress progress(context);
    if (context.options.matrix.empty()) progress.take_times(result);
    progress.save();
    context.terminal.print((first ? "" : "\n") + text_of(context, result, blocks));
    first = false;
    page.heading(fmt::format("{} {}: {}", step.label(), step.file, name(result.verdict))).facts(blocks);
    if (points) page.figure(report::points_curve(report::curve_of(*points)));
  };
  const model::Document document = judge_names(context, {.kinds = {TestKind::correctness, TestKind::time},
                                                         .budget = context.options.budget.value_or(0),
                                                         .machine = machine_facts(false),
                                                         .step_ready = step_ready});
  context.write_json(document);
  if (!context.options.html.empty()) write_page(context, document, page);
  context.terminal.print("\n" + summary(document));
  return !document.interrupted &&
                 report::all_passed(document, context.options.strict, report::Undecided::passes)
             ? 0
             : 1;
}

}  // namespace ladder
