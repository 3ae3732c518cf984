#pragma once
/// @file
/// The parts of the verb test that start programs.

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "common/tool/context.hpp"
#include "common/tool/tally.hpp"

namespace ladder {

/// What the parts that judge will want built, attempts apart, some of which do not compile.
std::vector<std::string> targets_ahead(Context& context, const std::vector<LessonEntry*>& lessons,
                                       const std::function<bool(const std::string& part)>& wanted);

/// Every Catch2 program of B/tests/: the harness' unit tests and the end-to-end tests of the tool.
void run_units(Context& context, Tally& tally);

/// Tool and judge are ended at 400 moments, where run_units does so at 50.
void run_endings(Context& context, Tally& tally);

/// The same programs, built with the compiler's sanitizers of addresses and of undefined behaviour; without the test cases
/// that plant a fault, which are counted as skipped.
void run_sanitized(Context& context, Tally& tally);

/// Every skeleton of a required or stretch step compiles and is NOT STARTED.
void judge_skeletons(Context& context, const std::vector<LessonEntry*>& lessons, Tally& tally,
                     std::vector<nlohmann::json>& results);

/// Every solution PASSes; CUDA ones on the executor too where there is a GPU.
void judge_solutions(Context& context, const std::vector<LessonEntry*>& lessons, Tally& tally,
                     std::vector<nlohmann::json>& results);
/// compute-sanitizer on the CUDA solutions, where a GPU is.
void judge_findings(Context& context, const std::vector<LessonEntry*>& lessons, Tally& tally,
                    std::vector<nlohmann::json>& results);

/// Every mutant gets its verdict and its words.
void judge_mutants(Context& context, const std::vector<LessonEntry*>& lessons, Tally& tally,
                   std::vector<nlohmann::json>& results);

/// Every attempt gets its verdict and its words, in the way of `check`: built, looked at by clang, judged on the executor.
void judge_attempts(Context& context, const std::vector<LessonEntry*>& lessons, Tally& tally,
                    std::vector<nlohmann::json>& results);

/// Hostile submissions get verdicts against them, honest and unusual ones none; nothing of them is left on this machine.
/// @param in_all_modes  all of them in both modes of the sandbox; else a few in each
void grade_attacks(Context& context, const std::vector<LessonEntry*>& lessons, bool in_all_modes, Tally& tally);

/// For root, who may do more than students: the programs and the lesson where the user matters, again, as nobody.
void run_as_nobody(Context& context, const std::vector<LessonEntry*>& lessons, Tally& tally,
                   std::vector<nlohmann::json>& results);

/// The solutions of a lesson PASS without root's rights.
void judge_as_nobody(Context& context, LessonEntry& lesson, Tally& tally,
                     std::vector<nlohmann::json>& results);

/// What check_nvcc builds.
std::vector<std::string> nvcc_objects(Context& context, const std::vector<LessonEntry*>& lessons);
/// Every .cu compiles with nvcc; of lessons that were named, only theirs.
void check_nvcc(Context& context, const std::vector<LessonEntry*>& lessons, Tally& tally);

/// docs/adding-a-lesson.md, followed in a copy of the checkout: what it says happens.
void follow_page(Context& context, Tally& tally);

/// The documentation builds without a warning.
void check_docs(Context& context, Tally& tally);

}  // namespace ladder
