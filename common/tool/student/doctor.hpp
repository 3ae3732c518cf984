#pragma once
/// @file
/// The verb doctor.

#include <string>

#include "common/tool/core/verb_options.hpp"

namespace ladder {

/// What doctor was asked for.
struct DoctorOptions {
  std::string json;     ///< file, "-" for standard output, empty for none
  bool measure = true;  ///< measure the ceilings
  /// One text for the staff instead of the tables: no ceilings, nothing about the person.
  bool report = false;
};

/// Prints the devices and versions of this machine, what is missing and what that costs, and the measured
/// ceilings.
/// @return the exit status
int doctor(const DoctorOptions& options);

/// The options of `doctor`.
void add_doctor_options(CLI::App& app, Options& o, Typed& typed);

}  // namespace ladder
