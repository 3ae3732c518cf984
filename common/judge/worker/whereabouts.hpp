#pragma once
/// @file
/// Where a call is that does not return: the judge asks, before it ends the worker, and the worker answers.

#include <csignal>
#include <string>
#include <string_view>

namespace ladder {

/// By which the judge asks. Who has no handler for it ignores it.
constexpr int where_signal = SIGURG;

/// Each answer is a line that begins with this. The last one ends with nothing more.
constexpr std::string_view where_mark = "ladder-where: ";

/// From now on this worker answers.
void answer_where();

/// The address that the last launch of a kernel returned to, null: none; and the kernel's name. Of back ends
/// that know it.
const void* last_kernel(char (&name)[256]);

/// " in step.cpp:12; launched last: kernel spin, step.cpp:10" of what a worker has printed; empty when it
/// says nothing. The text comes from the step's process: what is no name of a file with a number is left out.
std::string where_in(const std::string& output);

/// Whether the answer is complete.
bool has_answered_where(const std::string& output);

}  // namespace ladder
