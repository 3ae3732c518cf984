#pragma once
/// @file
/// What people decide about steps: a log of lines that is only added to, and what it makes of a record.

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ladder::grade {

/// One line of decisions.jsonl.
struct Decision {
  std::string time;     ///< "2026-11-23T08:00:00Z"
  std::string by;       ///< the person
  std::string student;  ///< a pseudonym
  std::string step;     ///< "03/g2"
  std::string kind{};   ///< "accept": as judged; "deduct": that many points less; "reject": no points
  double points = 0;    ///< deducted
  std::string reason{};
};

/// Why this is no decision; empty: it is one.
std::string what_is_wrong(const Decision& decision);

/// Adds a line, on disk when this returns. @throws Error naming the file
void append(const std::filesystem::path& log, const Decision& decision);

/// All decisions, in their order. @throws Error naming the first line that is none
std::vector<Decision> read_decisions(const std::filesystem::path& log);

/// Whether a step's verdict is one that only staff sees until somebody has decided.
bool waits_for_a_person(const nlohmann::json& step);

/// The record after the decisions about it: points, and for each step under "student" what its author reads. The last decision
/// about a step counts; without one, REVIEW and REJECTED are "a person looks at this; points provisional".
nlohmann::json decided(nlohmann::json record, const std::vector<Decision>& decisions);

}  // namespace ladder::grade
