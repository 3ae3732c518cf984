#pragma once
/// @file
/// From a place in the program's code to the student's line.

#include <cstdint>
#include <string>

#include "common/base/observation.hpp"

namespace ladder::executor {

/// The innermost line at that place which is not the executor's: inlined calls of its headers are skipped.
/// @param code a return address, less the program's base
/// @return an empty file when the program has no line there. Known answers are kept; any thread may ask.
SourceLine line_of(std::uint32_t code);

/// Whether that place belongs to an inlined function of the executor's headers: what a GPU does in an instruction.
bool in_headers(std::uint32_t code);

/// A path as messages show it: below the project's folder without it.
std::string shown_path(std::string path);

}  // namespace ladder::executor
