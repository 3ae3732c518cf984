#pragma once
/// @file
/// What is said of a race, and of a read of shared memory that nobody wrote.

#include "common/base/observation.hpp"
#include "common/executor/observe/race_shadow.hpp"

namespace ladder::executor {

Finding finding_of(const Race& race, const Kernel& kernel);
Finding finding_of(const UnwrittenRead& read, const Kernel& kernel);
/// The read has a value that nothing depends on.
void make_note(Finding& finding);

/// "read", "write", "atomic"
std::string operation_text(Operation operation);

}  // namespace ladder::executor
