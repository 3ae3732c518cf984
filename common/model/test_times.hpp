#pragma once
/// @file
/// What the verb test asks of mutants, has counted and timed. document_json.hpp has it as documents have it.

#include <map>
#include <string>
#include <vector>

namespace ladder::model {

/// A job of the verb test, and what it took.
struct JobTime {
  std::string part{}, name{};
  double seconds = 0;    ///< from its start to its end, with others at the same time
  double processor = 0;  ///< seconds of a processor, of all that it started
};

/// A part of the verb test.
struct PartTime {
  std::string name{};
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

/// A check that failed.
struct FailedCheck {
  std::string name{}, text{};
};

/// A check that could not run.
struct SkippedCheck {
  std::string name{}, reason{};
};

/// What a test run counted.
struct TestCounts {
  int passed = 0, failed = 0, skipped = 0;
  std::vector<FailedCheck> failures{};
  std::vector<SkippedCheck> skips{};
};

/// What is asked of a mutant's message, or of a variant's.
struct MutantWords {
  std::string rung{}, name{};  ///< "g1"; of the edit
  std::string verdict{};       ///< that it must get
  int words = 0;               ///< how many lines "words …"
  /// Of the comment "# words none: …" between its name and its first edit; empty: there is none.
  std::string why{};
};

}  // namespace ladder::model
