#include "common/course/summary.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "common/base/text/numbers.hpp"
#include "common/base/text/text.hpp"
#include "common/grade/intake/source_encoding.hpp"
#include "common/grade/record.hpp"

namespace ladder::course {
namespace {

constexpr std::size_t max_names = 10;

/// The downloads of several platforms, or of several days, that lie side by side.
std::size_t downloads_in(const SubmissionImport& handed) {
  std::set<std::string> folders;
  for (const ImportedSubmission& one : handed.all)
    if (one.platform == "gradescope" || one.platform == "canvas" || one.platform == "moodle")
      folders.insert(one.key.substr(0, one.key.find('~') == one.key.npos ? 0 : one.key.find('~')));
  return folders.size();
}

/// "u087 (canvas-0210~canvas_340086 and 2 more)": each person, or group, with the submissions without a time.
std::vector<std::string> without_time(const SubmissionImport& handed) {
  std::map<std::string, std::vector<std::string>> of_people;
  for (const ImportedSubmission& one : handed.all)
    if (!one.received)
      of_people[one.people.empty() ? "nobody on the roster" : fmt::format("{}", fmt::join(one.people, " "))]
          .push_back(grade::printable(one.key));
  std::vector<std::string> texts;
  for (const auto& [people, keys] : of_people)
    texts.push_back(fmt::format("{} ({})", people, some_of(keys, 1)));
  return texts;
}

void add_names(std::vector<std::string>& lines, const std::string& what,
               const std::vector<std::string>& names) {
  if (!names.empty()) lines.push_back(fmt::format("{}: {}", what, some_of(names, max_names)));
}

std::string minutes(double elapsed) {
  return fmt::format("{:.0f} min", std::max(1.0, std::ceil(elapsed / 60)));
}

}  // namespace

std::vector<std::string> handed_summary(const SubmissionImport& handed, const std::filesystem::path& times) {
  std::set<std::string> people;
  std::size_t no_time = 0;
  for (const ImportedSubmission& one : handed.all)
    people.insert(one.people.begin(), one.people.end()), no_time += !one.received;
  const std::size_t downloads = downloads_in(handed);
  std::vector<std::string> lines = {
      fmt::format("{}{}, of {} on the roster; {} of the roster handed in nothing{}",
                  ladder::counted(handed.all.size(), "submission"),
                  downloads > 1 ? fmt::format(" in {} downloads", downloads) : "", people_text(people.size()),
                  handed.missing.size(),
                  handed.missing.empty() ? "" : fmt::format(": {}", fmt::join(handed.missing, ", ")))};
  if (no_time > 0)
    lines.push_back(fmt::format(
        "The time of {} is not known, of {}: {}", ladder::counted(no_time, "submission"),
        some_of(without_time(handed), max_names),
        std::filesystem::exists(times) ? fmt::format("add to {}", times.string())
                                       : fmt::format("write {}, or give --received FILE", times.string())));
  return lines;
}

std::vector<std::string> ruled_summary(const std::vector<Ruled>& all) {
  std::size_t with = 0, late = 0;
  std::vector<std::string> too_late, nothing, not_judged, no_time, lines;
  for (const Ruled& one : all) {
    with += one.mark.points.has_value();
    late += one.credit && one.credit->late.count() > 0;
    if (one.attempts == 0)
      nothing.push_back(one.mark.id);
    else if (!one.mark.points)
      not_judged.push_back(one.mark.id);
    else if (one.credit && !one.credit->counts)
      too_late.push_back(one.mark.id);
    if (one.attempts > 0 && !one.received) no_time.push_back(one.mark.id);
  }
  lines.push_back(fmt::format("{}, {} with points, {} late", people_text(all.size()), with, late));
  add_names(lines, "Too late for any point, which is 0", too_late);
  add_names(lines, "Nothing handed in, an empty cell and no 0", nothing);
  add_names(lines, "Nothing could be judged, an empty cell and no 0", not_judged);
  add_names(
      lines,
      "The time is unknown and counts as in time (a line in received.csv, then grade … --resume, gives it)",
      no_time);
  return lines;
}

std::string scale_text(const Assignment& assignment, const model::GradeRecord& record) {
  std::vector<std::string> parts;
  bool other = assignment.time || assignment.private_tests || !assignment.manual.empty();
  for (const auto& [rung, points] : assignment.rungs) {
    double most = 0;
    for (const auto& step : record.steps)
      if (step.part.empty() && rung_of(step) == rung) most += step.max_points.value_or(0);
    other = other || most != points;
    parts.push_back(fmt::format("{} {} → {}", rung, grade::points_text(most), grade::points_text(points)));
  }
  if (!other) return "";
  const auto later = [&](const char* what, double points) {
    parts.push_back(fmt::format("{}, {} points", what, grade::points_text(points)));
  };
  if (assignment.time) later("time, in the final phase", assignment.time->points);
  if (assignment.private_tests) later("private tests, in the final phase", assignment.private_tests->points);
  double asked = 0;
  for (const Manual& one : assignment.manual) asked += one.points;
  if (asked > 0) later("questions that people grade", asked);
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::string cost_text(const Cost& cost) {
  const double lanes = static_cast<double>(cost.people) / cost.jobs;
  // Threads of one submission may use several processors at once: then the clock is the better estimate.
  const std::string quiet =
      cost.cpu > 0 && cost.cpu < 0.7 * cost.different
          ? fmt::format(" (other work kept this machine busy: {} without it)", minutes(lanes * cost.cpu))
          : "";
  return fmt::format(
      "costs here, with --jobs {}, between {}, where all sources are equal, and {}, where nobody's are{} "
      "({:.1f} s for one that is judged and passes, {:.1f} s for one whose sources are known; one that hangs "
      "takes "
      "longer); before it {} for what all share and the reference",
      cost.jobs, minutes(lanes * std::min(cost.known, cost.different)), minutes(lanes * cost.different),
      quiet, cost.different, cost.known, minutes(cost.once));
}

}  // namespace ladder::course
