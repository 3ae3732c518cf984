#pragma once
/// @file
/// The results that an autograder on Gradescope writes, results.json.
/// Source: gradescope/autograder_samples docs/specs.md.

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace ladder::model {

/// What later readers of ours need of a test; the platform keeps it.
struct GradescopeTestData {
  std::string verdict{}, phase{};
};

/// A line of the results. Without a score it has no points yet, which is not 0.
struct GradescopeTest {
  std::string name{}, output{};
  std::string output_format = "text", visibility = "visible";
  std::string status{};  ///< "passed"
  std::optional<double> score{}, max_score{};
  std::optional<GradescopeTestData> extra_data{};
};

struct GradescopeData {
  std::string receipt{}, ladder{};
};

struct GradescopeResults {
  std::string output{};
  std::string output_format = "text", visibility = "visible", stdout_visibility{};
  std::optional<double> score{};  ///< of all; nothing: the platform adds the tests
  std::vector<GradescopeTest> tests{};
  std::optional<GradescopeData> extra_data{};
};

nlohmann::json to_json(const GradescopeResults& results);

/// @throws Error for a field that is unknown or of another type, with its name
GradescopeResults gradescope_results_from_json(const nlohmann::json& results, const std::string& what);

}  // namespace ladder::model
