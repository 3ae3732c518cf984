#pragma once
/// @file
/// Where the time of the tests goes.

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/model/document.hpp"

namespace ladder {

using model::JobTime;
using model::PartTime;
using model::TestTimes;

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
void take_steps(TestTimes& times, const std::vector<model::LessonResults>& results);

/// For people. Jobs and steps that took less than five seconds are left out. Lessons over the limit are
/// named.
std::string times_text(const TestTimes& times);

}  // namespace ladder
