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

using model::Document;
using model::DocumentStep;
using model::LessonResults;
using model::StoredRun;
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
StoredRun run_facts(const Document& run) {
  return {
      .date = run.date, .commit = run.commit, .seed = run.seed, .clock = run.clock, .machine = run.machine};
}

std::set<std::string> tracks_of(const Document& document) {
  std::set<std::string> tracks;
  for (const LessonResults& lesson : document.lessons)
    for (const DocumentStep& step : lesson.steps) tracks.insert(track_of(lesson.name, step.name));
  return tracks;
}

/// Makes a stored document name the run of each track; a document without these names is of one run.
void name_runs(Document& stored) {
  if (!stored.runs.empty()) return;
  stored.runs = {run_facts(stored)};
  const auto tracks = tracks_of(stored);
  stored.runs[0].tracks.assign(tracks.begin(), tracks.end());
}

/// Whether Ctrl-C came before a step's time.
bool lacks_its_time(const DocumentStep& step) {
  return std::any_of(step.kinds.begin(), step.kinds.end(),
                     [](const model::KindResult& kind) { return kind.message == time_interrupted; });
}

/// Whether a row can be stored: a solution that was judged whole.
bool is_judged(const DocumentStep& step) {
  if (lacks_its_time(step) || !step.judged || step.tree != "solutions") return false;
  static const std::set<Verdict> verdicts = {Verdict::pass, Verdict::missed, Verdict::inconclusive,
                                             Verdict::review, Verdict::skipped};
  return verdicts.contains(step.verdict);
}

/// The lesson in a document; inserted in the order of names when it is missing.
LessonResults& lesson_in(Document& document, const LessonResults& like) {
  const auto at = std::find_if(document.lessons.begin(), document.lessons.end(),
                               [&](const LessonResults& lesson) { return lesson.name >= like.name; });
  if (at != document.lessons.end() && at->name == like.name) return *at;
  return *document.lessons.insert(at, {.name = like.name, .title = like.title});
}

/// Records which tracks are of the new run, and removes runs without tracks.
void set_runs(Document& stored, StoredRun facts, const std::set<std::string>& tracks) {
  const std::set<std::string> present = tracks_of(stored);
  for (StoredRun& run : stored.runs)
    std::erase_if(run.tracks, [&](const std::string& track) {
      return !present.contains(track) || tracks.contains(track);
    });
  std::erase_if(stored.runs, [](const StoredRun& run) { return run.tracks.empty(); });
  facts.tracks.assign(tracks.begin(), tracks.end());
  stored.runs.push_back(std::move(facts));
}

/// The rows of a track of which steps has no judged solution.
std::vector<std::string> lacking(const std::vector<std::string>& rows, char track,
                                 const std::vector<DocumentStep>& steps) {
  std::vector<std::string> lacks;
  for (const std::string& row : rows)
    if (row[0] == track && std::none_of(steps.begin(), steps.end(),
                                        [&](const DocumentStep& s) { return s.name == row && is_judged(s); }))
      lacks.push_back(row);
  return lacks;
}

/// Replaces a lesson's steps of a track; all are then in the order of the table.
void put_track(LessonResults& lesson, char track, const std::vector<DocumentStep>& steps,
               const std::vector<std::string>& order) {
  std::erase_if(lesson.steps, [&](const DocumentStep& step) { return step.name[0] == track; });
  lesson.steps.insert(lesson.steps.end(), steps.begin(), steps.end());
  const auto place = [&](const DocumentStep& step) {
    return std::find(order.begin(), order.end(), step.name);
  };
  std::stable_sort(lesson.steps.begin(), lesson.steps.end(),
                   [&](const DocumentStep& a, const DocumentStep& b) { return place(a) < place(b); });
}

/// Whether a step's pair is what its row names.
bool is_of_row(const DocumentStep& step, const json& rows, const json& row) {
  const model::Gain& gain = *step.gain;
  const json& named = row.at("gain");
  const int size = named.value("size", 0);
  const auto n = gain.problem.find("n");
  const auto timed = step.time ? step.time->problem : std::map<std::string, int>{};
  return gain.clock == named.value("clock", "device") &&
         gain.kernels == named.value("kernels", std::vector<std::string>{}) &&
         gain.over == without_of(rows, row.at("name")) &&
         (size > 0 ? n == gain.problem.end() || n->second == size : gain.problem == timed);
}

}  // namespace

void drop_gains_of_other_rows(Document& document, const Tables& tables) {
  for (LessonResults& lesson : document.lessons) {
    const auto table = tables.find(lesson.name);
    if (table == tables.end()) continue;
    const json& rows = table->second.at("steps");
    for (DocumentStep& step : lesson.steps)
      for (const json& row : rows)
        if (step.gain && row.at("name") == step.name && row.contains("gain") && !is_of_row(step, rows, row))
          step.gain.reset();
  }
}

std::vector<std::string> drop_unknown_steps(Document& document, const Tables& tables) {
  std::vector<std::string> gone;
  for (LessonResults& lesson : document.lessons) {
    const auto names = names_in(tables, lesson.name);
    std::erase_if(lesson.steps, [&](const DocumentStep& step) {
      const bool unknown = !has(names, step.name);
      if (unknown) gone.push_back(fmt::format("{}/{}", lesson.name, step.name));
      return unknown;
    });
  }
  std::erase_if(document.lessons, [](const LessonResults& lesson) { return lesson.steps.empty(); });
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

MergedRun merge_run(std::optional<Document> stored, const Document& run, const Tables& tables) {
  MergedRun result;
  result.stored = stored ? std::move(*stored) : Document{.verb = "run"};
  if (stored) name_runs(result.stored);
  result.gone = drop_unknown_steps(result.stored, tables);
  std::set<std::string> taken;
  for (const LessonResults& lesson : run.lessons) {
    const std::string& name = lesson.name;
    const auto names = names_in(tables, name);
    std::map<char, std::vector<DocumentStep>> tracks;
    for (const DocumentStep& step : lesson.steps)
      if (has(names, step.name)) tracks[step.name[0]].push_back(step);
    for (const auto& [track, steps] : tracks) {
      const std::string what = fmt::format("{}, track {}", name, track);
      if (const auto lacks = lacking(names, track, steps); !lacks.empty()) {
        result.refused.push_back(
            fmt::format("{}: the run lacks a judged solution of {}", what, fmt::join(lacks, ", ")));
        continue;
      }
      put_track(lesson_in(result.stored, lesson), track, steps, names);
      taken.insert(name + "/" + track);
      result.taken.push_back(fmt::format("{}: {}", what, counted(steps.size(), "rung")));
    }
  }
  if (!taken.empty()) {
    set_runs(result.stored, run_facts(run), taken);
    result.stored.date = run.date, result.stored.machine = run.machine;
    result.stored.seed.reset(), result.stored.clock.clear();  // each run's own
  }
  return result;
}

}  // namespace ladder::report
