#pragma once
/// @file
/// Receives the runtime's events in an instrumented build, and passes them on. The context of the running
/// block, and the limit of observed accesses.

#include "common/executor/observe/counters/request.hpp"

namespace ladder::executor {

/// Of the block that the calling CPU thread runs; null outside of kernels, and in blocks that are left out.
const RequestContext* current_context();

/// Accesses of one launch that are observed: LADDER_EXECUTOR_OBSERVE_LIMIT.
std::uint64_t max_accesses();

/// Adds accesses of the launch. @return false when they exceed the limit
bool add_accesses(std::uint64_t more_accesses);
/// From now on any number of accesses is observed.
void lift_limit();
/// Writes the observation file of a process that ends otherwise than by main() or a fault; once.
void write_record_before_exit();
/// The program has returned, and nothing that it queues from here on is waited for.
void program_returns();
/// Whether a launch is running.
bool kernel_runs();
/// The running block is too large: it goes on unobserved, and so do the others of its launch.
void stop_observing();

}  // namespace ladder::executor

/// An observation begins: what happened before is forgotten.
extern "C" void ladder_observe_begin(void);
/// Waits for the device. @param[out] bytes length of the document; may be null
/// @return the document (JSON, schema gpu-ladder-observation/1) of what happened since the begin; lives until
/// the next
extern "C" const char* ladder_observe_end(unsigned long* bytes);
