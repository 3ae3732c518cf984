#pragma once
/// @file
/// Whether what a block writes depends on undefined values: it is run again with others.

#include <cstdint>
#include <vector>

#include "common/executor/observe/definedness/undo_log.hpp"
#include "common/executor/runtime/block/block.hpp"

namespace ladder::executor {

/// Bytes of device memory that a block has read and that nobody has written: bit i for address + i.
struct UninitialisedBytes {
  char* address;
  std::uint16_t bytes;
};

/// Runs the block that has just ended again, in a separate process, with several contents of unwritten shared
/// memory and of those bytes, and several values of shuffles that read no lane.
/// @param written the bytes that the block has overwritten
/// @return whether it wrote the same bytes to the same addresses every time; false also when that cannot be
/// found out
bool same_with_other_contents(BlockRunner& runner, const Kernel& kernel, std::uint64_t index,
                              UndoLog& written, const std::vector<UninitialisedBytes>& undefined);

}  // namespace ladder::executor
