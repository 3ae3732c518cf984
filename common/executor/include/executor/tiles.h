#pragma once
/// @file
/// Tiles: parts of a block or of another group, all of one size or by a label.

#include "executor/groups.h"

namespace cooperative_groups {

/// Threads of several warps.
class wide_group : public thread_group {
 public:
  template <class T>
  T shfl(T value, unsigned rank, LADDER_EXECUTOR_SITE) const {
    return value_of(value, rank % num_threads(), true, site);
  }
  template <class T>
  T shfl_down(T value, unsigned delta, LADDER_EXECUTOR_SITE) const {
    return value_of(value, thread_rank() + delta, thread_rank() + delta < num_threads(), site);
  }
  template <class T>
  T shfl_up(T value, unsigned delta, LADDER_EXECUTOR_SITE) const {
    return value_of(value, thread_rank() - delta, thread_rank() >= delta, site);
  }
  template <class T>
  T shfl_xor(T value, unsigned ranks, LADDER_EXECUTOR_SITE) const {
    return value_of(value, thread_rank() ^ ranks, (thread_rank() ^ ranks) < num_threads(), site);
  }
  int any(int predicate, LADDER_EXECUTOR_SITE) const {
    int result = 0;
    each_value(
        predicate != 0, [&](unsigned, bool other) { result |= other; }, site);
    return result;
  }
  int all(int predicate, LADDER_EXECUTOR_SITE) const { return !any(!predicate, site); }
  template <class T, class Use>
  void each_value(T value, Use use, const ladder::executor::Site& site) const {
    static_assert(sizeof(T) <= details::word_bytes,
                  "tiles of several warps exchange values of at most 8 bytes");
    const auto met =
        ladder::executor::tile_exchange(first(), num_threads(), ladder::executor::to_bits(value), site);
    for (unsigned rank = 0; rank < num_threads(); ++rank)
      if (met.has(rank)) use(rank, ladder::executor::from_bits<T>(met[rank]));
  }

 protected:
  explicit wide_group(unsigned size) : thread_group(first_of_tile(size), size) {}

 private:
  template <class T>
  T value_of(T value, unsigned rank, bool inside, const ladder::executor::Site& site) const {
    T result = value;
    each_value(
        value,
        [&](unsigned other, T other_value) {
          if (inside && other == rank) result = other_value;
        },
        site);
    return result;
  }
};

namespace details {

/// A tile of at most 32 threads, and a wider one.
template <unsigned Size, bool InWarp = Size <= 32>
struct tile_base : warp_group {
  tile_base() : warp_group(segment(Size)) {}
};
template <unsigned Size>
struct tile_base<Size, false> : wide_group {
  tile_base() : wide_group(Size) {}
};

/// Which tile of its parent a tile is.
template <class Parent>
struct parent_of_tile {
  static unsigned threads() { return Parent::num_threads(); }
  static unsigned rank() { return Parent().thread_rank(); }
};
template <>
struct parent_of_tile<void> : parent_of_tile<thread_block> {};

}  // namespace details

/// `Size` neighbouring threads of the block.
template <unsigned Size, class Parent = void>
class thread_block_tile : public details::tile_base<Size> {
  static_assert(Size >= 1 && Size <= 1024 && (Size & (Size - 1)) == 0,
                "the size of a tile is a power of two");

 public:
  thread_block_tile() {}
  template <class Other>
  thread_block_tile(const thread_block_tile<Size, Other>&) : thread_block_tile() {}
  static constexpr unsigned num_threads() { return Size; }
  static constexpr unsigned size() { return Size; }
  static unsigned thread_rank() { return thread_block::thread_rank() % Size; }
  static unsigned meta_group_rank() { return details::parent_of_tile<Parent>::rank() / Size; }
  static unsigned meta_group_size() { return (details::parent_of_tile<Parent>::threads() + Size - 1) / Size; }
};

template <unsigned Size>
thread_block_tile<Size, thread_block> tiled_partition(const thread_block&) {
  return {};
}
template <unsigned Size, unsigned ParentSize, class Parent>
thread_block_tile<Size, thread_block_tile<ParentSize, Parent>> tiled_partition(
    const thread_block_tile<ParentSize, Parent>&) {
  static_assert(Size <= ParentSize, "a tile is not larger than what it divides");
  return {};
}
inline thread_group tiled_partition(const thread_group&, unsigned size) {
  if (size > 32) return thread_group(thread_group::first_of_tile(size), size);
  return thread_group(thread_group::segment(size));
}
/// The group's threads in their order, `size` at a time.
inline coalesced_group tiled_partition(const coalesced_group& group, unsigned size) {
  const unsigned number = group.thread_rank() / size;
  unsigned lanes = 0;
  for (unsigned rank = number * size; rank < group.num_threads() && rank < (number + 1) * size; ++rank)
    lanes |= 1u << group.lane_of(rank);
  return coalesced_group(lanes, number, (group.num_threads() + size - 1) / size);
}

/// The threads whose label is the caller's.
template <class Group, class Label>
coalesced_group labeled_partition(const Group& group, Label label, LADDER_EXECUTOR_SITE) {
  return coalesced_group(group.lanes_with(label, site));
}
template <class Group>
coalesced_group binary_partition(const Group& group, bool predicate, LADDER_EXECUTOR_SITE) {
  return coalesced_group(group.lanes_with(static_cast<int>(predicate), site), predicate, 2);
}

template <class Group>
void sync(const Group& group, LADDER_EXECUTOR_SITE) {
  group.sync(site);
}

/// One thread of the group calls the function.
template <class Group, class Function, class... Arguments>
void invoke_one(const Group& group, Function&& function, Arguments&&... arguments) {
  if (group.thread_rank() == 0) function(static_cast<Arguments&&>(arguments)...);
}
/// One thread calls it, all get the result.
template <class Group, class Function, class... Arguments>
auto invoke_one_broadcast(const Group& group, Function&& function, Arguments&&... arguments) {
  decltype(function(static_cast<Arguments&&>(arguments)...)) result{};
  if (group.thread_rank() == 0) result = function(static_cast<Arguments&&>(arguments)...);
  return group.shfl(result, 0);
}

namespace experimental {
using cooperative_groups::block_tile_memory;
using cooperative_groups::this_thread_block;
using cooperative_groups::tiled_partition;
}  // namespace experimental

}  // namespace cooperative_groups
