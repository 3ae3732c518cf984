#pragma once
/// @file
/// The messages for a race, and for a read of uninitialised shared memory.

#include "common/base/observation.hpp"
#include "common/executor/observe/race_shadow.hpp"

namespace ladder::executor {

Finding finding_of(const Race& race, const Kernel& kernel);
Finding finding_of(const UnwrittenRead& read, const Kernel& kernel);
/// Makes the finding a note: nothing depends on the value that was read.
void make_note(Finding& finding);

/// "read", "write", "atomic"
std::string operation_text(Operation operation);

}  // namespace ladder::executor
