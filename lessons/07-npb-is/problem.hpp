#pragma once
/// @file
/// Contract of lesson 07: NPB IS, "integer sort": the rank of every key value. Source: none; NPB defines
/// keys, classes and verification.

#include <cstddef>
#include <cstdint>

#include "common/lesson/lesson.hpp"
#include "official_classes.hpp"

namespace npb_is {

/// rank[k] = number of keys that are smaller than k.
///
/// - 0 <= keys[i] < bins. Keys may be equal, all of them too, and a bin may have none.
/// - 1 <= n <= 2^31 and 1 <= bins < 2^31, any numbers: neither a power of two nor a multiple of a block.
/// - All ranks are computed from all keys in each call: NPB changes two keys between its calls, and wants no
///   use made of that.
/// - keys and buffer begin at a multiple of 16 bytes. rank holds anything before the call.
/// - Resident rungs (`data` in rungs.toml): keys, rank and buffer are pointers to device memory.
struct Problem {
  std::int64_t n = 1;         ///< keys
  int bins = 1;               ///< values that a key can have
  const int* keys = nullptr;  ///< n
  unsigned* rank = nullptr;   ///< bins; the result
  int* buffer = nullptr;      ///< n; for the rung's own use, anything before and after the call

  static constexpr auto& classes = official_classes;  ///< the sizes that have names: `run 07 --class A`

  /// Shows each array to `visit(name, role, pointer, elements)`.
  template <class Visitor>
  void arrays(Visitor&& visit) {
    visit("keys", ladder::Role::in, keys, std::size_t(n));
    visit("rank", ladder::Role::out, rank, std::size_t(bins));
    visit("buffer", ladder::Role::work, buffer, std::size_t(n));
  }
};

/// What every rung of this lesson is.
using Function = void(const Problem&);

}  // namespace npb_is
