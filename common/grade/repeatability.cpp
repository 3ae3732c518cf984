#include "common/grade/repeatability.hpp"

#include <fmt/format.h>

#include <utility>

#include "common/grade/record.hpp"

namespace ladder::grade {
namespace {

using nlohmann::json;

/// The interval of the ratio that the points come from; {0, 0}: none was measured.
std::pair<double, double> interval_of(const json& entry, const std::string& peer) {
  const json interval = entry.value("ratio_interval", json::object()).value(peer, json::object());
  return {interval.value("low", 0.0), interval.value("high", 0.0)};
}

bool agree(const json& first, const json& second, const std::string& peer) {
  if (points_text(first.value("points", 0.0)) == points_text(second.value("points", 0.0))) return true;
  const auto [low, high] = interval_of(first, peer);
  const auto [low_again, high_again] = interval_of(second, peer);
  return high > 0 && high_again > 0 && low <= high_again && low_again <= high;
}

}  // namespace

const json* time_entry(const json& record, const std::string& step) {
  for (const json& entry : record.at("steps"))
    if (entry.value("part", "") == "time" && step_id(entry) == step) return &entry;
  return nullptr;
}

void Repeatability::compare(const json& first, const json& second, const std::vector<TimedStep>& steps) {
  const std::string pseudonym = first.value("pseudonym", "");
  for (const TimedStep& step : steps) {
    const json *before = time_entry(first, step.id), *after = time_entry(second, step.id);
    if (!before || !after) continue;
    const bool same = agree(*before, *after, step.peer);
    const double points = before->value("points", 0.0), again = after->value("points", 0.0);
    pairs.push_back({{"student", pseudonym},
                     {"step", step.id},
                     {"points", points},
                     {"again", again},
                     {"ratio", before->value("ratio", json())},
                     {"ratio_again", after->value("ratio", json())},
                     {"same", same}});
    if (!same)
      differ.push_back(fmt::format("{} of {}: {} points at the beginning, {} at the end", step.label,
                                   pseudonym, points_text(points), points_text(again)));
  }
}

void Repeatability::look_at_reference(const json& record, const std::vector<TimedStep>& steps) {
  for (const TimedStep& step : steps) {
    const json* const time = time_entry(record, step.id);
    if (!time) continue;
    const std::string points = points_text(time->value("points", 0.0));
    const std::string full = points_text(time->value("max_points", 0.0));
    if (points == full) continue;
    below_full.push_back(fmt::format("{}: {} of {} points for time", step.label, points, full));
  }
}

std::vector<std::string> Repeatability::reasons() const {
  std::vector<std::string> lines;
  for (const std::string& line : differ) lines.push_back("not the same twice: " + line);
  for (const std::string& line : below_full) lines.push_back("the reference, " + line);
  return lines;
}

std::string final_state(bool all_measured, bool timed, const Repeatability& twice) {
  if (!all_measured) return "interrupted";
  if (!timed) return "untimed";
  return twice.flagged() ? "flagged" : "agrees";
}

}  // namespace ladder::grade
