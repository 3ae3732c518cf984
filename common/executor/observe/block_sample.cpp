#include "common/executor/observe/block_sample.hpp"

#include <algorithm>
#include <numeric>

namespace ladder::executor {
namespace {

/// Of the limit: what a launch that is too large as a whole may cost.
constexpr std::uint64_t part_of_limit = 8;

}  // namespace

void BlockSample::begin(std::uint64_t blocks, std::uint64_t columns, std::uint64_t limit,
                        std::uint64_t wanted) {
  *this = {};
  blocks_ = blocks;
  columns_ = columns;
  limit_ = limit;
  asked_ = wanted > 0 && wanted < blocks;
  if (asked_) widen((blocks + wanted - 1) / wanted);
}

/// Without a factor in common with the grid's row, or only some columns would be seen.
void BlockSample::widen(std::uint64_t step) {
  step_ = std::min(std::max(step, step_ + 1), blocks_);
  while (step_ < blocks_ && std::gcd(step_, columns_) != 1) ++step_;
}

bool BlockSample::takes(std::uint64_t index) {
  ++begun_;
  return step_ > 0 && (index % step_ == 0 || index + 1 == blocks_);
}

/// The blocks that are left are taken to be like the mean of those that were seen.
void BlockSample::ended(std::uint64_t accesses) {
  ++observed_;
  const std::uint64_t left = blocks_ - begun_;
  if (step_ == 0 || left == 0) return;
  const std::uint64_t mean = std::max<std::uint64_t>(1, accesses / observed_);
  const std::uint64_t part = std::max<std::uint64_t>(1, limit_ / part_of_limit);
  // Twice the part is still well: blocks differ, and each widening leaves the spread a little less even.
  const std::uint64_t most = step_ == 1 || asked_ ? limit_ : 2 * part;
  if (accesses <= most && left / step_ <= (most - accesses) / mean) return;
  const std::uint64_t room = accesses < part ? (part - accesses) / mean : 0;
  widen(room == 0 ? blocks_ : (left + room - 1) / room);
}

}  // namespace ladder::executor
