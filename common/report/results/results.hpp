#pragma once
/// @file
/// Results of schema gpu-ladder/3 (docs/results.schema.json): merging the kinds of a step, the document.

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "common/model/document.hpp"

namespace ladder::report {

/// The message of kind time where Ctrl-C came before it: everything else was judged.
inline constexpr const char* time_interrupted = "time not measured: interrupted";

/// One step's result from the records of its kinds.
/// @param step     what is known of it before it is judged
/// @param planned  kinds that were planned; one without a record makes the step NOT RUN
/// @param why_not  the message for a kind without a record
model::StepResult merge(model::StepResult step, const std::vector<model::Record>& records,
                        const std::vector<TestKind>& planned, const std::string& why_not);

/// A step's result that was decided before a judge saw it (BUILD ERROR, SKIPPED).
model::StepResult decided(model::StepResult step, Verdict verdict, const std::string& message,
                          const model::Details& details = {});

/// "2026-11-20T13:25:25Z"
std::string now();

/// A document of now, without a machine.
model::Document document(const std::string& verb, std::uint64_t seed,
                         std::vector<model::LessonResults> lessons = {});

/// Whether there is nothing more to do for a step here: PASS, or right with a number that cannot be measured
/// here.
bool is_done(const model::StepResult& step);

/// Whether the executor has judged a rung of track t: the twin of the path that a GPU takes.
bool is_twin(const model::StepResult& step);

/// What a verb makes of a number that could not be decided (INCONCLUSIVE), unless it is strict.
enum class Undecided { fails, passes };

/// Whether every step is PASS (or, unless strict, SKIPPED, and INCONCLUSIVE where that passes) and no lesson
/// had a problem.
bool all_passed(const model::Document& document, bool strict, Undecided undecided = Undecided::fails);

/// What workers of a lesson's steps could do all the same: "could write wherever this user may (…); …".
/// Empty: nothing.
std::string gaps(const std::vector<model::StepResult>& steps);

/// "03/g2" of a step's result.
std::string label(const model::StepResult& step);

/// JSON as text; bytes that are not UTF-8 are replaced instead of throwing an exception.
std::string dump(const nlohmann::json& value, int indent = -1);

}  // namespace ladder::report
