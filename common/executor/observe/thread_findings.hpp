#pragma once
/// @file
/// Findings for the running thread of a kernel.

#include <string>

#include "common/base/observation/observation.hpp"
#include "common/executor/observe/counters/request.hpp"

namespace ladder::executor {

/// An error at that line, without its kind and message.
Finding thread_finding(Operation operation, const SourceLine& line);
/// "thread 5 of block 0"
std::string running_thread_text();
/// Records the finding and ends the process with its text.
[[noreturn]] void end_with(Finding finding);
/// "1 byte", "2 bytes".
std::string counted(std::size_t count, const char* what);
/// With a capital letter, as at the start of a sentence.
std::string upper_first(std::string text);

}  // namespace ladder::executor
