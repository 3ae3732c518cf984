#pragma once
/// @file
/// What an OpenCL compiler said of kernels that do not compile.

#include <string>

namespace ladder {

/// The first error in a build log: "line 26: use of undeclared identifier 'elment'", whether the compiler
/// writes FILE:LINE:COLUMN before the word error or behind it. Empty: there is none with a place.
std::string first_kernel_error(const std::string& log);

/// A build log without empty lines, as far as it says more than its first error; empty: it does not.
std::string rest_of_build_log(const std::string& log);

}  // namespace ladder
