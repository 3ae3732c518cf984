#pragma once
/// @file
/// The page of the verb report: a student's ladder, next to the reference and the bounds.

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "common/model/student.hpp"
#include "common/report/results/profile.hpp"
#include "common/report/results/result_store.hpp"

namespace ladder::report {

/// What is kept of a profile for a later report: the sentence of its limit, its point under the roofs, its
/// timeline.
nlohmann::json stored_profile(const Profile& profile);

/// What the page shows.
struct StudentReport {
  std::string place;  ///< machine and date
  model::Document document;
  std::map<std::string, nlohmann::json>
      profiles;                               ///< by "03-dgemm/g2_shared_tiles": what stored_profile() made
  std::map<std::string, std::string> states;  ///< by the same: "PASS", "not started", …
  std::vector<std::string> changes;           ///< since the last report, a sentence each
  std::string last;                           ///< the day of the last report; empty: this is the first
  std::vector<StoredMachine> stored;          ///< reference runs
  std::map<std::string, nlohmann::json> rows{};  ///< of the lessons' tables, by "03-dgemm"
};

/// One self-contained file.
std::string student_report(const StudentReport& report);

/// What differs between the steps of two reports: verdicts, points, counted numbers.
std::vector<std::string> report_changes(const model::ReportedSteps& before, const model::ReportedSteps& now);

/// The steps of a report in that form.
model::ReportedSteps report_state(const StudentReport& report);

}  // namespace ladder::report
