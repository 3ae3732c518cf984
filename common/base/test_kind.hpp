#pragma once
/// @file
/// What a judge can do with a step: the kinds of test. Each is a test case of every judge, npb and reproduce
/// of some. Plans and results use their names.

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ladder {

enum class TestKind {
  correctness,  ///< results
  targets,      ///< the numbers that the step's idea is to change
  findings,     ///< races, accesses out of bounds, …
  time,         ///< compared with the other rungs and the libraries
  profile,      ///< record: what one call did
  hardware,     ///< record: what a GPU counts of it
  costs,        ///< record: what the observed mode costs
  npb,          ///< NPB's result block
  reproduce,    ///< the source's tables and figures
};

inline constexpr std::array<const char*, 9> test_kind_names = {
    "correctness", "targets", "findings", "time", "profile", "hardware", "costs", "npb", "reproduce"};

constexpr const char* to_string(TestKind kind) {
  return test_kind_names[static_cast<std::size_t>(kind)];
}

/// The kind of that name; none when there is no such kind.
inline std::optional<TestKind> test_kind(std::string_view name) {
  const auto found = std::find(test_kind_names.begin(), test_kind_names.end(), name);
  if (found == test_kind_names.end()) return std::nullopt;
  return static_cast<TestKind>(found - test_kind_names.begin());
}

inline std::vector<std::string> names_of(const std::vector<TestKind>& kinds) {
  std::vector<std::string> names;
  for (const TestKind kind : kinds) names.push_back(to_string(kind));
  return names;
}

}  // namespace ladder
