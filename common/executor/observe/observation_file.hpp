#pragma once
/// @file
/// The observation of a program with its own main: written when the process ends, to LADDER_EXECUTOR_OBSERVE.

#include "common/base/observation/observation.hpp"

namespace ladder::executor {

/// Exit status of a program with findings of severity error, if it would have ended with 0.
constexpr int findings_status = 87;

/// Everything since the process, or the last ladder_observe_begin(), began.
Observation observation_so_far(bool at_exit);

/// Asks for the observation to be written, and findings to be printed, when main() ends or exit() is called.
void write_observation_at_exit();

/// The program asks for its observations itself: nothing is printed or written at the end. Faults still
/// write.
void leave_observation_to_caller();

/// Writes the file, once, if the environment names one. Also from faults.
void write_observation_file();
/// Whether that has been done.
bool observation_is_written();

}  // namespace ladder::executor
