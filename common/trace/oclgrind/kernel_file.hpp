#pragma once
/// @file
/// From a line of an OpenCL program's source to the line of the file that contains it.

#include <string>
#include <string_view>

#include "common/base/observation/observation.hpp"

namespace ladder {

/// The file that holds the kernels, as raw strings.
struct KernelFile {
  std::string name;  ///< as findings shall show it
  std::string text;
};

/// The line of @p file that is line @p line of one of its raw strings and reads @p text; 0 when there is
/// none.
int line_in_raw_string(const KernelFile& file, int line, std::string_view text);

/// The position of a line of a program's source.
/// @param named  what the source calls itself: the step's file after \#line, "input.cl" without
/// @param text   of that line
SourceLine place_in(const KernelFile& file, const std::string& named, int line, std::string_view text);

}  // namespace ladder
