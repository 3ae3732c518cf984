#pragma once
/// @file
/// The checks at the start of every call of the API.

#include <string>

#include "common/executor/runtime/report.hpp"
#include "common/executor/runtime/schedule.hpp"

namespace ladder::executor {

/// Ends the process when a kernel makes the call; fails when a host function of a stream does.
cudaError_t begin_call(const char* call, Site site);
/// The same, and fails when the stream or event is not alive.
cudaError_t begin_call(const char* call, const Stream* stream, Site site);
cudaError_t begin_call(const char* call, const Event* event, Site site);

}  // namespace ladder::executor
