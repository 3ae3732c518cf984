#include "common/grade/repeatability.hpp"

#include <fmt/format.h>

#include <utility>

#include "common/base/files/json_fields.hpp"
#include "common/grade/record.hpp"

namespace ladder::grade {
namespace {

using model::GradeEntry;
using model::GradeRecord;

/// The interval of the ratio that the points come from; {0, 0}: none was measured.
std::pair<double, double> interval_of(const GradeEntry& entry, const std::string& peer) {
  const auto interval = entry.ratio_interval.find(peer);
  if (interval == entry.ratio_interval.end()) return {};
  return {interval->second.low, interval->second.high};
}

bool agree(const GradeEntry& first, const GradeEntry& second, const std::string& peer) {
  if (points_text(first.points.value_or(0)) == points_text(second.points.value_or(0))) return true;
  const auto [low, high] = interval_of(first, peer);
  const auto [low_again, high_again] = interval_of(second, peer);
  return high > 0 && high_again > 0 && low <= high_again && low_again <= high;
}

/// As final.json has it: null where there is none.
nlohmann::json ratio_json(const GradeEntry& entry) {
  return entry.ratio.empty() ? nlohmann::json() : json_from(entry.ratio);
}

}  // namespace

const GradeEntry* time_entry(const GradeRecord& record, const std::string& step) {
  for (const GradeEntry& entry : record.steps)
    if (entry.part == "time" && step_id(entry) == step) return &entry;
  return nullptr;
}

void Repeatability::compare(const GradeRecord& first, const GradeRecord& second,
                            const std::vector<TimedStep>& steps) {
  for (const TimedStep& step : steps) {
    const GradeEntry *before = time_entry(first, step.id), *after = time_entry(second, step.id);
    if (!before || !after) continue;
    const bool same = agree(*before, *after, step.peer);
    const double points = before->points.value_or(0), again = after->points.value_or(0);
    pairs.push_back({{"student", first.pseudonym},
                     {"step", step.id},
                     {"points", points},
                     {"again", again},
                     {"ratio", ratio_json(*before)},
                     {"ratio_again", ratio_json(*after)},
                     {"same", same}});
    if (!same)
      differ.push_back(fmt::format("{} of {}: {} points at the beginning, {} at the end", step.label,
                                   first.pseudonym, points_text(points), points_text(again)));
  }
}

void Repeatability::look_at_reference(const GradeRecord& record, const std::vector<TimedStep>& steps) {
  for (const TimedStep& step : steps) {
    const GradeEntry* const time = time_entry(record, step.id);
    if (!time) continue;
    const std::string points = points_text(time->points.value_or(0));
    const std::string full = points_text(time->max_points.value_or(0));
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
