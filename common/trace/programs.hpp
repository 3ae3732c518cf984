#pragma once
/// @file
/// Where other programs are: the profilers and sanitizers that look at a step, compilers, drivers' tools.

#include <string>

namespace ladder {

/// Where a program is: in PATH, or in the CUDA toolkit's folder. Empty when it is nowhere.
/// @param name  with a / it is the path itself; "clang++*" finds any version
std::string find_program(const std::string& name);

}  // namespace ladder
