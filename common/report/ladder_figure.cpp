/// @file
/// The ladder figure of a lesson's results: groups that can be compared, and the finding as a title.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/report/figures.hpp"
#include "common/report/stored.hpp"
#include "common/report/table.hpp"

namespace ladder::report {
namespace {

using nlohmann::json;

/// A step that was timed.
struct Timed {
  std::string id, heading, place;
  LadderFigure::Bar bar;
  double baseline = 0, library = 0, floor = 0;  ///< ratios, peer / step; 0: none
  std::string library_name{};
};

/// "g2_shared_tiles" as "g2 shared tiles"
std::string spoken(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

std::vector<Timed> timed_steps(const json& lesson, const json& document) {
  std::vector<Timed> all;
  for (const json& step : lesson.value("steps", json::array())) {
    const json time = step.value("time", json::object());
    const auto median = number_in(time, "median");
    if (!median || *median <= 0) continue;
    const std::string verdict = step.value("verdict", "PASS"), name = step.value("name", "");
    Timed t;
    t.id = name.substr(0, name.find('_'));
    t.place = place_of(step, document.value("machine", json()));
    t.heading =
        size_of(step) + (size_of(step).empty() ? "" : ", ") + (t.place.empty() ? "CPU" : t.place);
    t.bar = {spoken(name),
             *median,
             number_in(time, "low").value_or(*median),
             number_in(time, "high").value_or(*median),
             Part::rung,
             verdict == "PASS" ? "" : verdict};
    const json ratio = step.value("ratio", json::object());
    t.baseline = number_in(ratio, "baseline").value_or(0);
    if (const auto library = library_of(step)) t.library = library->ratio, t.library_name = library->name;
    t.floor = number_in(ratio, "floor").value_or(0);
    all.push_back(t);
  }
  return all;
}

/// A peer's time from the steps that raced it: each ratio is peer / step in the same run, so each gives an estimate; their median.
double peer_seconds(const std::vector<const Timed*>& steps, double Timed::*ratio) {
  std::vector<double> seconds;
  for (const Timed* t : steps)
    if (t->*ratio > 0) seconds.push_back(t->*ratio * t->bar.seconds);
  if (seconds.empty()) return 0;
  std::sort(seconds.begin(), seconds.end());
  return seconds[seconds.size() / 2];
}

/// Have these steps a peer each, whose times are no multiples of one another? Rungs of several tasks, as lesson 00 has
/// them, have a baseline each; a rung whose matrices are on the host has a library that copies them, too.
bool several(const std::vector<const Timed*>& steps, double Timed::*ratio) {
  double least = 0, most = 0;
  for (const Timed* t : steps) {
    const double seconds = t->*ratio * t->bar.seconds;
    if (seconds <= 0) continue;
    least = least > 0 ? std::min(least, seconds) : seconds;
    most = std::max(most, seconds);
  }
  return most > 4 * least;  // one task's differ by the noise of a machine
}

LadderFigure::Group group_of(const std::string& heading, const std::vector<const Timed*>& steps) {
  const bool own_baselines = several(steps, &Timed::baseline);
  const bool own_libraries = several(steps, &Timed::library);
  LadderFigure::Group group{heading,
                            {},
                            own_libraries ? 0 : peer_seconds(steps, &Timed::library),
                            peer_seconds(steps, &Timed::floor)};
  for (const Timed* t : steps)
    if (t->library > 0) group.library_name = t->library_name;
  const double baseline = peer_seconds(steps, &Timed::baseline);
  if (baseline > 0 && !own_baselines)
    group.bars.push_back({"baseline", baseline, baseline, baseline, Part::baseline});
  for (const Timed* t : steps) {
    group.bars.push_back(t->bar);
    std::string& label = group.bars.back().label;
    if (own_baselines && t->baseline > 0)
      label += fmt::format(", {}x its baseline", short_number(t->baseline));
    if (own_libraries && t->library > 0)
      label += fmt::format(" ({}x {})", short_number(t->library), t->library_name);
  }
  return group;
}

/// The rung that gains most over the baseline; the executor's times count only when there are no others: it observes, it does not race.
const Timed* best_of(const std::vector<Timed>& steps) {
  const Timed* best = nullptr;
  const auto worth = [](const Timed& t) {
    return std::pair(t.place != "executor", t.baseline > 0 ? t.baseline : 1e-9 / t.bar.seconds);
  };
  for (const Timed& t : steps)
    if (!best || worth(t) > worth(*best)) best = &t;
  return best;
}

std::vector<const Timed*> beside(const std::string& heading, const std::vector<Timed>& steps) {
  std::vector<const Timed*> all;
  for (const Timed& t : steps)
    if (t.heading == heading) all.push_back(&t);
  return all;
}

std::string finding(const Timed& best, const std::vector<Timed>& steps) {
  if (best.baseline <= 0) return best.id + " is the fastest rung";
  const std::vector<const Timed*> group = beside(best.heading, steps);
  const bool own_baselines = several(group, &Timed::baseline);
  if (best.baseline >= 1) {
    const std::string library =
        best.library > 0 ? fmt::format(", {} of {}'s speed", short_number(best.library), best.library_name)
                         : "";
    return fmt::format("{} is {} times as fast as {} baseline{}", best.id, short_number(best.baseline),
                       own_baselines ? "its" : "the", library);
  }
  // Below the baseline the climb itself is the finding.
  const std::string reached = short_number(best.baseline) + " of the baseline's speed";
  // The first rung that solved the same problem on the same device.
  const Timed* first = group.front();
  if (own_baselines || first == &best)
    return fmt::format("no rung beats {} baseline here; {} reaches {}", own_baselines ? "its" : "the",
                       best.id, reached);
  return fmt::format("{} is {} times as fast as {}, still {}", best.id,
                     short_number(first->bar.seconds / best.bar.seconds), first->id, reached);
}

}  // namespace

LadderFigure ladder_figure(const json& lesson, const json& document) {
  LadderFigure figure;
  const auto steps = timed_steps(lesson, document);
  if (steps.empty()) return figure;
  std::vector<std::string> headings;
  for (const Timed& t : steps)
    if (std::find(headings.begin(), headings.end(), t.heading) == headings.end())
      headings.push_back(t.heading);
  for (const std::string& heading : headings) {
    figure.groups.push_back(group_of(heading, beside(heading, steps)));
  }
  figure.caption.title = fmt::format("{}: {}", lesson.value("name", ""), finding(*best_of(steps), steps));
  figure.caption.alternative = figure.caption.title + ". Time of a call.";
  for (const auto& group : figure.groups) {
    figure.caption.alternative += " " + group.heading + ":";
    for (const auto& bar : group.bars)
      figure.caption.alternative += fmt::format(" {} {},", bar.label, short_time(bar.seconds));
    if (group.library > 0)
      figure.caption.alternative += fmt::format(" {} {},", group.library_name, short_time(group.library));
    if (group.floor > 0) figure.caption.alternative += fmt::format(" floor {},", short_time(group.floor));
    figure.caption.alternative.back() = '.';
  }
  figure.caption.corner = StoredMachine::facts({"", document});
  return figure;
}

}  // namespace ladder::report
