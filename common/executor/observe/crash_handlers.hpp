#pragma once
/// @file
/// Abnormal ends of a program: abort(), an uncaught exception, a signal. The observation is written first.

namespace ladder::executor {

/// Catches signals that would end the process, unless the program handles them itself.
void install_crash_handlers();

/// Whether such a signal has come: the CPU thread that runs a kernel then writes the observation, since only
/// it has the logs of its threads.
bool process_is_ending();

/// Waits until the process ends; it is about to.
[[noreturn]] void wait_for_process_end();

/// Whether this is the original process, and not a copy made by fork().
bool in_original_process();

}  // namespace ladder::executor
