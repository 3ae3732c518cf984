#include "common/tool/gradescope.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/base/error.hpp"
#include "common/course/gradebook.hpp"
#include "common/course/times.hpp"

namespace ladder::gradescope {
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
  } catch (const json::exception& problem) {
    throw Error(fmt::format("gradescope.json cannot be read: {}", problem.what()));
  }
  if (settings.rungs.empty()) throw Error("gradescope.json names no rungs");
  return settings;
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

json results_of(const json& record, const std::vector<std::string>& not_judged, const std::string& why) {
  json results = record.is_object() ? course::gradescope_results(record)
                                    : json{{"output", ""},
                                           {"output_format", "text"},
                                           {"visibility", "visible"},
                                           {"tests", json::array()}};
  for (const std::string& rung : not_judged)
    results["tests"].push_back(
        {{"name", rung}, {"output", why}, {"output_format", "text"}, {"visibility", "visible"}});
  if (!not_judged.empty())
    results["output"] =
        fmt::format("{} of {} rungs {}{}{}", not_judged.size(), results["tests"].size(), why,
                    results.value("output", "").empty() ? "" : "\n", results.value("output", ""));
  // Without a score in any test the platform wants one of its own.
  const bool scored = std::any_of(results["tests"].begin(), results["tests"].end(),
                                  [](const json& test) { return test.contains("score"); });
  if (!scored) results["score"] = 0;
  return results;
}

void add_steps(json& record, const json& other) {
  if (!record.is_object()) {
    record = other;
    return;
  }
  for (const json& step : other.at("steps")) record["steps"].push_back(step);
}

bool is_judged(const json& record) {
  const json steps = record.is_object() ? record.value("steps", json::array()) : json::array();
  return !steps.empty() && std::none_of(steps.begin(), steps.end(), [](const json& step) {
    return step.value("verdict", "NOT RUN") == "NOT RUN";
  });
}

}  // namespace ladder::gradescope
