#pragma once
/// @file
/// Follows the threads of one block: gives each its log while it runs, and replays a warp when all its
/// threads have stopped.

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "common/executor/observe/counters/warp.hpp"
#include "common/executor/runtime/block/block.hpp"
#include "common/executor/runtime/observer.hpp"

namespace ladder::executor {

/// One for each CPU thread that runs blocks.
class BlockReplay {
 public:
  explicit BlockReplay(unsigned pool_thread) { context_.pool_thread = pool_thread; }

  void block_begins(BlockRunner& runner, const RequestContext& launch, std::uint64_t index);
  void block_ends();
  bool observing() const { return observing_; }

  void thread_starts(unsigned thread);
  void thread_pauses(unsigned thread, Pause why);
  void thread_resumes(unsigned thread);
  void thread_exits(unsigned thread);
  void barrier_passed(unsigned live, unsigned threads, Site site);
  void grid_barrier_passed(Site site);
  void warp_met(unsigned warp, std::uint32_t arrived);
  void note_object(const Object& object);
  /// Makes space in the log of the running thread. May let other threads run. @return false: the block is no
  /// longer observed
  bool make_room();
  /// The block goes on and is no longer observed; what was logged and not replayed yet is dropped.
  void give_up();
  /// Replays what all warps have logged so far: the process is about to end.
  void replay_all();

  /// Barriers of the block that some threads missed.
  const std::vector<SkippedBarrier>& skipped_barriers() const { return skipped_.all(); }
  const RequestContext& context() const { return context_; }
  LaunchTotals& totals() { return totals_; }
  /// Entries of logs that could not be replayed yet, over all warps.
  std::size_t logged() const;

 private:
  void run_thread(unsigned thread);
  void stop_log(unsigned thread);
  void stop_thread(unsigned thread);
  void release_all();
  void replay(unsigned warp);

  BlockRunner* runner_ = nullptr;
  RequestContext context_;
  LaunchTotals totals_;
  std::array<Warp, max_threads / 32> warps_;
  SkippedBarriers skipped_;
  std::vector<std::unique_ptr<LogMemory>> unused_;
  std::unique_ptr<UndoLog> undo_log_;  // of the block; null until one runs that does not need others
  std::uint64_t results_before_ = 0, accesses_before_ = 0;  // totals when the block began
  unsigned warps_used_ = 0, running_ = 0;
  bool observing_ = false, ending_ = false;
};

}  // namespace ladder::executor
