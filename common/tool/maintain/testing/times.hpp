#pragma once
/// @file
/// Where the time of the tests goes.

#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace ladder {

/// A job of the verb test, and what it took.
struct JobTime {
  std::string part, name;
  double seconds = 0;    ///< from its start to its end, with others at the same time
  double processor = 0;  ///< seconds of a processor, of all that it started
};

/// A part of the verb test.
struct PartTime {
  std::string name;
  double seconds = 0;    ///< of its jobs together
  double processor = 0;  ///< of the same
  int checks = 0;        ///< passed, failed and skipped
};

/// What a test run took.
struct TestTimes {
  std::vector<PartTime> parts{};
  std::vector<JobTime> jobs{};
  std::map<std::string, double> compilers{};  ///< seconds by what was built, see compiler_seconds()
  double building = 0;                        ///< processor seconds of all builds
  double seconds = 0, processor = 0;          ///< of the whole run
  /// Processor seconds of judging, of each lesson and of each step with its mutants and attempts.
  std::map<std::string, double> lessons{}, steps{};
};

/// Nanoseconds as ninja's log has them: those of files.
std::int64_t now_in_ninja_log();

/// What compilers, linkers and generators took since then, in seconds, by what they made: "unit tests",
/// "mutants" …
/// @param log  the text of .ninja_log
std::map<std::string, double> compiler_seconds(const std::string& log, std::int64_t since);

/// Processor seconds of a job of the verb test of a stored run (docs/results/*/tests.json); nothing for one
/// that is not there.
std::optional<double> expected_cost(const std::filesystem::path& root, const std::string& job);

/// More processor seconds than a lesson should cost: there are to be many lessons.
constexpr double lesson_limit = 300;

/// Takes what the results of steps say of their processor time.
void take_steps(TestTimes& times, const std::vector<nlohmann::json>& results);

/// For people. Jobs and steps that took less than five seconds are left out. Lessons over the limit are
/// named.
std::string times_text(const TestTimes& times);

nlohmann::json times_json(const TestTimes& times);

}  // namespace ladder
