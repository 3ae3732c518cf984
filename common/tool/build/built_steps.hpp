#pragma once
/// @file
/// Steps that tests have built before: the scripts in tests/grading grade the same few hundreds of times.

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "common/tool/build/build.hpp"
#include "common/tool/build/recipe.hpp"

namespace ladder {

/// Takes what a recipe makes from the store that LADDER_BUILT_STEPS names, as if it had been compiled into
/// the outputs.
///
/// For tests only. The program has the same text, back end, commands and libraries, but it was not compiled
/// confined, which is part of what grading a submission shows, and its debug information names the store.
/// Nothing in the store comes from a submission: nobody else may write in it, and each step in it
/// was compiled by ourselves from a text that is a file of lessons/ or solutions/, or whose SHA-256 is the
/// name of a file in LADDER_BUILT_STEPS/texts. Scripts write those (tests/grading/prepare.sh: known).
/// @return the folder that the program names for its sources; nothing: the step has to be compiled
/// @throws UsageError when others may write in the store
std::optional<std::filesystem::path> take_built(const Recipe& recipe, const Build& build,
                                                const std::filesystem::path& sources,
                                                const std::filesystem::path& outputs);

/// A program of ours, of private tests, by way of the same store where there is one: then it is made once.
/// @param commands, text  what makes it, with no path of its own, and of what sources
/// @param folders  in which everything that is included lies
/// @param make  makes the program
void build_once(const std::string& commands, const std::string& text, const Build& build,
                const std::vector<std::filesystem::path>& folders, const std::filesystem::path& program,
                const std::function<void()>& make);

}  // namespace ladder
