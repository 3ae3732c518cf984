#pragma once
/// @file
/// What a tool made of programs with known labels, counted.

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "common/tool/validate/suite.hpp"

namespace ladder {

/// What was said of one program.
struct SuiteResult {
  std::string verdict{}, message{};  ///< check's: "WRONG", "exit status 0, 12 ms; 1 error"
  /// Kinds of what was found, notes apart. Of how the program ended: "timeout", "crash" without a finding,
  /// "exit-status".
  std::set<std::string> errors{}, warnings{};
  std::string
      not_judged{};     ///< why nothing was said: it does not build, it was interrupted; empty: it was judged
  double seconds = 0;   ///< of both builds and all runs
  std::string first{};  ///< the first error, for a person

  bool operator==(const SuiteResult&) const = default;
};

/// A row of the table: of a class, or of all.
struct SuiteCounts {
  std::string name;
  std::size_t labelled = 0;  ///< programs with this label; each of them is in one of the next five
  std::size_t found = 0, warned = 0, missed = 0, not_applicable = 0, not_judged = 0;
  /// Programs without any label, in which an error of this class was reported, or no error and a warning.
  std::size_t accused = 0, accused_by_warning = 0;

  /// Found, of those that were judged; with those that got a warning. -1: none was judged.
  double recall(bool with_warnings) const;
  /// Found, of those in which an error was reported; -1: it was reported in none.
  double precision() const;
};

/// What a suite's results come to.
struct SuiteReport {
  std::vector<SuiteCounts> classes;
  SuiteCounts all;        ///< each program once: found when one of its bugs is
  std::size_t clean = 0;  ///< programs without a label that were judged
  /// Races only, as detectors of races are measured: any label that means a race, against all programs
  /// without one.
  SuiteCounts races{};
  std::size_t without_races = 0;                 ///< of the latter those that were judged
  std::vector<std::size_t> missed{}, accused{};  ///< numbers of the programs
};

/// @param results  one for each of the suite's programs
SuiteReport count(const Suite& suite, const std::vector<SuiteResult>& results);

/// For a person: the table, then what was missed, who was accused wrongly, and why a program says nothing.
std::string text_of(const Suite& suite, const std::vector<SuiteResult>& results, const SuiteReport& report,
                    std::size_t width);

nlohmann::json to_json(const SuiteResult& result);
/// @throws Error for a field that is unknown or of another type
SuiteResult suite_result_of(const nlohmann::json& document);
nlohmann::json to_json(const SuiteCounts& counts);

}  // namespace ladder
