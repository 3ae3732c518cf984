#pragma once
/// @file
/// Runs a program of this folder and reads its record.

#include <unistd.h>

#include <cstdio>
#include <map>
#include <string>

#include "common/base/observation/observation.hpp"
#include "tests/common/catch.hpp"
#include "tests/common/executor/run.hpp"

namespace ladder::test {

struct ObservedRun {
  Result result;
  std::string text;  ///< the record as written
  Observation observation;

  /// The launch of that kernel; the test fails when there is not exactly one.
  const LaunchCounters& launch(const std::string& kernel) const {
    const LaunchCounters* found = nullptr;
    int count = 0;
    for (const LaunchCounters& one : observation.launches)
      if (one.kernel == kernel) {
        found = &one;
        ++count;
      }
    INFO("kernel " << kernel);
    REQUIRE(count == 1);
    return *found;
  }
};

inline ObservedRun observe_again(const std::string& program, const std::string& settings = "") {
  const std::string record = "/tmp/ladder-counters-test-" + std::to_string(getpid()) + ".json";
  std::remove(record.c_str());
  ObservedRun run;
  run.result = run_program(program, "LADDER_EXECUTOR_OBSERVE=" + record + " " + settings);
  run.text = read_file(record);
  std::remove(record.c_str());
  INFO(run.result.out << run.result.err);
  REQUIRE(!run.text.empty());
  run.observation = parse_observation(run.text);
  return run;
}

/// The same for all tests that ask for it.
inline const ObservedRun& observe(const std::string& program, const std::string& settings = "") {
  static std::map<std::string, ObservedRun> runs;
  const std::string key = program + " " + settings;
  if (!runs.contains(key)) runs[key] = observe_again(program, settings);
  return runs[key];
}

}  // namespace ladder::test
