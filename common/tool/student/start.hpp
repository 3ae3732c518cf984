#pragma once
/// @file
/// A step that begins from the rung below it.

#include <string>

#include "common/tool/core/verb_options.hpp"

namespace ladder {

struct Context;

/// A lower rung's source as the beginning of a step: its function gets the step's name, the marks of regions
/// go, the comment at the top and the tasks are those of the step's skeleton: each task in front of the code
/// of the function that it is in, at the top where the lower rung has none of that name.
/// @param lower     the source of the lower rung, a student's or the reference
/// @param was       the lower rung's function: "shared_tiles"
/// @param skeleton  of the step
/// @param now       its function: "register_tiles"
/// @return empty when the two functions do not have the same parameters: then nothing can be taken over
std::string begun_from(const std::string& lower, const std::string& was, const std::string& skeleton,
                       const std::string& now);

/// A solution as it is read: without the marks of its regions and what only its skeleton has.
std::string without_marks(const std::string& solution);

/// The verb start: a copy of the skeletons to work in. @return the exit status
int start(Context& context);

/// The options of `start`.
void add_start_options(CLI::App& app, Options& o, Typed& typed);

}  // namespace ladder
