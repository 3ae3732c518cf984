#pragma once
/// @file
/// Shuffles, votes and reductions of a warp. Threads wait for each other here; none is ahead by luck.

#include <stdint.h>
#include <string.h>

#include <type_traits>

#include "executor/threads.h"

#include "executor/unobserved_begin.h"

namespace ladder::executor {

/// What a warp does together; threads that meet in different operations are an error.
enum class WarpOperation : unsigned char { sync, shuffle, vote, match, reduce, matrix };

/// The values that the lanes of a warp brought to an operation.
struct WarpValues {
  const uint64_t* value;  ///< 32, by lane
  unsigned present;       ///< lanes that brought one; exited lanes of the mask did not

  LADDER_EXECUTOR_UNOBSERVED uint64_t operator[](int lane) const { return value[lane]; }
};

/// Waits until all lanes of `mask` that have not left the kernel are here.
WarpValues warp_exchange(WarpOperation operation, unsigned mask, uint64_t value, const Site& site);
/// What a shuffle gives that reads a lane which does not take part: on a GPU anything. The observed mode asks
/// whether it matters.
uint64_t undefined_lane(int lane, unsigned mask, const Site& site);
[[noreturn]] void report_missing_lane(int lane, unsigned mask, const Site& site, WarpOperation operation);
unsigned converged_lanes(const Site& site);

template <class T>
uint64_t to_bits(T value) {
  uint64_t bits = 0;
  memcpy(&bits, &value, sizeof value);
  return bits;
}

template <class T>
T from_bits(uint64_t bits) {
  T value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/// The value of lane `source`, or the caller's own when `inside` is false: the source would be in another
/// segment.
template <class T>
T shuffle(unsigned mask, T value, int source, bool inside, const Site& site) {
  static_assert(sizeof(T) <= 8 && std::is_trivially_copyable_v<T>,
                "a shuffle moves one number of at most 8 bytes");
  const WarpValues all = warp_exchange(WarpOperation::shuffle, mask, to_bits(value), site);
  if (!inside) return value;
  if (!(all.present >> source & 1)) return from_bits<T>(undefined_lane(source, mask, site));
  return from_bits<T>(all[source]);
}

template <class T, class Combine>
T warp_reduce(unsigned mask, T value, Combine combine, const Site& site) {
  const WarpValues all = warp_exchange(WarpOperation::reduce, mask, to_bits(value), site);
  T result{};
  bool first = true;
  for (int lane = 0; lane < 32; ++lane) {
    if (!(all.present >> lane & 1)) continue;
    const T next = from_bits<T>(all[lane]);
    result = first ? next : static_cast<T>(combine(result, next));
    first = false;
  }
  return result;
}

}  // namespace ladder::executor

inline void __syncwarp(unsigned mask = 0xffffffffu, LADDER_EXECUTOR_SITE) {
  static_cast<void>(ladder::executor::warp_exchange(ladder::executor::WarpOperation::sync, mask, 0, site));
}

/// The lanes that come to this line before any of them goes on: as on a GPU where the code has not diverged.
inline unsigned __activemask(LADDER_EXECUTOR_SITE) {
  return ladder::executor::converged_lanes(site);
}

template <class T>
T __shfl_sync(unsigned mask, T value, int source, int width = 32, LADDER_EXECUTOR_SITE) {
  const int lane = ladder::executor::lane();
  return ladder::executor::shuffle(mask, value, (lane & ~(width - 1)) | (source & (width - 1)), true, site);
}
template <class T>
T __shfl_xor_sync(unsigned mask, T value, int lanes, int width = 32, LADDER_EXECUTOR_SITE) {
  const int lane = ladder::executor::lane(), source = lane ^ lanes;
  return ladder::executor::shuffle(mask, value, source & 31, source / width <= lane / width, site);
}
template <class T>
T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32, LADDER_EXECUTOR_SITE) {
  const int lane = ladder::executor::lane(), source = lane + static_cast<int>(delta);
  return ladder::executor::shuffle(mask, value, source & 31,
                                   (lane & (width - 1)) + static_cast<int>(delta) < width, site);
}
template <class T>
T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32, LADDER_EXECUTOR_SITE) {
  const int lane = ladder::executor::lane(), source = lane - static_cast<int>(delta);
  return ladder::executor::shuffle(mask, value, source & 31, (lane & (width - 1)) >= static_cast<int>(delta),
                                   site);
}

inline unsigned __ballot_sync(unsigned mask, int predicate, LADDER_EXECUTOR_SITE) {
  const auto all =
      ladder::executor::warp_exchange(ladder::executor::WarpOperation::vote, mask, predicate != 0, site);
  unsigned result = 0;
  for (int lane = 0; lane < 32; ++lane)
    if ((all.present >> lane & 1) && all[lane]) result |= 1u << lane;
  return result;
}
inline int __any_sync(unsigned mask, int predicate, LADDER_EXECUTOR_SITE) {
  return __ballot_sync(mask, predicate, site) != 0;
}
inline int __all_sync(unsigned mask, int predicate, LADDER_EXECUTOR_SITE) {
  return __ballot_sync(mask, !predicate, site) == 0;
}

template <class T>
unsigned __match_any_sync(unsigned mask, T value, LADDER_EXECUTOR_SITE) {
  const auto own = ladder::executor::to_bits(value);
  const auto all = ladder::executor::warp_exchange(ladder::executor::WarpOperation::match, mask, own, site);
  unsigned result = 0;
  for (int lane = 0; lane < 32; ++lane)
    if ((all.present >> lane & 1) && all[lane] == own) result |= 1u << lane;
  return result;
}
template <class T>
unsigned __match_all_sync(unsigned mask, T value, int* all_equal, LADDER_EXECUTOR_SITE) {
  const auto own = ladder::executor::to_bits(value);
  const auto all = ladder::executor::warp_exchange(ladder::executor::WarpOperation::match, mask, own, site);
  *all_equal = 1;
  for (int lane = 0; lane < 32; ++lane)
    if ((all.present >> lane & 1) && all[lane] != own) *all_equal = 0;
  return *all_equal ? all.present : 0;
}

#define LADDER_EXECUTOR_REDUCE(NAME, EXPRESSION)                              \
  inline unsigned NAME(unsigned mask, unsigned value, LADDER_EXECUTOR_SITE) { \
    return ladder::executor::warp_reduce(                                     \
        mask, value, [](auto a, auto b) { return EXPRESSION; }, site);        \
  }
#define LADDER_EXECUTOR_REDUCE_SIGNED(NAME, EXPRESSION)                \
  LADDER_EXECUTOR_REDUCE(NAME, EXPRESSION)                             \
  inline int NAME(unsigned mask, int value, LADDER_EXECUTOR_SITE) {    \
    return ladder::executor::warp_reduce(                              \
        mask, value, [](auto a, auto b) { return EXPRESSION; }, site); \
  }
LADDER_EXECUTOR_REDUCE_SIGNED(__reduce_add_sync, a + b)
LADDER_EXECUTOR_REDUCE_SIGNED(__reduce_min_sync, b < a ? b : a)
LADDER_EXECUTOR_REDUCE_SIGNED(__reduce_max_sync, a < b ? b : a)
LADDER_EXECUTOR_REDUCE(__reduce_and_sync, a& b)
LADDER_EXECUTOR_REDUCE(__reduce_or_sync, a | b)
LADDER_EXECUTOR_REDUCE(__reduce_xor_sync, a ^ b)
#undef LADDER_EXECUTOR_REDUCE
#undef LADDER_EXECUTOR_REDUCE_SIGNED

#include "executor/unobserved_end.h"
