#pragma once
/// @file
/// From a code address to the student's line.

#include <cstdint>
#include <string>

#include "common/base/observation/observation.hpp"

namespace ladder::executor {

/// The innermost line at that address which is not the executor's: inlined calls of its headers are skipped.
/// @param code a return address, less the program's base
/// @return an empty file when the program has no line there. Results are cached; any thread may call it.
SourceLine line_of(std::uint32_t code);

/// The address as the function sees it that holds the line `other`: its own line in that function, or that of
/// the call of an inlined one. Only lines of one function say what comes first.
/// @return 0 when the function does not lead to the address, or calls what was not inlined
int line_in_function_of(const SourceLine& other, std::uint32_t code);

/// Whether that address belongs to an inlined function of the executor's headers: on a GPU it is one
/// instruction.
bool in_headers(std::uint32_t code);

/// A path as messages show it: below the project's folder without it.
std::string shown_path(std::string path);

}  // namespace ladder::executor
