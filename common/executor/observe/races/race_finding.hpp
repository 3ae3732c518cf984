#pragma once
/// @file
/// The messages for a race, and for a read of an undefined value.

#include <string_view>

#include "common/base/observation/observation.hpp"
#include "common/executor/observe/races/race_shadow.hpp"

namespace ladder::executor {

/// The meaning of a race between threads of one warp, where nothing else is wrong.
inline constexpr std::string_view warp_barrier_is_enough =
    "The threads of a warp do not wait for each other by themselves: put a __syncwarp() between the two "
    "accesses.";

Finding finding_of(const Race& race, const Kernel& kernel);
Finding finding_of(const UninitialisedRead& read, const Kernel& kernel);

/// A shuffle that reads a lane which does not take part.
struct UndefinedShuffle {
  Site site{};
  int lane = 0;
  unsigned mask = 0;
  std::uint64_t block = 0;
  unsigned thread = 0;
};
/// Whether results depend on an undefined value.
enum class Use { used, unused, unknown };
Finding finding_of(const UndefinedShuffle& shuffle, const Kernel& kernel, Use use);

/// Makes the finding a note: nothing depends on the value that was read.
void make_note(Finding& finding);

/// "read", "write", "atomic"
std::string operation_text(Operation operation);

}  // namespace ladder::executor
