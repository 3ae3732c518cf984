#pragma once
/// @file
/// The logs of a warp's threads, and their replay in lockstep: what a GPU would have executed together.

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "common/executor/observe/counters/control_flow.hpp"
#include "common/executor/observe/counters/site_counters.hpp"
#include "common/executor/observe/findings.hpp"
#include "common/executor/observe/log.hpp"

#include "common/executor/observe/skipped_barriers.hpp"

namespace ladder::executor {

/// Memory for the logs of a warp; used again as soon as it was replayed, so that it stays in the cache.
class LogMemory {
 public:
  LogMemory();
  /// An empty log for that lane.
  LaneLog log(unsigned lane) const {
    return {words_[lane].get(), words_[lane].get(), words_[lane].get() + size_[lane]};
  }
  /// The same log with twice the capacity.
  LaneLog enlarged(unsigned lane, const LaneLog& log);

 private:
  std::array<std::unique_ptr<Word[]>, 32> words_;
  std::array<std::size_t, 32> size_;
};

/// One warp of the running block.
struct Warp {
  std::unique_ptr<LogMemory> memory;  ///< null while nothing is logged
  std::array<LaneLog, 32> log{};
  std::uint32_t live = 0, stopped = 0;                ///< lanes
  std::uint32_t going_on = 0;                         ///< stopped ones that go on before the next barrier
  std::array<std::uint32_t, 32> meetings{};           ///< that the replay has seen
  std::array<std::uint32_t, 32> depth{}, position{};  ///< of calls; the last code that the replay saw there
  std::array<std::uint32_t, 32> parted{};  ///< the branch at which others last went another way; 0: none
  std::array<std::vector<std::uint32_t>, 32> callers;  ///< positions in the functions that have called
};

/// Replays the logs of one warp.
///
/// Lanes at the same entry go on together. Among different entries, the lanes deepest in calls go first, and
/// among these the lanes whose code comes first (flow.hpp): the others wait where branches join, and before a
/// loop's next iteration.
class Replay {
 public:
  Replay(Warp& warp, unsigned number, const RequestContext& context, LaunchTotals& totals,
         SkippedBarriers& skipped)
      : warp_(warp), number_(number), context_(context), totals_(totals), skipped_(skipped) {}

  /// Until the logs end, or one ends whose lane goes on while others have more: that lane's next entries
  /// decide.
  void run();

 private:
  std::uint32_t next_group();
  std::uint64_t turn(unsigned lane);
  void step(std::uint32_t group);
  void leave(unsigned lane);
  void branch(Word word, std::uint32_t group);
  SiteBranches& branch_at(std::uint32_t code);
  void request(Word word, std::uint32_t group);
  void advance(std::uint32_t group, std::size_t words);
  void keep_rest();

  Warp& warp_;
  const unsigned number_;
  const RequestContext& context_;
  LaunchTotals& totals_;
  SkippedBarriers& skipped_;
  std::array<const Word*, 32> at_;
  std::array<std::uint64_t, 32> turn_{};  ///< of a lane's next entry; 0: not asked yet
  const ControlFlow* flow_ = nullptr;     ///< of the function that was asked for last
  std::uint32_t open_ = 0;                ///< lanes with entries left
  bool waiting_ = false;                  ///< a lane that goes on has none left
};

}  // namespace ladder::executor
