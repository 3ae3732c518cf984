#pragma once
/// @file
/// Messages of the executor: one line "file:line: error: what", a few lines of detail, on the standard error
/// output.

#include <cstdint>
#include <string>

#include "common/executor/include/executor/site.h"
#include "common/executor/include/executor/types.h"
#include "common/executor/include/executor/vectors.h"

namespace ladder::executor {

/// Exit status after an error from which the program cannot continue.
constexpr int exit_status = 86;

/// Prints the error and ends the process with exit_status, without destructors: threads of kernels still run.
/// @param site line of the student's file; an empty one is left out
/// @param message may have further lines: details, indented by four blanks
[[noreturn]] void fatal(Site site, const std::string& message);

/// The same for signal handlers: allocates nothing.
[[noreturn]] void fatal_in_handler(const char* text);

void warn(Site site, const std::string& message);

/// Prints why a call fails and keeps the code for cudaGetLastError(). @return code
cudaError_t fail(cudaError_t code, Site site, const std::string& message);
/// Keeps the code without a message. @return code
cudaError_t remember(cudaError_t code);

/// The caller's line, or that of the wrapper's caller (see CallSite).
Site resolve(Site site);

/// A path below the project's folder, or below the one that the program was started in, without it. Signal
/// handlers may call it.
const char* without_folder(const char* path);

/// "the 128 bytes allocated at file:line", or the name of the memory.
std::string memory_text(std::size_t bytes, Site made);

/// "(1,2,3)"
std::string to_string(uint3 v);
std::string to_string(Site site);
std::string to_string(const void* pointer);

/// A number from the environment. A value that is not one is a fatal error.
long setting(const char* name, long fallback, long min, long max);

}  // namespace ladder::executor
