#pragma once
/// @file
/// Findings from Oclgrind's messages.

#include <string_view>

#include "common/base/observation/observation.hpp"
#include "common/trace/oclgrind/kernel_file.hpp"

namespace ladder {

/// Reads Oclgrind's messages. They may come from a hostile process.
/// @param file  of the step: a place in a program's source, which Oclgrind calls "input.cl", becomes the line
///   of this file in whose raw string it stands
/// @return the findings, merged by kernel and lines; races in which all write the same value are warnings,
///   the others errors; `incomplete` when Oclgrind could not run a kernel
Observation parse_oclgrind_log(std::string_view log, const KernelFile& file);

}  // namespace ladder
