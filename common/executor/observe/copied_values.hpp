#pragma once
/// @file
/// What copies, fills and calls of cuBLAS do to the knowledge of which memory has values.

#include "common/executor/runtime/observer.hpp"

namespace ladder::executor {

/// The operation has run: its destination has values now. A copy to the host of what has none is a finding.
void follow_values(const QueuedOperation& operation);

/// What is written there has a value, when it is the device's.
void give_values(const TouchedMemory& touched);

}  // namespace ladder::executor
