#pragma once
/// @file
/// Whether what a block writes depends on shared memory that it has not written: it is run again with other contents.

#include <cstdint>

#include "common/executor/observe/old_values.hpp"
#include "common/executor/runtime/block.hpp"

namespace ladder::executor {

/// Runs the block that has just ended again, in a separate process, with several contents of unwritten shared memory.
/// @param written the bytes that the block has overwritten
/// @return whether it wrote the same bytes to the same addresses every time; false also when that cannot be found out
bool same_with_other_contents(BlockRunner& runner, const Kernel& kernel, std::uint64_t index,
                              OldValues& written);

}  // namespace ladder::executor
