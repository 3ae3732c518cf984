#pragma once
/// @file
/// The planted mistakes, judged by the executor and by compute-sanitizer.

#include <nlohmann/json.hpp>

#include "common/tool/core/context.hpp"

namespace ladder {

/// Runs every case of common/programs/planted/planted.json, with its mistake and without:
///
///     {"program", "case", "what", "kind", "wrong": {"executor": [kinds], "sanitizer": {tool: what it said}},
///     "right": {…}}
///
/// A tool that found nothing is left out of "sanitizer"; "sanitizer" is null when it did not run.
/// After Ctrl-C: the cases that were judged whole.
/// @param gpu  whether compute-sanitizer can run here
nlohmann::json judge_planted(Context& context, bool gpu);

/// One line a case. @return cases in which compute-sanitizer found what the executor did not, or which are
/// accused falsely
int print_planted(Context& context, const nlohmann::json& cases);

}  // namespace ladder
