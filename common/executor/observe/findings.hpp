#pragma once
/// @file
/// The detectors of instrumented builds: the events that they receive, and the findings that they make.

#include <optional>
#include <string>
#include <vector>

#include "common/base/observation/observation.hpp"
#include "common/executor/observe/counters/request.hpp"
#include "common/executor/observe/skipped_barriers.hpp"
#include "common/executor/runtime/observer.hpp"

namespace ladder::executor {

/// Makes findings from requests and from the runtime's events. Its hooks must be called for every event of
/// the Observer, in that order; requests of a block's interval before the barrier_passed(),
/// grid_barrier_reached() or block_ends() that closes it, and requests of a warp before the warp_met() that
/// follows them.
class FindingDetectors : public Observer {
 public:
  /// One warp's access; only global, shared and host space matter here.
  virtual void add(const Request& request) = 0;
  /// The running block has passed a barrier without threads that had left.
  virtual void barrier_skipped(const SkippedBarrier&) = 0;
  /// A block of the launch is not observed.
  virtual void block_left_out() = 0;
  /// Nor is the rest of the running block.
  virtual void block_cut() = 0;
  /// Whether the accesses that wait for the end of the launch fill the memory.
  virtual bool deferred_events_full() const = 0;
  /// The launch that is about to end was not observed enough to say anything.
  virtual void forget_launch() = 0;
  /// Whether the findings of the launch that has ended were forgotten: of a part of its blocks they would not
  /// be true.
  virtual bool launch_forgotten() const = 0;
  /// Findings made since the last call, merged by the lines involved, most severe first. Also of leaks, when
  /// `at_exit` or when the allocation was made since the last begin().
  virtual std::vector<Finding> findings(bool at_exit) = 0;
  /// The program has returned; what it has queued and not waited for will still run.
  virtual void program_returns() = 0;
  /// The process ends before main() or the step returns: it had no chance to free anything.
  virtual void program_ends() = 0;
  /// Forgets the findings so far: an observation begins.
  virtual void begin() = 0;
};

/// For an address of freed memory: the finding, when it was freed by a cudaFreeAsync that nothing orders with
/// the kernel that runs.
std::optional<Finding> freed_concurrently(const void* address);

/// A thread of the running kernel prints.
void kernel_prints();

/// The detectors of this process.
FindingDetectors& finding_detectors();

}  // namespace ladder::executor
