#pragma once
/// @file
/// Which memory has values after copies, fills and calls of cuBLAS.

#include "common/executor/runtime/observer.hpp"

namespace ladder::executor {

/// The operation has run: its destination has values now. A copy of uninitialised memory to the host is a
/// finding.
void propagate_definedness(const QueuedOperation& operation);

/// The bytes that were written have values now, when they are the device's.
void mark_defined(const TouchedMemory& touched);

}  // namespace ladder::executor
