#pragma once
/// @file
/// Barriers that some threads of a block missed, and whether these threads ran on past them.

#include <cstdint>
#include <vector>

#include "common/executor/include/executor/site.h"
#include "common/executor/observe/counters/site_counters.hpp"

namespace ladder::executor {

/// A barrier that some threads of the block missed, because they had left the kernel.
struct SkippedBarrier {
  Site site;
  unsigned left, threads;  ///< those that had left, of all
  unsigned thread;         ///< one of them
  /// What one of them ran and the others reached only after the barrier; 0: they went straight to the
  /// kernel's end.
  std::uint32_t code = 0;
  bool of_grid = false;
};

/// Follows one block. Compares code between two barriers: the code that only threads ran that then left, and
/// the code that the threads which met at the barrier run later.
class SkippedBarriers {
 public:
  void block_begins();
  void thread_exits(unsigned thread);
  /// Lanes of a warp access memory or decide a branch. @param left some of them leave before the next barrier
  ///                                                  @param stayed some do not
  void ran(std::uint32_t code, bool left, bool stayed);
  void barrier_passed(unsigned live, unsigned threads, Site site, bool of_grid = false);

  /// Of the block so far, each line once.
  const std::vector<SkippedBarrier>& all() const { return barriers_; }

 private:
  /// The last interval in which code was run by threads that left or stayed, or after which it counts as
  /// skipped.
  struct Steps {
    std::uint64_t left = 0, stayed = 0, skipped = 0;
    std::size_t barrier = 0;
  };

  void next_interval();
  std::size_t number_of(const SkippedBarrier& barrier);

  SiteTable<Steps> steps_;
  std::vector<SkippedBarrier> barriers_;
  std::uint64_t interval_ = 0, first_ = 0;  // of all blocks one after the other; the block's first
  unsigned exited_ = 0;
  bool exits_ = false;    // in this interval
  bool skipped_ = false;  // any code of this block
};

}  // namespace ladder::executor
