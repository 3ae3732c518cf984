#pragma once
/// @file
/// What .ladder/ keeps of a student's work. student_json.hpp has it as its files have it.

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "common/model/result.hpp"

namespace ladder::model {

/// A verdict of a rung, a line of history.jsonl.
struct HistoryEntry {
  std::string step{};  ///< "03-dgemm/g2_shared_tiles"; empty in state.json, which has it as the entry's name
  std::optional<Verdict> verdict{};
  std::string message{}, source{}, device{};
  std::string remark{};  ///< of a rung that is right: which number was not measured
  std::string host{};    ///< of --remote
  std::uint64_t seed = 0;
  std::int64_t time = 0;  ///< seconds since 1970
  std::optional<double> points{}, max_points{};
};

/// Times of a rung's file.
struct KeptTimes {
  std::optional<Time> time{};
  std::map<std::string, double> ratio{};
  std::map<std::string, Interval> ratio_interval{};
};

/// The last verdict of a rung, an entry of state.json: with what hints and the report need of its result.
struct KeptVerdict : HistoryEntry {
  std::string backend{}, data{};
  Details details{};
  std::vector<CaseClass> cases{};
  std::vector<Target> targets{};
  std::optional<KeptTimes> timed{};  ///< of the same file, by whichever verb took them
};

/// A rung as a report has shown it.
struct ReportedStep {
  std::string state{};
  double points = 0;
  std::map<std::string, double> numbers{};  ///< "sectors": 1.0
};
/// By label: "03/g2".
using ReportedSteps = std::map<std::string, ReportedStep>;

/// What the last report has shown, report.json.
struct LastReport {
  std::string date{};
  ReportedSteps steps{};
};

}  // namespace ladder::model
