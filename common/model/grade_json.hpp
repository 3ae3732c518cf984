#pragma once
/// @file
/// Grades as files have them.

#include <nlohmann/json.hpp>
#include <string>

#include "common/model/grade.hpp"
#include "common/model/grade_view.hpp"

namespace ladder::model {

/// The schema of records.
inline constexpr const char* grade_schema = "gpu-ladder-grade/1";

nlohmann::json to_json(const GradeRecord& record);
nlohmann::json to_json(const GradeEntry& entry);
nlohmann::json to_json(const GradedResult& result);
nlohmann::json to_json(const Amendment& amendment);
nlohmann::json to_json(const RegradeProposal& proposal);
nlohmann::json to_json(const StudentStep& step);

/// @param what  how messages begin: a file, for one
/// @throws Error for a field that is unknown or of another type, with its name: "a.json.runs[1] must be one
/// of PASS, …"
GradedResult graded_result_from_json(const nlohmann::json& result, const std::string& what);
GradeRecord grade_record_from_json(const nlohmann::json& record, const std::string& what);
RegradeProposal proposal_from_json(const nlohmann::json& proposal, const std::string& what);
QuestionMark question_mark_from_json(const nlohmann::json& mark, const std::string& what);
Amendment amendment_from_json(const nlohmann::json& amendment, const std::string& what);

}  // namespace ladder::model
