#pragma once
/// @file
/// Which reads of unwritten memory, and of undefined values of shuffles, matter.

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "common/executor/observe/definedness/reexecution.hpp"
#include "common/executor/runtime/block/block.hpp"

namespace ladder::executor {

/// A block that has read uninitialised memory is run again with other values there: a read is unused when no
/// block that was tried had other results. What has no code address (a shuffle) has another number above all
/// of these.
class UndefinedValueUses {
 public:
  void launch_begins();
  /// The running block has such a read at that code address.
  void add_read(std::uint32_t code) { of_block_.insert(code); }
  /// It is of device memory: bit i of `bytes` for address + i.
  void add_read(std::uint32_t code, const char* address, std::uint16_t bytes);
  void block_ends(const Kernel& kernel);
  /// Too large to be run again: when in doubt the values count as unused.
  void block_cut();
  /// In the launch that ends now.
  bool is_unused(std::uint32_t code) const { return blocks_.contains(code) && !used_.contains(code); }

 private:
  bool worth_a_try(const Kernel& kernel, std::uint64_t block);

  std::set<std::uint32_t> of_block_;               // what the running block has read
  std::vector<UninitialisedBytes> bytes_;          // of device memory
  std::map<std::uint32_t, std::uint64_t> blocks_;  // of the launch that have read, by code
  std::set<std::uint32_t> used_;                   // since the program began
  std::map<std::uint32_t, std::uint64_t> tries_;   // since the program began
  bool repeating_ = false;
};

}  // namespace ladder::executor
