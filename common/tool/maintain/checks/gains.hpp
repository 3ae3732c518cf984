#pragma once
/// @file
/// Whether ladders climb: what stored runs of GPUs say that each idea gains.

#include <filesystem>
#include <string>
#include <vector>

#include "common/lesson/rung.hpp"
#include "common/report/results/result_store.hpp"
#include "common/tool/maintain/testing/test_summary.hpp"

namespace ladder {

struct Context;
struct LessonEntry;

/// At least this, and the lower end of its interval above the second.
inline constexpr double least_gain = 1.15, least_low_gain = 1.1;
/// Of the rungs of the tracks g and t, one in that many may be an experiment.
inline constexpr int rungs_per_experiment = 6;

/// A rung that does not gain and does not say that it is an experiment.
struct FlatRung {
  std::string rung;  ///< "02/g3_occupancy"
  std::string text;  ///< what it gains, and over what
};

/// What one stored run says of a lesson's ladder.
struct Climb {
  std::vector<FlatRung> flat{};
  std::vector<std::string> unmeasured{};  ///< not as their rows say now
  int gaining = 0;
};

/// The rungs of the tracks g and t that have a program without their idea, next to the stored run.
Climb climb_of(const Lesson& table, const report::StoredDocument& run);

/// How many rungs of a GPU's tracks there are, and how many of them are experiments.
struct Experiments {
  int rungs = 0, experiments = 0;
};
Experiments experiments_of(const Lesson& table);

/// Fails for each row that compares its rung with a program that is nowhere: `gain.without`.
void check_programs_without(const std::filesystem::path& root, const LessonEntry& lesson,
                            TestSummary& summary);

/// Fails for such rows, for each flat rung and for too many experiments, and names what is not measured.
void check_gains(Context& context, const std::vector<LessonEntry*>& lessons, TestSummary& summary);

}  // namespace ladder
