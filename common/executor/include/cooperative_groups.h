#pragma once
/// @file
/// Cooperative groups: block, grid, tiles of at most 32 threads, and what reduces over a tile.

#include "cuda_runtime.h"

namespace cooperative_groups {

/// Base of all groups of a block: the whole block, or lanes of a warp.
class thread_group {
 public:
  void sync(LADDER_EXECUTOR_SITE) const {
    if (whole_block_)
      ladder::executor::block_barrier(site);
    else
      __syncwarp(lanes_, site);
  }
  unsigned num_threads() const {
    return whole_block_ ? blockDim.x * blockDim.y * blockDim.z
                        : static_cast<unsigned>(__builtin_popcount(lanes_));
  }
  unsigned size() const { return num_threads(); }
  unsigned thread_rank() const {
    if (whole_block_) return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    return static_cast<unsigned>(__builtin_popcount(lanes_ & ((1u << ladder::executor::lane()) - 1)));
  }

 protected:
  thread_group() = default;
  explicit thread_group(unsigned lanes) : whole_block_(false), lanes_(lanes) {}
  unsigned lanes() const { return lanes_; }
  static unsigned segment(unsigned size) {
    return size == 32 ? 0xffffffffu
                      : ((1u << size) - 1) << (static_cast<unsigned>(ladder::executor::lane()) & ~(size - 1));
  }
  friend thread_group tiled_partition(const thread_group&, unsigned);

 private:
  bool whole_block_ = true;
  unsigned lanes_ = 0;
};

/// All threads of a block.
class thread_block : public thread_group {
 public:
  thread_block() = default;
  static dim3 group_index() { return blockIdx; }
  static dim3 thread_index() { return threadIdx; }
  static dim3 group_dim() { return blockDim; }
  static dim3 dim_threads() { return blockDim; }
};
inline thread_block this_thread_block() {
  return {};
}

/// All threads of a cooperative launch.
class grid_group {
 public:
  bool is_valid() const { return true; }
  void sync(LADDER_EXECUTOR_SITE) const { ladder::executor::grid_barrier(site); }
  unsigned long long num_blocks() const { return 1ull * gridDim.x * gridDim.y * gridDim.z; }
  unsigned long long num_threads() const { return num_blocks() * this_thread_block().num_threads(); }
  unsigned long long size() const { return num_threads(); }
  unsigned long long block_rank() const {
    return blockIdx.x + gridDim.x * (blockIdx.y + 1ull * gridDim.y * blockIdx.z);
  }
  unsigned long long thread_rank() const {
    return block_rank() * this_thread_block().num_threads() + this_thread_block().thread_rank();
  }
  dim3 group_dim() const { return gridDim; }
  dim3 dim_blocks() const { return gridDim; }
  dim3 block_index() const { return blockIdx; }
};
inline grid_group this_grid() {
  return {};
}

/// What groups inside a warp can do. Ranks count the members from the lowest lane.
class warp_group : public thread_group {
 public:
  template <class T>
  T shfl(T value, unsigned rank, LADDER_EXECUTOR_SITE) const {
    return move(value, rank % num_threads(), true, site);
  }
  template <class T>
  T shfl_down(T value, unsigned delta, LADDER_EXECUTOR_SITE) const {
    return move(value, thread_rank() + delta, thread_rank() + delta < num_threads(), site);
  }
  template <class T>
  T shfl_up(T value, unsigned delta, LADDER_EXECUTOR_SITE) const {
    return move(value, thread_rank() - delta, thread_rank() >= delta, site);
  }
  template <class T>
  T shfl_xor(T value, unsigned ranks, LADDER_EXECUTOR_SITE) const {
    return move(value, thread_rank() ^ ranks, (thread_rank() ^ ranks) < num_threads(), site);
  }
  int any(int predicate, LADDER_EXECUTOR_SITE) const { return __any_sync(lanes(), predicate, site); }
  int all(int predicate, LADDER_EXECUTOR_SITE) const { return __all_sync(lanes(), predicate, site); }
  unsigned ballot(int predicate, LADDER_EXECUTOR_SITE) const {
    return by_rank(__ballot_sync(lanes(), predicate, site));
  }
  template <class T>
  unsigned match_any(T value, LADDER_EXECUTOR_SITE) const {
    return by_rank(__match_any_sync(lanes(), value, site));
  }
  template <class T, class Combine>
  T combine(T value, Combine combine, ladder::executor::Site site) const {
    return ladder::executor::warp_reduce(lanes(), value, combine, site);
  }

 protected:
  explicit warp_group(unsigned lanes) : thread_group(lanes) {}

 private:
  template <class T>
  T move(T value, unsigned rank, bool inside, ladder::executor::Site site) const {
    return ladder::executor::shuffle(lanes(), value, inside ? lane_of(rank) : 0, inside, site);
  }
  int lane_of(unsigned rank) const {
    unsigned rest = lanes();
    while (rank--) rest &= rest - 1;
    return __builtin_ctz(rest);
  }
  unsigned by_rank(unsigned by_lane) const {
    unsigned result = 0, rank = 0;
    for (unsigned rest = lanes(); rest; rest &= rest - 1, ++rank)
      if (by_lane >> __builtin_ctz(rest) & 1) result |= 1u << rank;
    return result;
  }
};

/// `Size` threads whose lanes are neighbours.
template <unsigned Size, class Parent = void>
class thread_block_tile : public warp_group {
  static_assert(Size >= 1 && Size <= 32 && (Size & (Size - 1)) == 0,
                "the executor knows tiles of 1, 2, 4, 8, 16 and 32 threads");

 public:
  thread_block_tile() : warp_group(segment(Size)) {}
  template <class Other>
  thread_block_tile(const thread_block_tile<Size, Other>&) : thread_block_tile() {}
  static constexpr unsigned num_threads() { return Size; }
  static constexpr unsigned size() { return Size; }
  unsigned thread_rank() const { return static_cast<unsigned>(ladder::executor::lane()) % Size; }
  unsigned meta_group_rank() const { return this_thread_block().thread_rank() / Size; }
  unsigned meta_group_size() const { return (this_thread_block().num_threads() + Size - 1) / Size; }
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
  return thread_group(thread_group::segment(size));
}

/// The threads that are surely together here: only the caller. Legal, and nothing may rely on more.
class coalesced_group : public warp_group {
 public:
  explicit coalesced_group(unsigned lanes) : warp_group(lanes) {}
  unsigned meta_group_rank() const { return 0; }
  unsigned meta_group_size() const { return 1; }
};
inline coalesced_group coalesced_threads() {
  return coalesced_group(1u << ladder::executor::lane());
}

template <class T>
struct plus {
  T operator()(T a, T b) const { return a + b; }
};
template <class T>
struct less {
  T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T>
struct greater {
  T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T>
struct bit_and {
  T operator()(T a, T b) const { return a & b; }
};
template <class T>
struct bit_or {
  T operator()(T a, T b) const { return a | b; }
};
template <class T>
struct bit_xor {
  T operator()(T a, T b) const { return a ^ b; }
};

/// The values of all threads of a tile, combined; every thread gets the result.
template <class Group, class T, class Combine>
T reduce(const Group& group, T value, Combine combine, LADDER_EXECUTOR_SITE) {
  return group.combine(value, combine, site);
}

template <class Group>
void sync(const Group& group, LADDER_EXECUTOR_SITE) {
  group.sync(site);
}

}  // namespace cooperative_groups
