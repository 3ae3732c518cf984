#include "common/executor/observe/definedness/undefined_value_uses.hpp"

#include <algorithm>
#include <bit>

#include "common/executor/observe/event_dispatcher.hpp"
#include "common/executor/observe/log.hpp"

namespace ladder::executor {
namespace {

/// All of the first blocks of a launch are tried, and fewer and fewer of the others: a try costs three runs
/// of the block.
constexpr std::uint64_t always_tried = 16;
/// Since the program began: one that launches a thousand times is not slowed down forever.
constexpr std::uint64_t max_tries = 256;
/// Of a block, in device memory. When there are more, they are not all tried, and count as used.
constexpr std::size_t max_reads = std::size_t{1} << 16;

}  // namespace

void UndefinedValueUses::launch_begins() {
  of_block_.clear();
  bytes_.clear();
  blocks_.clear();
}

void UndefinedValueUses::add_read(std::uint32_t code, const char* address, std::uint16_t bytes) {
  if (repeating_) return;
  of_block_.insert(code);
  if (bytes_.size() < max_reads)
    bytes_.push_back({const_cast<char*>(address), bytes});
  else
    used_.insert(code);
}

/// Blocks at the end of the grid are often different.
bool UndefinedValueUses::worth_a_try(const Kernel& kernel, std::uint64_t block) {
  bool worth = false;
  for (const std::uint32_t code : of_block_) {
    const std::uint64_t count = ++blocks_[code];
    if (used_.contains(code)) continue;
    if (count > always_tried && !std::has_single_bit(count) && block + 1 != kernel.blocks()) continue;
    const std::uint64_t tries = ++tries_[code];
    worth |= tries <= max_tries || std::has_single_bit(tries);
  }
  return worth;
}

void UndefinedValueUses::block_ends(const Kernel& kernel) {
  if (of_block_.empty() || repeating_) return;
  const std::uint64_t block = current_context()->block;
  if (worth_a_try(kernel, block)) {
    repeating_ = true;  // in the copy of this process, too
    const bool same = recorder.undo_log &&
                      same_with_other_contents(*current_runner, kernel, block, *recorder.undo_log, bytes_);
    repeating_ = false;
    if (!same) used_.insert(of_block_.begin(), of_block_.end());
  }
  of_block_.clear();
  bytes_.clear();
}

void UndefinedValueUses::block_cut() {
  for (const std::uint32_t code : of_block_) ++blocks_[code];
  of_block_.clear();
  bytes_.clear();
}

}  // namespace ladder::executor
