#pragma once
/// @file
/// Why a program ended badly, in a few words, and what was found before.

#include <string>

#include "common/tool/program/program.hpp"

namespace ladder {

/// "assertion at scan.cu:90 (sum == n)", from what the C library, C++'s or the executor printed last; empty:
/// they said nothing.
std::string cause_of_end(const ProcessResult& ended);

/// Whether the executor ended the program, with a message of its own.
bool ended_by_executor(const ProcessResult& ended);

/// Where the executor's message about an end begins, if that is how an output ends: "scan.cu:90: error: …",
/// and indented lines about the kernel. The size of the output: it ends otherwise.
std::size_t executors_message_begin(const std::string& output);

/// Whether such a cause is a kernel that does not finish.
bool is_endless(const std::string& cause);

/// "; before that, thread 128 reads v + 128 (of 256), which nobody has written (line 27)": the first error
/// that is not itself what the program ended by. Empty when there is none.
std::string found_before_the_end(const Observation& observation);

}  // namespace ladder
