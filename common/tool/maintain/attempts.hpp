#pragma once
/// @file
/// Steps as students write them, kept as tests: tests/NN-name/attempts/STEP.NAME.cu or .cpp, whole files, right but unusual ones
/// among them. Each begins with what it must get, a line each:
///
///     // verdict WRONG
///     // must B is as before the call
///     // not cudaErrorInvalidValue

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "common/tool/catalogue/catalogue.hpp"

namespace ladder {

/// What an attempt must get.
struct Attempt {
  std::string verdict;
  std::vector<std::string> must, must_not;  ///< words in the first lines that the student reads
};

/// The attempts of a step, by name.
std::map<std::string, std::filesystem::path> attempts_of(const std::filesystem::path& root,
                                                         const StepEntry& step);

/// Reads the comments that an attempt begins with. @throws Error without a verdict, two words that must and one that must not occur
Attempt read_attempt(const std::string& source);

/// Why a result is not what an attempt must get; empty: it is.
std::string wrong_attempt(const Attempt& attempt, const nlohmann::json& result);

}  // namespace ladder
