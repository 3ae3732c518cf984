#include "common/executor/observe/counters/block_sample.hpp"

#include <algorithm>
#include <numeric>

namespace ladder::executor {
namespace {

/// A launch that is too large as a whole may make this part of the limit's accesses: one eighth.
constexpr std::uint64_t part_of_limit = 8;

}  // namespace

void BlockSample::begin(std::uint64_t blocks, std::uint64_t columns, std::uint64_t limit,
                        std::uint64_t requested) {
  *this = {};
  blocks_ = blocks;
  columns_ = columns;
  limit_ = limit;
  requested_ = requested > 0 && requested < blocks;
  if (requested_) widen((blocks + requested - 1) / requested);
}

/// The step and the length of a grid row must have no common factor, or only some columns would be observed.
void BlockSample::widen(std::uint64_t step) {
  step_ = std::min(std::max(step, step_ + 1), blocks_);
  while (step_ < blocks_ && std::gcd(step_, columns_) != 1) ++step_;
}

bool BlockSample::includes(std::uint64_t index) {
  ++begun_;
  return step_ > 0 && (index % step_ == 0 || index + 1 == blocks_);
}

/// Assumes that each remaining block makes as many accesses as the mean of the observed ones.
void BlockSample::ended(std::uint64_t accesses) {
  ++observed_;
  const std::uint64_t left = blocks_ - begun_;
  if (step_ == 0 || left == 0) return;
  const std::uint64_t mean = std::max<std::uint64_t>(1, accesses / observed_);
  const std::uint64_t part = std::max<std::uint64_t>(1, limit_ / part_of_limit);
  // Up to twice the part is allowed: blocks differ, and each widening makes the sample a little less even.
  const std::uint64_t max = step_ == 1 || requested_ ? limit_ : 2 * part;
  if (accesses <= max && left / step_ <= (max - accesses) / mean) return;
  const std::uint64_t more = accesses < part ? (part - accesses) / mean : 0;
  widen(more == 0 ? blocks_ : (left + more - 1) / more);
}

}  // namespace ladder::executor
