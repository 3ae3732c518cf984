#pragma once
/// @file
/// Why a program ended badly, in a few words, and what was found before.

#include <string>

#include "common/tool/program.hpp"

namespace ladder {

/// "assertion at scan.cu:90 (sum == n)", from what the C library, C++'s or the executor printed last; empty: they said nothing.
std::string cause_of_end(const Ended& ended);

/// "; before that, thread 128 reads v + 128 (of 256), which nobody has written (line 27)": the first error that is not itself
/// what the program ended by. Empty when there is none.
std::string found_before_the_end(const Observation& observation);

}  // namespace ladder
