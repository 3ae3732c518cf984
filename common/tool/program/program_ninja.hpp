#pragma once
/// @file
/// The build of a program of somebody else's, as ninja reads it.

#include <string>
#include <vector>

#include "common/tool/build/toolchain.hpp"
#include "common/tool/program/program.hpp"

namespace ladder {

/// The text of build.ninja; its target is "program".
std::string program_ninja(const Toolchain& tools, const ProgramRequest& request, bool observed);

/// The targets that hold what clang said of the sources' host and device rules; none where clang is not.
std::vector<std::string> lint_targets(const Toolchain& tools, const ProgramRequest& request, bool observed);

}  // namespace ladder
