#pragma once
/// @file
/// The line of source that a thread of this program is in, asked in a signal's handler.

#include <ucontext.h>

namespace ladder {

/// Loads what find_call_line() needs. Call it before a handler does.
void prepare_call_line();

/// "dir/file.cpp:12" of the first line from the innermost function outward that is accepted, by addr2line;
/// empty when none is known. No allocation, no streams: a lock of the C library may be held.
/// @param context  of the handler; null: of the caller
/// @param accept  whether "dir/file.cpp:12" is a line to show
void find_call_line(const ucontext_t* context, bool (*accept)(const char* line), char (&line)[512]);

/// Likewise of a call: the address that it returns to.
void find_line_of_call(const void* return_address, char (&line)[512]);

}  // namespace ladder
