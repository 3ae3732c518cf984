#pragma once
/// @file
/// What copies and fills do to the knowledge of which memory has values.

#include "common/executor/runtime/observer.hpp"

namespace ladder::executor {

/// The operation has run: its destination has values now. A copy to the host of what has none is a finding.
void follow_values(const QueuedOperation& operation);

}  // namespace ladder::executor
