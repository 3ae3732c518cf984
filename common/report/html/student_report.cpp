#include "common/report/html/student_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/base/text/numbers.hpp"
#include "common/base/text/points_text.hpp"
#include "common/base/text/step_name.hpp"
#include "common/report/figures/figures.hpp"
#include "common/report/figures/kernel_figures.hpp"
#include "common/report/html/html.hpp"
#include "common/report/results/page_text.hpp"
#include "common/report/results/performance.hpp"
#include "common/report/results/results.hpp"
#include "common/report/results/step_view.hpp"
#include "common/report/text/table.hpp"

namespace ladder::report {
namespace {

using model::StepResult;
using nlohmann::json;
using Row = std::vector<std::string>;
using Steps = std::vector<StepResult>;

std::string key_of(const StepResult& step) {
  return step.lesson + "/" + step.name;
}

Steps steps_of(const model::LessonResults& lesson) {
  Steps steps(lesson.steps.begin(), lesson.steps.end());
  for (StepResult& step : steps) step.lesson = lesson.name;
  return steps;
}

std::string state_of(const StudentReport& report, const std::string& key) {
  const auto found = report.states.find(key);
  return found == report.states.end() ? "" : found->second;
}

/// The same number of the reference, from the first stored run that counted it.
std::string reference_number(const StudentReport& report, const StepResult& step, const std::string& metric) {
  for (const StoredMachine& machine : report.stored)
    for (const StepResult& one : machine.run ? machine.run->step(step.lesson, step.name) : Steps{})
      for (const TargetView& target : view_of(one).targets)
        if (target.metric == metric && target.counted != "not measured") return target.counted;
  return "not measured yet";
}

/// Percent of the ceiling that binds; why there is none, else.
std::string ceiling_text(const StepResult& step) {
  if (step.backend == "executor") return "needs a GPU";
  if (const auto p = performance_of(step); p && p->share > 0)
    return ceiling_binds(*p) ? share_text(*p) : "below 10 %: other costs bind";
  return step.time ? "no ceiling known here" : "not timed yet";
}

std::string time_text(const StepResult& step) {
  const auto p = performance_of(step);
  if (!p || step.backend == "executor") return "";  // its times say nothing about a GPU
  return fmt::format("{} ({} to {}){}", short_time(p->seconds), short_time(p->low), short_time(p->high),
                     p->rate.empty() ? "" : ", " + p->rate);
}

void add_steps(HtmlPage& page, const StudentReport& report, const Steps& steps) {
  std::vector<Row> rows;
  for (const StepResult& step : steps) {
    const std::string points = step.max_points ? points_text(step.points.value_or(0), *step.max_points) : "";
    rows.push_back(
        {spoken(step.name), state_of(report, key_of(step)), points, time_text(step), ceiling_text(step)});
  }
  page.table("Your rungs", {{"rung"}, {"verdict"}, {"points", true}, {"time"}, {"of its ceiling"}}, rows);
}

void add_counters(HtmlPage& page, const StudentReport& report, const Steps& steps) {
  std::vector<Row> rows;
  for (const StepResult& step : steps)
    for (const TargetView& target : view_of(step).targets)
      rows.push_back({id_of(step.name), target.metric, target.counted,
                      reference_number(report, step, target.metric), target.short_bound, target.verdict});
  if (rows.empty()) return;
  page.table(
      "What your rungs counted, next to the reference and the bound; in brackets as multiples of the "
      "minimum.",
      {{"rung"}, {"number"}, {"yours", true}, {"reference", true}, {"bound", true}, {"verdict"}}, rows);
}

void add_ladder(HtmlPage& page, const StudentReport& report, const model::LessonResults& lesson) {
  const std::string& name = lesson.name;
  const auto rows = report.rows.find(name);
  const auto figures =
      ladder_figures(lesson, report.document, rows == report.rows.end() ? json::array() : rows->second);
  for (const LadderFigure& figure : figures) page.figure(ladder_steps(figure));
  if (figures.empty())
    page.note("No ladder yet: nothing of this lesson was timed. Next: ./ladder bench " + name.substr(0, 2));
}

/// The lesson's profiled rungs under the roofs of one device, the last rung's: those before it that were seen
/// as another device are left out.
void add_own_roofline(HtmlPage& page, const StudentReport& report, const std::string& lesson,
                      const Steps& steps) {
  RooflineFigure figure;
  std::string device;
  for (const StepResult& step : steps) {
    const auto found = report.profiles.find(key_of(step));
    if (found == report.profiles.end() || !number_in(found->second, "intensity")) continue;
    const json& kept = found->second;
    if (kept.value("device", "") != device) figure.points.clear(), device = kept.value("device", "");
    figure.peak = kept.value("peak", 0.0);
    figure.peak_label = "FP64 units " + short_rate(figure.peak, "FLOP/s");
    const double l1 = kept.value("l1", 0.0), memory = kept.value("memory", 0.0);
    figure.roofs = {{"L1 " + short_rate(l1, "B/s"), l1},
                    {"memory " + short_rate(memory, "B/s"), memory, true}};
    const double intensity = kept.value("intensity", 0.0);
    const auto time = performance_of(step);
    const auto operations = number_in(kept, "operations");
    const bool timed = time && time->by_device && operations && kept.value("size", "") == size_of(step);
    figure.points.push_back(
        {.label = spoken(step.name),
         .intensity = intensity,
         .performance = timed ? *operations / time->seconds : attainable(intensity, l1, figure.peak),
         .measured = timed,
         .mark = id_of(step.name)});
  }
  if (figure.points.empty()) {
    page.note("No roofline yet: ./ladder profile counts what a rung needs for it, operations and sectors.");
    return;
  }
  const auto best = std::max_element(figure.points.begin(), figure.points.end(),
                                     [](auto& a, auto& b) { return a.performance < b.performance; });
  figure.caption.title =
      fmt::format("{} on {}: {} {} {} of the FP64 peak", lesson, device, best->mark,
                  best->measured ? "reaches" : "may reach", per_cent(best->performance / figure.peak));
  figure.caption.corner = report.place;
  figure.caption.alternative = figure.caption.title + ".";
  for (const auto& p : figure.points)
    figure.caption.alternative +=
        fmt::format(" {}: {} operations per byte, {} {}.", p.label, short_number(p.intensity),
                    p.measured ? "measured" : "at most", short_rate(p.performance, "FLOP/s"));
  page.figure(roofline(figure));
  page.note("Hollow: the most that the sectors allow, no measurement.");
}

void add_profiles(HtmlPage& page, const StudentReport& report, const Steps& steps) {
  bool any = false;
  for (const StepResult& step : steps) {
    const auto found = report.profiles.find(key_of(step));
    if (found == report.profiles.end()) continue;
    any = true;
    const json& kept = found->second;
    const std::string limit = kept.value("limit", "");
    page.paragraph(fmt::format("{}, {}. What limits it: {}", spoken(step.name), kept.value("problem", ""),
                               limit.empty() ? "not known, the executor has no limits of a GPU." : limit));
    page.figure(kept.value("timeline", ""));
  }
  if (!any) page.note("No timeline yet: ./ladder profile records one for each rung that it is asked for.");
}

void add_leaderboard(HtmlPage& page, const StudentReport& report) {
  page.heading("Leaderboard of the t rungs");
  std::vector<std::pair<double, Row>> found;
  for (const StoredMachine& machine : report.stored) {
    if (!machine.run) continue;
    for (const model::LessonResults& lesson : machine.run->results.lessons)
      for (const StepResult& step : steps_of(lesson))
        if (const auto p = performance_of(step); p && step.name.starts_with("t")) {
          const auto library = library_on_device(step);
          found.push_back(
              {p->seconds,
               {label(step), machine.name, short_time(p->seconds), ceiling_binds(*p) ? share_text(*p) : "",
                library ? fmt::format("{}x {}", short_number(library->ratio), library->name) : ""}});
        }
  }
  if (found.empty()) {
    page.paragraph("Empty: no stored run has a t rung yet.");
    return;
  }
  std::stable_sort(found.begin(), found.end(), [](auto& a, auto& b) { return a.first < b.first; });
  std::vector<Row> rows;
  for (auto& one : found) rows.push_back(std::move(one.second));
  page.table("From stored runs, fastest first.",
             {{"rung"}, {"machine"}, {"time", true}, {"of its ceiling"}, {"against the library"}}, rows);
}

}  // namespace

json stored_profile(const Profile& p) {
  json kept = {{"problem", p.problem}, {"limit", limit_sentence(p)}, {"device", p.device.name}};
  if (p.trace && !p.trace->events.empty()) {
    TimelineFigure figure = timeline_of(*p.trace, !p.trace_device.empty());
    figure.caption.corner = p.corner;
    kept["timeline"] = timeline(figure);
  }
  const auto operations = p.known.operations ? p.known.operations : p.observation.sum("fp64_operations");
  const double sectors = p.observation.sum("global_load_sectors").value_or(0) +
                         p.observation.sum("global_store_sectors").value_or(0);
  if (operations && *operations > 0 && sectors > 0 && p.device.fp64_peak() > 0) {
    kept["operations"] = *operations, kept["intensity"] = *operations / (32 * sectors),
    kept["size"] = p.problem;
    kept["peak"] = p.device.fp64_peak(), kept["l1"] = p.device.l1_bandwidth();
    kept["memory"] = p.device.memory_bandwidth;
  }
  return kept;
}

model::ReportedSteps report_state(const StudentReport& report) {
  model::ReportedSteps all;
  for (const model::LessonResults& lesson : report.document.lessons)
    for (const StepResult& step : steps_of(lesson)) {
      model::ReportedStep& shown = all[label(step)];
      shown = {state_of(report, key_of(step)), step.points.value_or(0), {}};
      for (const model::Target& target : step.targets)
        if (target.measured) shown.numbers[target.metric] = *target.measured;
    }
  return all;
}

std::vector<std::string> report_changes(const model::ReportedSteps& before, const model::ReportedSteps& now) {
  std::vector<std::string> changes;
  for (const auto& [name, step] : now) {
    const auto found = before.find(name);
    if (found == before.end() && step.state == "not started") continue;
    const model::ReportedStep old = found == before.end() ? model::ReportedStep{"not there"} : found->second;
    std::string text;
    if (old.state != step.state) text += fmt::format(" {}, was {}.", step.state, old.state);
    if (old.points != step.points)
      text += fmt::format(" {} points, were {}.", points_text(step.points), points_text(old.points));
    for (const auto& [metric, value] : step.numbers)
      if (const auto was = old.numbers.find(metric); was != old.numbers.end() && was->second != value)
        text += fmt::format(" {} {}x, was {}x.", metric, short_number(value), short_number(was->second));
    if (!text.empty()) changes.push_back(name + ":" + text);
  }
  return changes;
}

std::string student_report(const StudentReport& report) {
  HtmlPage page("Your ladder");
  page.note(report.place);
  page.heading(report.last.empty() ? "This is the first report" : "Since the report of " + report.last);
  if (report.last.empty())
    page.paragraph("The next one says here what has changed.");
  else if (report.changes.empty())
    page.paragraph("Nothing has changed.");
  for (const std::string& change : report.changes) page.paragraph(change);
  for (const model::LessonResults& lesson : report.document.lessons) {
    page.heading(lesson.name.substr(0, 2) + " · " + lesson.title);
    add_ladder(page, report, lesson);
    const Steps steps = steps_of(lesson);
    add_steps(page, report, steps);
    add_counters(page, report, steps);
    add_own_roofline(page, report, lesson.name, steps);
    add_profiles(page, report, steps);
  }
  if (report.document.lessons.empty())
    page.paragraph("No rung was judged yet. ./ladder says where to begin.");
  add_leaderboard(page, report);
  return page.text();
}

}  // namespace ladder::report
