#pragma once
/// @file
/// Ends that leave no time: abort(), an exception that nobody catches, a signal. The record is written first.

namespace ladder::executor {

/// Catches signals that would end the process, as far as the program does not do so itself.
void watch_endings();

/// Whether such a signal has come: the thread that runs a kernel then writes the record, since only it knows what its
/// threads have done.
bool process_ends();

/// Waits for the end, which is near.
[[noreturn]] void wait_for_the_end();

/// Whether this process is the one that began, and no copy made by fork().
bool in_first_process();

}  // namespace ladder::executor
