#pragma once
/// @file
/// Where the time of the tests goes.

#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ladder {

/// A part of the verb test, and what of it took longest.
struct PartTime {
  std::string name;
  double seconds = 0;   ///< all of it
  double processor = 0;  ///< of the tool and all that it started, compilers ahead of their part among them
  double building = 0;  ///< waiting for ninja
  std::vector<std::pair<std::string, double>> programs;  ///< test programs and lessons' judges: seconds of each
};

/// Processor time of this process and of all that have ended below it, in seconds.
double processor_seconds_used();

/// Nanoseconds as ninja's log has them: those of files.
std::int64_t now_in_ninja_log();

/// What compilers, linkers and generators took since then, in seconds, by what they made: "unit tests", "mutants" …
/// @param log  the text of .ninja_log
std::map<std::string, double> compiler_seconds(const std::string& log, std::int64_t since);

/// For people. Programs that took less than five seconds are left out.
std::string times_text(const std::vector<PartTime>& parts, const std::map<std::string, double>& compilers);

nlohmann::json times_json(const std::vector<PartTime>& parts, const std::map<std::string, double>& compilers);

}  // namespace ladder
