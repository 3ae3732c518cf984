#pragma once
/// @file
/// How people read a verdict. A rung that is right, with a number that could not be measured here, is stored
/// as SKIPPED and reads as PASS with a remark; what could not run at all reads as SKIPPED.

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ladder::report {

/// The verdict of a step's result, as texts show it.
std::string shown_verdict(const nlohmann::json& step);

/// The same for a page: "PASS, sectors not measured".
std::string verdict_with_remark(const nlohmann::json& step);

/// What could not be measured of a step that is right: "sectors not measured (Oclgrind is not installed)".
/// Empty: everything was measured, or the step is not right.
std::string remark_of(const nlohmann::json& step);

/// The same without the reasons, for a cell of a table: "sectors not measured".
std::string short_remark_of(const nlohmann::json& step);

/// The step's message without what remark_of() says.
std::string shown_message(const nlohmann::json& step);

/// Why a number of an INCONCLUSIVE step could not be decided: "this machine was busy: 45 %". Empty for other
/// steps.
std::string why_open(const nlohmann::json& step);

/// Labels of a document's steps by what that function says of each; those of which it says nothing are left
/// out.
std::map<std::string, std::vector<std::string>> labels_by(const nlohmann::json& lessons,
                                                          std::string (*text)(const nlohmann::json&));

}  // namespace ladder::report
