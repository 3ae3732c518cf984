/// @file
/// The ladder figure of a lesson's results: groups that can be compared, and the finding as a title.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/base/error.hpp"
#include "common/base/text/step_name.hpp"
#include "common/model/result_json.hpp"
#include "common/report/figures/figures.hpp"
#include "common/report/results/page_text.hpp"
#include "common/report/results/performance.hpp"
#include "common/report/results/result_store.hpp"
#include "common/report/text/table.hpp"
#include "common/trace/metrics.hpp"

namespace ladder::report {
namespace {

using model::StepResult;
using nlohmann::json;

/// A step that was timed.
struct Timed {
  std::string id, heading, place;
  LadderFigure::Dot dot;
  double baseline = 0, library = 0, floor = 0;  ///< ratios, peer / step; 0: none
  double problem = 0;                           ///< the same of what limits every program for the problem
  std::string library_name{}, ceiling{};
  bool on_gpu = false;
  bool of_device = false;  ///< its time is the device's
  double extent = 0;       ///< of the problem
};

Timed timed(const StepResult& step, const Performance& p, const json& machine) {
  const std::string size = size_of(step);
  Timed t;
  t.id = id_of(step.name);
  t.place = place_of(step, machine);
  t.of_device = p.by_device;
  t.on_gpu = !t.place.empty() && t.place != "PoCL";
  t.heading = size + (size.empty() ? "" : ", ") + (t.place.empty() ? "CPU" : t.place) +
              (p.by_device ? ", time on the device" : "");
  t.dot = {spoken(step.name), p.seconds, p.low, p.high, Part::rung};
  if (step.verdict != Verdict::pass) t.dot.remark = name(step.verdict);
  if (t.on_gpu && p.share > 0 && t.dot.remark.empty()) t.dot.remark = percent_text(p.share);
  t.baseline = ratio_of(step, "baseline").value_or(0);
  if (const auto library = p.by_device ? library_on_device(step) : library_of(step))
    t.library = library->ratio, t.library_name = library->name;
  t.floor = p.share, t.problem = p.problem_share, t.ceiling = p.share > 0 ? ceiling_words(p.ceiling) : "";
  for (const auto& [_, value] : step.time->problem) t.extent += value;
  return t;
}

/// The executor's times mean nothing: its rungs show the numbers that their ideas change.
std::vector<Timed> timed_steps(const json& lesson, const json& document) {
  std::vector<Timed> all;
  const StoredDocument stored{"", document};
  for (const StepResult& step : model::steps_from_json(lesson.value("steps", json::array())))
    if (const auto performance = performance_of(step); performance && step.backend != "executor")
      all.push_back(timed(step, *performance, stored.machine_of(lesson.value("name", ""), step.name)));
  return all;
}

/// "sectors per operation", "passes over the data of fft lines": a metric by the field's name.
std::string metric_words(const std::string& name) try {
  const auto kernel = name.find(':');
  const Metric& metric = find_metric(name);
  const bool long_name = name == "findings";  // its own name is the known one
  return (*metric.field && !long_name ? metric.field : spoken(metric.name)) +
         (kernel == name.npos ? "" : " of " + spoken(name.substr(kernel + 1)));
} catch (const Error&) {
  return spoken(name);
}

/// The numbers that the ideas of rungs on the executor change.
std::vector<LadderFigure::Idea> ideas_of(const json& lesson) {
  std::vector<LadderFigure::Idea> ideas;
  for (const StepResult& step : model::steps_from_json(lesson.value("steps", json::array()))) {
    if (step.backend != "executor") continue;
    for (const model::Target& target : step.targets)
      ideas.push_back({.label = spoken(step.name),
                       .metric = metric_words(target.metric),
                       .relation = target.relation,
                       .bound = target.bound,
                       .measured = target.measured,
                       .below = target.below,
                       .remark = target.verdict == Verdict::missed ? "missed" : ""});
  }
  return ideas;
}

/// A peer's times in the timing sessions of the steps, each ratio is peer / step in the same timing session:
/// from the least to the most; 0: none.
struct PeerTimes {
  double least = 0, most = 0;
  bool differ(double times) const { return most > times * least; }
};

PeerTimes peer_times(const std::vector<const Timed*>& steps, double Timed::*ratio) {
  PeerTimes times;
  for (const Timed* t : steps) {
    const double seconds = t->*ratio * t->dot.seconds;
    if (seconds <= 0) continue;
    times.least = times.least > 0 ? std::min(times.least, seconds) : seconds;
    times.most = std::max(times.most, seconds);
  }
  return times;
}

constexpr double alike = 1.02;  ///< times of timing sessions that differ less are shown as one

/// Whether the steps have different peers, so that one line cannot be drawn. Rungs of several tasks, as
/// lesson 00 has them, have one baseline each; a rung whose matrices are on the host has a library that
/// copies them, too.
bool several(const std::vector<const Timed*>& steps, double Timed::*ratio) {
  return peer_times(steps, ratio).differ(4);  // the times of one task differ only by noise
}

/// Whether the rungs solve different problems: the ceilings of these are computed, so of one problem they are
/// equal.
bool several_tasks(const std::vector<const Timed*>& steps) {
  return peer_times(steps, &Timed::problem).differ(alike);
}

/// Whether rungs of one problem name ceilings of their own plans.
bool own_plans(const std::vector<const Timed*>& steps) {
  return !several_tasks(steps) && peer_times(steps, &Timed::floor).differ(alike);
}

LadderFigure::Group group_of(const std::string& heading, const std::vector<const Timed*>& steps) {
  const bool own_baselines = several(steps, &Timed::baseline);
  const bool own_libraries = several(steps, &Timed::library);
  const bool own_ceilings = several_tasks(steps);
  const PeerTimes library = own_libraries ? PeerTimes{} : peer_times(steps, &Timed::library);
  // A line that far away would press the rungs together, and no line is the ceiling of rungs that name their
  // own: percents show it.
  const bool far = std::all_of(steps.begin(), steps.end(), [](const Timed* t) { return t->floor < 0.01; }) ||
                   own_plans(steps);
  LadderFigure::Group group{
      heading, {}, library.least, own_ceilings || far ? 0 : peer_times(steps, &Timed::floor).most};
  group.library_most = library.differ(alike) ? library.most : 0;
  for (const Timed* t : steps)
    if (t->library > 0) group.library_name = t->library_name;
  for (const Timed* t : steps)
    if (t->floor > 0) group.ceiling = t->ceiling;
  const PeerTimes baseline = peer_times(steps, &Timed::baseline);
  // On a GPU a CPU's time would only make the axis long.
  if (baseline.least > 0 && !own_baselines && !steps.front()->on_gpu)
    group.dots.push_back({"baseline", baseline.least, baseline.least, baseline.most, Part::baseline,
                          baseline.differ(alike) ? "to " + short_time(baseline.most) : ""});
  for (const Timed* t : steps) {
    group.dots.push_back(t->dot);
    if (own_ceilings && !far) group.dots.back().ceiling = t->floor * t->dot.seconds;
    std::string& label = group.dots.back().label;
    if (own_baselines && t->baseline > 0)
      label += fmt::format(", {}x its baseline", short_number(t->baseline));
    if (own_libraries && t->library > 0)
      label += fmt::format(" ({}x {})", short_number(t->library), t->library_name);
  }
  return group;
}

/// The rung that gains most over the baseline; on a machine with a GPU one of the problem that most of its
/// rungs solved.
const Timed* best_of(const std::vector<Timed>& steps) {
  std::string heading;
  std::ptrdiff_t most = 0;
  for (const Timed& t : steps) {
    const auto same = std::count_if(steps.begin(), steps.end(), [&](const Timed& other) {
      return other.on_gpu && other.heading == t.heading;
    });
    if (t.on_gpu && same > most) most = same, heading = t.heading;
  }
  const Timed* best = nullptr;
  std::vector<const Timed*> same;
  for (const Timed& t : steps)
    if (t.heading == heading) same.push_back(&t);
  const bool by_ceiling = several_tasks(same);  // rungs of several tasks have that in common
  const auto worth = [&](const Timed& t) {
    return by_ceiling ? t.floor : t.baseline > 0 ? t.baseline : 1e-9 / t.dot.seconds;
  };
  for (const Timed& t : steps)
    if ((heading.empty() || t.heading == heading) && (!best || worth(t) > worth(*best))) best = &t;
  return best;
}

/// The effect of the ideas: the one that changed its number most, or how many are within their bounds.
std::string finding(const std::vector<LadderFigure::Idea>& ideas) {
  const LadderFigure::Idea* best = nullptr;
  const auto gain = [](const LadderFigure::Idea& one) {
    if (!one.below || !one.measured || *one.measured <= 0 || *one.below <= 0) return 0.0;
    return one.relation == ">=" ? *one.measured / *one.below : *one.below / *one.measured;
  };
  std::size_t within = 0;
  for (const LadderFigure::Idea& one : ideas) {
    if (!best || gain(one) > gain(*best)) best = &one;
    const double measured = one.measured.value_or(std::nan(""));
    within += one.relation == ">=" ? measured >= one.bound : measured <= one.bound;
  }
  if (gain(*best) > 1.05)
    return fmt::format("{} moves {} {}-fold", best->label, best->metric, short_number(gain(*best)));
  return fmt::format("{} of {} numbers are within their bounds", within, ideas.size());
}

std::vector<const Timed*> beside(const std::string& heading, const std::vector<Timed>& steps) {
  std::vector<const Timed*> all;
  for (const Timed& t : steps)
    if (t.heading == heading) all.push_back(&t);
  return all;
}

std::string finding(const Timed& best, const std::vector<Timed>& steps) {
  const std::vector<const Timed*> group = beside(best.heading, steps);
  const bool own_baselines = several(group, &Timed::baseline);
  if (several_tasks(group))
    return fmt::format("{} reaches {} of the {}", best.id, percent_text(best.floor), best.ceiling);
  if (best.baseline >= 1 || best.baseline <= 0) {
    const std::string ceiling = best.on_gpu && best.floor > 0
                                    ? fmt::format(", {} of the {}", percent_text(best.floor), best.ceiling)
                                    : "";
    const std::string library =
        best.library > 0 ? fmt::format(", {} of {}'s speed", short_number(best.library), best.library_name)
                         : "";
    if (best.baseline <= 0)  // it would have taken too long
      return (group.front() == &best
                  ? best.id + " is the fastest rung"
                  : fmt::format("{} is {} times as fast as {}", best.id,
                                short_number(group.front()->dot.seconds / best.dot.seconds),
                                group.front()->id)) +
             library + ceiling;
    return fmt::format("{} is {} times as fast as {} baseline{}", best.id, short_number(best.baseline),
                       own_baselines ? "its" : "the", library) +
           ceiling;
  }
  // Below the baseline the climb itself is the finding.
  const std::string reached = short_number(best.baseline) + " of the baseline's speed";
  // The first rung that solved the same problem on the same device.
  const Timed* first = group.front();
  if (own_baselines || first == &best)
    return fmt::format("no rung beats {} baseline here; {} reaches {}", own_baselines ? "its" : "the",
                       best.id, reached);
  return fmt::format("{} is {} times as fast as {}, still {}", best.id,
                     short_number(first->dot.seconds / best.dot.seconds), first->id, reached);
}

/// What a reader has to know to compare the times of the figure.
std::vector<std::string> notes_of(const std::vector<Timed>& steps, const std::vector<std::string>& headings) {
  std::vector<std::string> notes;
  bool own_ceilings = false, named_ceilings = false, sessions = false, sizes = false;
  for (const std::string& heading : headings) {
    const auto group = beside(heading, steps);
    own_ceilings = own_ceilings || several_tasks(group);
    named_ceilings = named_ceilings || own_plans(group);
    const PeerTimes baseline = peer_times(group, &Timed::baseline),
                    library = peer_times(group, &Timed::library);
    sessions = sessions || (!group.front()->on_gpu && baseline.differ(alike) && !baseline.differ(4)) ||
               (library.differ(alike) && !library.differ(4));
    for (const Timed& t : steps)
      sizes = sizes || (!t.place.empty() && t.place == group.front()->place &&
                        t.of_device == group.front()->of_device && t.extent != group.front()->extent);
  }
  if (own_ceilings) notes.push_back("Short dashes: the ceiling of each rung's own task; percent: of it.");
  if (named_ceilings) notes.push_back("Percent: of the ceiling that limits the rung's own plan.");
  if (sessions)
    notes.push_back(
        "Two times of one program: the least and the largest of its timing sessions with several rungs.");
  if (sizes)
    notes.push_back(
        "Slower rungs have a smaller problem, else a call would take long: compare times of one size.");
  return notes;
}

}  // namespace

LadderFigure ladder_figure(const json& lesson, const json& document) {
  LadderFigure figure;
  const auto steps = timed_steps(lesson, document);
  const auto ideas = ideas_of(lesson);
  if (steps.empty() && ideas.empty()) return figure;
  std::vector<std::string> headings;
  for (const Timed& t : steps)
    if (std::find(headings.begin(), headings.end(), t.heading) == headings.end())
      headings.push_back(t.heading);
  for (const std::string& heading : headings) {
    figure.groups.push_back(group_of(heading, beside(heading, steps)));
  }
  if (!ideas.empty())
    figure.groups.push_back(
        {.heading = "executor, each idea at its stated size", .dots = {}, .ideas = ideas});
  figure.notes = notes_of(steps, headings);
  figure.caption.title = fmt::format("{}: {}", lesson.value("name", ""),
                                     steps.empty() ? finding(ideas) : finding(*best_of(steps), steps));
  figure.caption.alternative = figure.caption.title + (steps.empty() ? "." : ". Time of a call.");
  for (const auto& group : figure.groups) {
    figure.caption.alternative += " " + group.heading + ":";
    for (const auto& dot : group.dots)
      figure.caption.alternative +=
          fmt::format(" {} {}{}{},", dot.label, short_time(dot.seconds),
                      dot.part == Part::baseline && !dot.remark.empty() ? " " + dot.remark : "",
                      dot.ceiling > 0 ? " (ceiling " + short_time(dot.ceiling) + ")" : "");
    if (group.library > 0)
      figure.caption.alternative +=
          fmt::format(" {} {}{},", group.library_name, short_time(group.library),
                      group.library_most > 0 ? " to " + short_time(group.library_most) : "");
    for (const auto& idea : group.ideas)
      figure.caption.alternative +=
          fmt::format(" {}, {}: {} of the necessary amount, bound {} {},", idea.label, idea.metric,
                      idea.measured ? short_number(*idea.measured) : "not measured", idea.relation,
                      short_number(idea.bound));
    if (group.floor > 0)
      figure.caption.alternative += fmt::format(" {} {},", group.ceiling, short_time(group.floor));
    figure.caption.alternative.back() = '.';
  }
  for (const std::string& note : figure.notes) figure.caption.alternative += " " + note;
  figure.caption.corner = StoredMachine::facts({"", document}, lesson.value("name", ""));
  return figure;
}

}  // namespace ladder::report
