#include "common/tool/grading/gradescope.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "common/base/error.hpp"
#include "common/base/files/files.hpp"
#include "common/course/platforms/gradebook.hpp"
#include "common/course/times.hpp"
#include "common/grade/intake/contents.hpp"
#include "common/grade/record.hpp"
#include "common/grade/sha256.hpp"

namespace ladder::gradescope {
namespace fs = std::filesystem;
namespace {

using nlohmann::json;

constexpr auto day = std::chrono::hours(24);

/// When a submission came; nothing where the platform did not say.
std::optional<course::Time> time_in(const json& submission, const char* field) {
  const json text = submission.is_object() ? submission.value(field, json()) : json();
  return text.is_string() ? course::time_of(text, course::this_machine) : std::nullopt;
}

/// What our results keep for the next run.
json extra_of(const json& submission) {
  const json results = submission.value("results", json::object());
  const json extra = results.is_object() ? results.value("extra_data", json::object()) : json::object();
  return extra.is_object() ? extra : json::object();
}

}  // namespace

Settings settings_from(const std::string& text) {
  const json all = json::parse(text, nullptr, false);
  Settings settings;
  try {
    settings.rungs = all.at("rungs").get<std::vector<std::string>>();
    settings.per_day = all.value("per_day", settings.per_day);
    settings.seconds = all.value("seconds", settings.seconds);
    const json worth = all.value("points", json::object());
    for (const auto& [rung, points] : worth.items())
      settings.assignment.rungs.emplace_back(rung, points.get<double>());
    settings.assignment.allow.symbols = all.value("allowed", std::vector<std::string>{});
    settings.assignment.allow.headers = all.value("headers", std::vector<std::string>{});
  } catch (const json::exception& problem) {
    throw Error(fmt::format("gradescope.json cannot be read: {}", problem.what()));
  }
  if (settings.rungs.empty()) throw Error("gradescope.json names no rungs");
  return settings;
}

std::string settings_text(const std::vector<std::string>& rungs, int per_day,
                          const course::Assignment* assignment) {
  json all = {{"rungs", rungs}, {"per_day", per_day}, {"seconds", Settings().seconds}};
  if (assignment) {
    for (const auto& [rung, points] : assignment->rungs) all["points"][rung] = points;
    all["allowed"] = assignment->allow.symbols;
    all["headers"] = assignment->allow.headers;
  }
  return all.dump();
}

fs::path import_submissions(const fs::path& autograder) {
  const fs::path folder = autograder / "submission";
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (!entry.path().filename().string().starts_with(".")) files.push_back(entry.path());
  const bool packed = files.size() == 1 && fs::is_regular_file(fs::symlink_status(files.front())) &&
                      grade::is_archive(files.front().filename().string());
  return packed ? files.front() : folder;
}

std::optional<json> beyond_the_day(const json& metadata, int per_day) {
  const auto now = time_in(metadata, "created_at");
  if (per_day <= 0 || !now) return {};
  const json* last = nullptr;
  std::optional<course::Time> last_time;
  std::vector<course::Time> counted;
  const json previous = metadata.value("previous_submissions", json::array());
  for (const json& one : previous) {
    const auto time = time_in(one, "submission_time");
    if (!time || !one.is_object() || extra_of(one).value("not_graded", false)) continue;
    if (*time > *now - day && *time <= *now) counted.push_back(*time);
    if (one.value("results", json()).is_object() && (!last_time || *time >= *last_time))
      last = &one, last_time = *time;
  }
  if (static_cast<int>(counted.size()) < per_day) return {};
  std::sort(counted.begin(), counted.end());
  const course::Time next = counted[counted.size() - static_cast<std::size_t>(per_day)] + day;
  json results = last ? (*last)["results"] : json{{"score", 0}, {"tests", json::array()}};
  // A test cannot have both: Gradescope takes the total where it stands, and adds the tests otherwise.
  if (results.contains("tests") && !results["tests"].empty()) results.erase("score");
  results["output"] = fmt::format(
      "Not graded: {} submissions in 24 hours are. Below are the results of the last one that was. The next "
      "is graded "
      "from {} on.{}{}",
      per_day, course::utc_text(next), results.value("output", "").empty() ? "" : "\n",
      results.value("output", ""));
  results["output_format"] = "text";
  if (!results.contains("extra_data") || !results["extra_data"].is_object())
    results["extra_data"] = json::object();
  results["extra_data"]["not_graded"] = true;
  return results;
}

int attempt_of(const json& metadata) {
  const json previous =
      metadata.is_object() ? metadata.value("previous_submissions", json::array()) : json::array();
  return std::min<int>(1000, 1 + static_cast<int>(previous.size()));
}

model::GradescopeResults results_of(const std::optional<model::GradeRecord>& record,
                                    const std::vector<std::string>& not_judged, const std::string& why) {
  model::GradescopeResults results;
  if (record) results = course::gradescope_results(*record);
  for (const std::string& rung : not_judged) results.tests.push_back({.name = rung, .output = why});
  if (!not_judged.empty())
    results.output = fmt::format("{} of {} rungs {}{}{}", not_judged.size(), results.tests.size(), why,
                                 results.output.empty() ? "" : "\n", results.output);
  // Without a score in any test the platform wants one of its own.
  const bool scored = std::ranges::any_of(
      results.tests, [](const model::GradescopeTest& test) { return test.score.has_value(); });
  if (!scored) results.score = 0;
  return results;
}

void add_steps(std::optional<model::GradeRecord>& record, const model::GradeRecord& other) {
  if (!record) {
    record = other;
    return;
  }
  record->steps.insert(record->steps.end(), other.steps.begin(), other.steps.end());
  record->points += other.points;
  record->max_points += other.max_points;
}

bool is_judged(const model::GradeRecord& record) {
  return !record.steps.empty() &&
         std::none_of(record.steps.begin(), record.steps.end(),
                      [](const model::GradeEntry& step) { return step.verdict == Verdict::not_run; });
}

std::string results_text(const model::GradescopeResults& results) {
  std::vector<std::string> steps;
  for (const model::GradescopeTest& test : results.tests) {
    if (test.name.ends_with(", open")) continue;  // a later phase, which no zip has
    // Without a verdict the output says why: not judged in time, or a fault of the autograder.
    std::string text = test.name.substr(0, test.name.find(' ')) + " " +
                       (test.extra_data ? test.extra_data->verdict : test.output);
    if (test.max_score)
      text += fmt::format(" {} of {}", grade::points_text(test.score.value_or(0)),
                          grade::points_text(*test.max_score));
    steps.push_back(text);
  }
  return steps.empty() ? "no results" : fmt::format("{}", fmt::join(steps, ", "));
}

std::string wrong_in_zip(const json& tried) {
  const fs::path zip = tried.is_object() ? tried.value("file", "") : "";
  if (zip.empty() || !fs::exists(zip) || sha256(read_text(zip)) != tried.value("sha256", "")) return "";
  for (const json& row : tried.value("rows", json::array()))
    if (!row.value("right", false))
      return fmt::format("in {} {} got {}, not {}", zip.string(), row.value("submission", ""),
                         row.value("got", ""), row.value("must_get", ""));
  return "";
}

}  // namespace ladder::gradescope
