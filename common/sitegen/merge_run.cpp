#include "common/sitegen/merge_run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "common/base/text/numbers.hpp"
#include "common/report/results/page_text.hpp"
#include "common/report/results/results.hpp"

namespace ladder::report {
namespace {

using nlohmann::json;

/// "03-dgemm/g"
std::string track_of(const std::string& lesson, const std::string& step) {
  return lesson + "/" + step.substr(0, 1);
}

/// The table's rows of a lesson by name, in its order; empty when there is no such lesson.
std::vector<std::string> names_in(const Tables& tables, const std::string& lesson) {
  std::vector<std::string> names;
  if (const auto table = tables.find(lesson); table != tables.end())
    for (const json& row : table->second.at("steps")) names.push_back(row.at("name"));
  return names;
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// What is known of a run as a whole.
json run_facts(const json& run) {
  json facts = json::object();
  for (const char* field : {"date", "commit", "seed", "machine", "clock"})
    if (run.contains(field)) facts[field] = run[field];
  facts["tracks"] = json::array();
  return facts;
}

/// Makes a stored document name the run of each track; a document without these names is of one run.
json with_runs(json stored) {
  if (stored.contains("runs")) return stored;
  json facts = run_facts(stored);
  std::set<std::string> tracks;
  for (const json& lesson : stored["lessons"])
    for (const json& step : lesson["steps"]) tracks.insert(track_of(lesson["name"], step["name"]));
  facts["tracks"] = tracks;
  stored["runs"] = json::array({facts});
  return stored;
}

/// Whether Ctrl-C came before a step's time.
bool lacks_its_time(const json& step) {
  const json kinds = step.value("kinds", json::array());
  return std::any_of(kinds.begin(), kinds.end(),
                     [](const json& kind) { return kind.value("message", "") == time_interrupted; });
}

/// Whether a row can be stored: a solution that was judged whole.
bool is_judged(const json& step) {
  if (lacks_its_time(step)) return false;
  static const std::set<std::string> verdicts = {"PASS", "MISSED", "INCONCLUSIVE", "REVIEW", "SKIPPED"};
  return step.value("tree", "") == "solutions" && verdicts.contains(step.value("verdict", ""));
}

/// The lesson in a document; inserted in the order of names when it is missing.
json& lesson_in(json& document, const json& like) {
  json& lessons = document["lessons"];
  std::size_t at = 0;
  for (; at < lessons.size() && lessons[at]["name"] <= like["name"]; ++at)
    if (lessons[at]["name"] == like["name"]) return lessons[at];
  const json fresh = {{"name", like["name"]}, {"title", like.value("title", "")}, {"steps", json::array()}};
  return *lessons.insert(lessons.begin() + static_cast<std::ptrdiff_t>(at), fresh);
}

void sort_steps(json& lesson, const std::vector<std::string>& order) {
  std::vector<json> steps = lesson["steps"];
  std::stable_sort(steps.begin(), steps.end(), [&](const json& a, const json& b) {
    return std::find(order.begin(), order.end(), a["name"].get<std::string>()) <
           std::find(order.begin(), order.end(), b["name"].get<std::string>());
  });
  lesson["steps"] = steps;
}

/// Records which tracks are of the new run, and removes runs without tracks.
void set_runs(json& stored, json facts, const std::set<std::string>& tracks) {
  std::set<std::string> there;
  for (const json& lesson : stored["lessons"])
    for (const json& step : lesson["steps"]) there.insert(track_of(lesson["name"], step["name"]));
  facts["tracks"] = tracks;
  json runs = json::array();
  for (json run : stored["runs"]) {
    json left = json::array();
    for (const std::string track : run["tracks"])
      if (there.contains(track) && !tracks.contains(track)) left.push_back(track);
    run["tracks"] = left;
    if (!left.empty()) runs.push_back(run);
  }
  runs.push_back(facts);
  stored["runs"] = runs;
}

/// The rows of a track of which steps has no judged solution.
std::vector<std::string> lacking(const std::vector<std::string>& rows, char track,
                                 const std::vector<json>& steps) {
  std::vector<std::string> lacks;
  for (const std::string& row : rows)
    if (row[0] == track && std::none_of(steps.begin(), steps.end(),
                                        [&](const json& s) { return s["name"] == row && is_judged(s); }))
      lacks.push_back(row);
  return lacks;
}

/// Replaces a lesson's steps of a track.
void put_track(json& lesson, char track, const std::vector<json>& steps,
               const std::vector<std::string>& order) {
  json left = json::array();
  for (const json& step : lesson["steps"])
    if (step["name"].get<std::string>()[0] != track) left.push_back(step);
  for (const json& step : steps) left.push_back(step);
  lesson["steps"] = left;
  sort_steps(lesson, order);
}

/// Whether a step's pair is what its row names.
bool is_of_row(const json& step, const json& rows, const json& row) {
  const json &gain = step.at("gain"), &named = row.at("gain");
  const json problem = gain.value("problem", json::object()),
             timed = step.value("time", json::object()).value("problem", json::object());
  const int size = named.value("size", 0);
  return gain.value("clock", "") == named.value("clock", "device") &&
         gain.value("kernels", json::array()) == named.value("kernels", json::array()) &&
         gain.value("over", "") == without_of(rows, row.at("name")) &&
         (size > 0 ? problem.value("n", size) == size : problem == timed);
}

}  // namespace

void drop_gains_of_other_rows(json& document, const Tables& tables) {
  for (json& lesson : document["lessons"]) {
    const auto table = tables.find(lesson["name"]);
    if (table == tables.end()) continue;
    const json& rows = table->second.at("steps");
    for (json& step : lesson["steps"])
      for (const json& row : rows)
        if (step.contains("gain") && row.at("name") == step["name"] && row.contains("gain") &&
            !is_of_row(step, rows, row))
          step.erase("gain");
  }
}

std::vector<std::string> drop_unknown_steps(json& document, const Tables& tables) {
  std::vector<std::string> gone;
  json lessons = json::array();
  for (json lesson : document["lessons"]) {
    const auto names = names_in(tables, lesson["name"]);
    json steps = json::array();
    for (const json& step : lesson["steps"])
      if (has(names, step["name"]))
        steps.push_back(step);
      else
        gone.push_back(
            fmt::format("{}/{}", lesson["name"].get<std::string>(), step["name"].get<std::string>()));
    lesson["steps"] = steps;
    if (!steps.empty()) lessons.push_back(lesson);
  }
  document["lessons"] = lessons;
  return gone;
}

std::vector<std::string> drop_unknown_solutions(json& executor, const Tables& tables) {
  std::vector<std::string> gone;
  for (const auto& [part, field] : {std::pair("solutions", "step"), std::pair("costs", "name")}) {
    if (!executor.contains(part)) continue;
    json rows = json::array();
    for (const json& row : executor[part]) {
      const std::string name = row.value(field, "");
      const auto slash = name.find('/');  // without one: one of the repository's small programs
      if (slash == name.npos || has(names_in(tables, name.substr(0, slash)), name.substr(slash + 1)))
        rows.push_back(row);
      else
        gone.push_back(name);
    }
    executor[part] = rows;
  }
  return gone;
}

MergedRun merge_run(json stored, const json& run, const Tables& tables) {
  MergedRun result;
  if (stored.is_null()) {
    stored = {{"schema", schema}, {"verb", "run"}, {"lessons", json::array()}, {"runs", json::array()}};
  } else {
    stored = with_runs(stored);
  }
  result.gone = drop_unknown_steps(stored, tables);
  std::set<std::string> taken;
  for (const json& lesson : run["lessons"]) {
    const std::string name = lesson["name"];
    const auto names = names_in(tables, name);
    std::map<char, std::vector<json>> tracks;
    for (const json& step : lesson["steps"])
      if (has(names, step["name"])) tracks[step["name"].get<std::string>()[0]].push_back(step);
    for (const auto& [track, steps] : tracks) {
      const std::string what = fmt::format("{}, track {}", name, track);
      if (const auto lacks = lacking(names, track, steps); !lacks.empty()) {
        result.refused.push_back(
            fmt::format("{}: the run lacks a judged solution of {}", what, fmt::join(lacks, ", ")));
        continue;
      }
      put_track(lesson_in(stored, lesson), track, steps, names);
      taken.insert(name + "/" + track);
      result.taken.push_back(fmt::format("{}: {}", what, counted(steps.size(), "rung")));
    }
  }
  if (!taken.empty()) {
    set_runs(stored, run_facts(run), taken);
    for (const char* field : {"date", "machine"}) stored[field] = run[field];
    for (const char* field : {"seed", "clock"}) stored.erase(field);  // each run's own
  }
  result.stored = std::move(stored);
  return result;
}

}  // namespace ladder::report
