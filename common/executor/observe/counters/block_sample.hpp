#pragma once
/// @file
/// Which blocks of a launch are observed.

#include <cstdint>

namespace ladder::executor {

/// All blocks; or, when these would make more accesses than the limit, some: the first, the last, and others
/// evenly spaced between them. The number of accesses decides, not a clock, so that a record is the same each
/// time.
class BlockSample {
 public:
  /// @param columns blocks of a row of the grid: blocks of all columns are observed
  /// @param limit accesses of the launch
  /// @param requested about how many blocks to observe; 0: as many as the limit allows
  void begin(std::uint64_t blocks, std::uint64_t columns, std::uint64_t limit, std::uint64_t requested);

  /// A block begins. @return whether to observe it
  bool includes(std::uint64_t index);
  /// An observed block has ended. @param accesses of all that were observed
  void ended(std::uint64_t accesses);
  /// No more blocks of this launch.
  void stop() { step_ = 0; }

 private:
  void widen(std::uint64_t step);

  std::uint64_t blocks_ = 0, columns_ = 1, limit_ = 0;
  std::uint64_t begun_ = 0, observed_ = 0;  // blocks
  std::uint64_t step_ = 1;                  // every step_-th block is observed; 0: none
  bool requested_ = false;                  // a number of blocks was wanted
};

}  // namespace ladder::executor
