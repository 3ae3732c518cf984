#pragma once
/// @file
/// Two result files next to each other: what a second compiler, system, sandbox or processor changed that no
/// clock explains.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ladder::report {

/// One value that is not the same in both files.
struct Difference {
  std::string step;  ///< 03-dgemm/g2_shared_tiles solutions; of a mutant also its name
  std::string what;  ///< verdict, points, targets: sectors per flop, …
  std::string a, b;  ///< "-" where a file does not have it
};

struct Comparison {
  int steps = 0;  ///< in both files
  std::vector<Difference> differences;
};

/// Compares verdicts, points, cases, counters and bounds of targets, and the messages of findings. Times,
/// energy and what is judged by them are left out, also from the verdict and the points of a step that was
/// timed: there the verdicts of the kinds that need no clock are compared.
/// @param a, b  documents of run, check or test (schema gpu-ladder/3), or records of grade
///              (gpu-ladder-grade/1)
/// @throws Error for a field that is unknown or of another type
Comparison compare(const nlohmann::json& a, const nlohmann::json& b);

}  // namespace ladder::report
