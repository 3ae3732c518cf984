#include "common/tool/validate/suite_counts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <regex>

#include "common/base/files/json_fields.hpp"
#include "common/base/text/numbers.hpp"
#include "common/report/text/table.hpp"

namespace ladder {
namespace {

using nlohmann::json;

constexpr std::size_t max_named = 20;  ///< programs in a list for people; the JSON has all

bool meets(const std::set<std::string>& kinds, const std::set<std::string>& found) {
  if (kinds.contains("*")) return !found.empty();
  return std::any_of(found.begin(), found.end(),
                     [&](const std::string& kind) { return kinds.contains(kind); });
}

/// What became of a program in the row of one class, or of all of its classes.
enum class SuiteOutcome { found, warned, missed, not_applicable, not_judged };

/// A program that did not end in its time was not judged, unless that is its bug or something was found
/// before.
bool was_judged(const SuiteResult& result, const std::set<std::string>& kinds) {
  if (!result.not_judged.empty()) return false;
  return result.errors != std::set<std::string>{"timeout"} || kinds.contains("timeout");
}

SuiteOutcome outcome_of(const SuiteProgram& program, const SuiteResult& result,
                        const std::set<std::string>& kinds) {
  if (!program.not_applicable.empty()) return SuiteOutcome::not_applicable;
  if (!was_judged(result, kinds)) return SuiteOutcome::not_judged;
  if (meets(kinds, result.errors)) return SuiteOutcome::found;
  return meets(kinds, result.warnings) ? SuiteOutcome::warned : SuiteOutcome::missed;
}

void add(SuiteOutcome outcome, SuiteCounts& counts) {
  ++counts.labelled;
  counts.found += outcome == SuiteOutcome::found;
  counts.warned += outcome == SuiteOutcome::warned;
  counts.missed += outcome == SuiteOutcome::missed;
  counts.not_applicable += outcome == SuiteOutcome::not_applicable;
  counts.not_judged += outcome == SuiteOutcome::not_judged;
}

void accuse(const SuiteResult& result, const std::set<std::string>& kinds, SuiteCounts& counts) {
  if (meets(kinds, result.errors))
    ++counts.accused;
  else if (meets(kinds, result.warnings))
    ++counts.accused_by_warning;
}

std::set<std::string> races_of(const std::set<std::string>& kinds) {
  std::set<std::string> races;
  for (const std::string& kind : kinds)
    if (kind.ends_with("-race")) races.insert(kind);
  return races;
}

std::set<std::string> kinds_of(const Suite& suite, const SuiteProgram& program) {
  std::set<std::string> kinds;
  for (const SuiteClass& one : suite.classes)
    if (std::find(program.labels.begin(), program.labels.end(), one.name) != program.labels.end())
      kinds.insert(one.kinds.begin(), one.kinds.end());
  return kinds;
}

std::string share_text(double share) {
  return share < 0 ? "" : fmt::format("{:.3f}", share);
}

std::string table_text(const SuiteReport& report, std::size_t width) {
  report::Table table({{"class"},
                       {"labelled", true},
                       {"found", true},
                       {"warning only", true},
                       {"missed", true},
                       {"accused wrongly", true},
                       {"by warning", true},
                       {"not applicable", true},
                       {"not judged", true},
                       {"recall", true},
                       {"with warnings", true},
                       {"precision", true}});
  const auto row = [&](const SuiteCounts& c) {
    const auto n = [](std::size_t value) { return fmt::format("{}", value); };
    table.add({c.name, n(c.labelled), n(c.found), n(c.warned), n(c.missed), n(c.accused),
               n(c.accused_by_warning), n(c.not_applicable), n(c.not_judged), share_text(c.recall(false)),
               share_text(c.recall(true)), share_text(c.precision())});
  };
  for (const SuiteCounts& one : report.classes) row(one);
  if (report.races.labelled > 0) row(report.races);
  row(report.all);
  return table.text(width);
}

/// "NAME  what was said", a line for each of some programs.
std::string list_of(const char* title, const Suite& suite, const std::vector<SuiteResult>& results,
                    const std::vector<std::size_t>& programs) {
  if (programs.empty()) return "";
  std::string text = fmt::format("\n{}\n", title);
  for (std::size_t i = 0; i < std::min(max_named, programs.size()); ++i) {
    const SuiteProgram& program = suite.programs[programs[i]];
    const SuiteResult& result = results[programs[i]];
    text += fmt::format(
        "  {} ({})  {}\n", program.file,
        program.labels.empty() ? "free of bugs" : fmt::format("{}", fmt::join(program.labels, ", ")),
        result.first.empty() ? result.verdict + " " + result.message : result.first);
  }
  if (programs.size() > max_named)
    text += fmt::format("  and {} more, which the JSON has\n", programs.size() - max_named);
  return text;
}

/// A message without the file and the line that it begins with: what several programs have in common.
std::string without_place(const std::string& message) {
  static const std::regex place(R"(^[^ :]+:\d+(:\d+)?: )");
  return std::regex_replace(message, place, "");
}

std::string reasons_text(const char* title, const std::map<std::string, std::size_t>& reasons) {
  std::string text = reasons.empty() ? "" : fmt::format("\n{}\n", title);
  for (const auto& [reason, n] : reasons)
    text += fmt::format("  {}: {}\n", ladder::counted(n, "program"), reason);
  return text;
}

}  // namespace

double SuiteCounts::recall(bool with_warnings) const {
  const std::size_t judged = found + warned + missed;
  return judged == 0
             ? -1
             : static_cast<double>(found + (with_warnings ? warned : 0)) / static_cast<double>(judged);
}

double SuiteCounts::precision() const {
  return found + accused == 0 ? -1 : static_cast<double>(found) / static_cast<double>(found + accused);
}

namespace {

/// A program without a label of a race may have another bug: an error of a race is an accusation all the
/// same.
void count_races(const SuiteProgram& program, const SuiteResult& result, const std::set<std::string>& kinds,
                 SuiteReport& report) {
  const std::set<std::string> races = races_of(kinds);
  if (!races.empty()) return add(outcome_of(program, result, races), report.races);
  // Of a program with any bug at all, nobody says that it has no race.
  if (kinds.contains("*") || !program.not_applicable.empty() || !was_judged(result, {})) return;
  ++report.without_races;
  accuse(result, races_of(kinds_of_class("race")), report.races);
}

}  // namespace

SuiteReport count(const Suite& suite, const std::vector<SuiteResult>& results) {
  SuiteReport report;
  report.all.name = "all programs";
  report.races.name = "races only";
  for (const SuiteClass& one : suite.classes) report.classes.push_back({.name = one.name});
  for (std::size_t i = 0; i < suite.programs.size(); ++i) {
    const SuiteProgram& program = suite.programs[i];
    const SuiteResult& result = results[i];
    count_races(program, result, kinds_of(suite, program), report);
    if (!program.labels.empty()) {
      const SuiteOutcome outcome = outcome_of(program, result, kinds_of(suite, program));
      add(outcome, report.all);
      if (outcome == SuiteOutcome::missed || outcome == SuiteOutcome::warned) report.missed.push_back(i);
      for (std::size_t c = 0; c < suite.classes.size(); ++c)
        if (std::find(program.labels.begin(), program.labels.end(), suite.classes[c].name) !=
            program.labels.end())
          add(outcome_of(program, result, suite.classes[c].kinds), report.classes[c]);
      continue;
    }
    if (!program.not_applicable.empty() || !was_judged(result, {})) continue;
    ++report.clean;
    const std::set<std::string> about = suite.about.empty() ? std::set<std::string>{"*"} : suite.about;
    accuse(result, about, report.all);
    if (meets(about, result.errors)) report.accused.push_back(i);
    for (std::size_t c = 0; c < suite.classes.size(); ++c)
      accuse(result, suite.classes[c].kinds.contains("*") ? about : suite.classes[c].kinds,
             report.classes[c]);
  }
  return report;
}

std::string text_of(const Suite& suite, const std::vector<SuiteResult>& results, const SuiteReport& report,
                    std::size_t width) {
  std::map<std::string, std::size_t> not_applicable, not_judged;
  for (std::size_t i = 0; i < suite.programs.size(); ++i) {
    const SuiteProgram& program = suite.programs[i];
    if (!program.not_applicable.empty())
      ++not_applicable[program.not_applicable];
    else if (!was_judged(results[i], kinds_of(suite, program)))
      ++not_judged[without_place(results[i].not_judged.empty() ? results[i].message : results[i].not_judged)];
  }
  return table_text(report, width) +
         fmt::format("\n{} free of bugs and judged.\n", ladder::counted(report.clean, "program")) +
         list_of("Missed:", suite, results, report.missed) +
         list_of("Accused wrongly:", suite, results, report.accused) +
         reasons_text("Not applicable:", not_applicable) + reasons_text("Not judged:", not_judged);
}

void fields(Is<SuiteResult> auto& result, auto&& visit) {
  visit("verdict", result.verdict);
  visit("message", result.message);
  visit("errors", result.errors);
  visit("warnings", result.warnings);
  visit("first", result.first);
  visit("seconds", result.seconds);
  visit("not_judged", result.not_judged);
}

json to_json(const SuiteResult& result) {
  return json_from(result);
}

SuiteResult suite_result_of(const json& document) {
  return structure_from<SuiteResult>(document, "a program's result");
}

json to_json(const SuiteCounts& c) {
  json counts = {
      {"class", c.name},      {"labelled", c.labelled},     {"found", c.found},
      {"warned", c.warned},   {"missed", c.missed},         {"not_applicable", c.not_applicable},
      {"accused", c.accused}, {"not_judged", c.not_judged}, {"accused_by_warning", c.accused_by_warning}};
  if (c.recall(false) >= 0)
    counts["recall"] = c.recall(false), counts["recall_with_warnings"] = c.recall(true);
  if (c.precision() >= 0) counts["precision"] = c.precision();
  return counts;
}

}  // namespace ladder
