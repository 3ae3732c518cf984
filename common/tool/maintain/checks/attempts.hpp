#pragma once
/// @file
/// Steps as students write them, kept as tests: tests/NN-name/attempts/STEP.NAME.cu or .cpp, whole files,
/// right but unusual ones among them. `expected_result.hpp` says how each begins.

#include <filesystem>
#include <map>
#include <string>

#include "common/model/result.hpp"
#include "common/tool/catalogue/catalogue.hpp"
#include "common/tool/maintain/checks/expected_result.hpp"

namespace ladder {

/// The attempts of a step, by name.
std::map<std::string, std::filesystem::path> attempts_of(const std::filesystem::path& root,
                                                         const StepEntry& step);

/// What an attempt must get: one verdict, and words in the first lines that the student reads.
/// @throws Error without a verdict, two words that must and one that must not occur
ExpectedResult read_attempt(const std::string& source);

/// Why a result is not what an attempt must get; empty: it is.
std::string wrong_attempt(const ExpectedResult& attempt, const model::StepResult& result);

}  // namespace ladder
