#pragma once
/// @file
/// Which memory is defined (has values) after copies, fills and calls of cuBLAS.

#include "common/executor/runtime/observer.hpp"

namespace ladder::executor {

/// The operation has run: its destination is now defined where its source is. A copy of uninitialised memory
/// to the host is a finding.
void propagate_definedness(const QueuedOperation& operation);

/// Marks bytes of device memory that were written as defined.
void mark_defined(const TouchedMemory& touched);

}  // namespace ladder::executor
