#pragma once
/// @file
/// The first accesses of a run, one by one, for readers who want to follow each thread of a small problem.

#include <vector>

#include "common/base/observation/observation.hpp"
#include "common/executor/observe/counters/request.hpp"

namespace ladder::executor {

/// Whether LADDER_EXECUTOR_OBSERVE_ACCESSES asks for any.
extern const bool lists_accesses;

/// Adds the lanes of a request while there is room.
void list_accesses(const Request& request);

/// Returns the first accesses of threads that touch device memory, as many as the setting asks for, and
/// clears the list.
std::vector<ThreadAccess> take_listed_accesses();

}  // namespace ladder::executor
