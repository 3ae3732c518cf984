#pragma once
/// @file
/// How people read a verdict. A rung that is right, with a number that could not be measured here, is stored
/// as SKIPPED and reads as PASS with a remark; what could not run at all reads as SKIPPED.

#include <map>
#include <string>
#include <vector>

#include "common/model/result.hpp"

namespace ladder::report {

/// The verdict of a step's result, as texts show it.
std::string shown_verdict(const model::StepResult& step);

/// The same for a page: "PASS, sectors not measured".
std::string verdict_with_remark(const model::StepResult& step);

/// What could not be measured of a step that is right: "sectors not measured (Oclgrind is not installed)".
/// Empty: everything was measured, or the step is not right.
std::string remark_of(const model::StepResult& step);

/// The same without the reasons, for a cell of a table: "sectors not measured".
std::string short_remark_of(const model::StepResult& step);

/// The step's message without what remark_of() says.
std::string shown_message(const model::StepResult& step);

/// Why a number of an INCONCLUSIVE step could not be decided: "this machine was busy: 45 %". Empty for other
/// steps.
std::string why_open(const model::StepResult& step);

/// Labels of steps by what that function says of each; those of which it says nothing are left out.
std::map<std::string, std::vector<std::string>> labels_by(const std::vector<model::StepResult>& steps,
                                                          std::string (*text)(const model::StepResult&));

}  // namespace ladder::report
