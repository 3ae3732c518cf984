#pragma once
/// @file
/// Errors that the runtime itself reports, as findings.

#include <optional>
#include <string>

#include "common/base/observation/observation.hpp"
#include "common/executor/runtime/observer.hpp"

namespace ladder::executor {

/// The finding of an error that ends the process.
/// @param message "what", then lines of details
Finding finding_of_fault(Site site, const std::string& message);

/// The finding of a launch that was refused and whose error was never queried.
Finding finding_of_dropped_launch(Site site, const std::string& message);

/// The finding of a call that was refused; nothing for errors that a program may cause on purpose, like a
/// launch that is too large.
std::optional<Finding> finding_of_failed_call(Site site, const std::string& message);

}  // namespace ladder::executor
