#pragma once
/// @file
/// What a program under check reads: the standard input of the call, kept so that each run gets all of it,
/// and its arguments.

#include <filesystem>
#include <string>

#include "common/tool/core/context.hpp"
#include "common/tool/program/program.hpp"

namespace ladder {

/// Standard input as far as it is a file, or a pipe that ends.
struct ProgramInput {
  std::filesystem::path file{};  ///< a copy of it; empty: there is none, and a run finds an empty input
  std::string note{};            ///< what is cut off, and what to do; empty: nothing
};

/// Reads what is there. A pipe that says nothing for a moment is somebody else's: nobody waits for it.
ProgramInput program_input(Context& context, const ProgramRequest& request);

/// What to say of a program that ended badly: that it reads arguments and got none. Empty: it got some, or
/// reads none.
std::string missing_arguments(const ProgramRequest& request);

}  // namespace ladder
