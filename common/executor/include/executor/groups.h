#pragma once
/// @file
/// Groups of threads: the grid, the block, and lanes of a warp.

#include <type_traits>

#include "executor/barrier.h"
#include "executor/threads.h"
#include "executor/warp.h"

namespace cooperative_groups {

namespace details {

/// Values of at most 8 bytes travel in one exchange, others word by word.
constexpr unsigned word_bytes = 8;

constexpr unsigned block_rank_of(uint3 index, dim3 size) {
  return index.x + size.x * (index.y + size.y * index.z);
}

}  // namespace details

/// Base of all groups inside a block. Which threads it has: those from `first` on of the block, or lanes of a
/// warp.
class thread_group {
 public:
  void sync(LADDER_EXECUTOR_SITE) const {
    if (kind_ == Kind::block)
      ladder::executor::block_barrier(site);
    else if (kind_ == Kind::lanes)
      __syncwarp(lanes_, site);
    else
      static_cast<void>(ladder::executor::tile_exchange(first_, count_, 0, site));
  }
  unsigned num_threads() const {
    if (kind_ == Kind::lanes) return static_cast<unsigned>(__builtin_popcount(lanes_));
    return kind_ == Kind::block ? blockDim.x * blockDim.y * blockDim.z : count_;
  }
  unsigned size() const { return num_threads(); }
  unsigned thread_rank() const {
    if (kind_ == Kind::lanes) return rank_of(ladder::executor::lane());
    return details::block_rank_of(threadIdx, blockDim) - first_;
  }

 protected:
  enum class Kind : unsigned char { block, lanes, tile };

  thread_group() = default;
  explicit thread_group(unsigned lanes) : kind_(Kind::lanes), lanes_(lanes) {}
  thread_group(unsigned first, unsigned count) : kind_(Kind::tile), first_(first), count_(count) {}

  unsigned lanes() const { return lanes_; }
  unsigned first() const { return first_; }
  unsigned rank_of(int lane) const {
    return static_cast<unsigned>(__builtin_popcount(lanes_ & ((1u << lane) - 1)));
  }
  /// The lane of the thread of that rank.
  int lane_of(unsigned rank) const {
    unsigned rest = lanes_;
    while (rank--) rest &= rest - 1;
    return __builtin_ctz(rest);
  }
  /// `size` neighbouring lanes, the caller's among them.
  static unsigned segment(unsigned size) {
    return size == 32 ? 0xffffffffu
                      : ((1u << size) - 1) << (static_cast<unsigned>(ladder::executor::lane()) & ~(size - 1));
  }
  static unsigned first_of_tile(unsigned size) {
    return details::block_rank_of(threadIdx, blockDim) / size * size;
  }
  friend thread_group tiled_partition(const thread_group&, unsigned);

 private:
  Kind kind_ = Kind::block;
  unsigned lanes_ = 0, first_ = 0, count_ = 0;
};

/// All threads of a block.
class thread_block : public thread_group {
 public:
  thread_block() {}
  static dim3 group_index() { return blockIdx; }
  static dim3 thread_index() { return threadIdx; }
  static dim3 group_dim() { return blockDim; }
  static dim3 dim_threads() { return blockDim; }
  static void sync(LADDER_EXECUTOR_SITE) { ladder::executor::block_barrier(site); }
  static unsigned thread_rank() { return details::block_rank_of(threadIdx, blockDim); }
  static unsigned num_threads() { return blockDim.x * blockDim.y * blockDim.z; }
  static unsigned size() { return num_threads(); }
};
inline thread_block this_thread_block() {
  return {};
}
/// Memory that a GPU needs for tiles of several warps; the executor does not.
template <unsigned MaxBlockSize = 1024>
struct block_tile_memory {
  char unused[1];
};
template <unsigned MaxBlockSize>
thread_block this_thread_block(block_tile_memory<MaxBlockSize>&) {
  return {};
}

/// All threads of a cooperative launch.
class grid_group {
 public:
  bool is_valid() const { return ladder::executor::grid_can_wait(); }
  void sync(LADDER_EXECUTOR_SITE) const { ladder::executor::grid_barrier(site); }
  static unsigned long long num_blocks() { return 1ull * gridDim.x * gridDim.y * gridDim.z; }
  static unsigned long long num_threads() { return num_blocks() * thread_block::num_threads(); }
  static unsigned long long size() { return num_threads(); }
  static unsigned long long block_rank() {
    return blockIdx.x + gridDim.x * (blockIdx.y + 1ull * gridDim.y * blockIdx.z);
  }
  static unsigned long long thread_rank() {
    return block_rank() * thread_block::num_threads() + thread_block::thread_rank();
  }
  static dim3 group_dim() { return gridDim; }
  static dim3 dim_blocks() { return gridDim; }
  static dim3 block_index() { return blockIdx; }
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
  template <class T>
  unsigned match_all(T value, int& all_equal, LADDER_EXECUTOR_SITE) const {
    return by_rank(__match_all_sync(lanes(), value, &all_equal, site));
  }

  /// Calls use(rank, value) for the values of all threads, in the order of their ranks. All threads must call
  /// it.
  template <class T, class Use>
  void each_value(const T& value, Use use, const ladder::executor::Site& site) const {
    constexpr unsigned words = (sizeof(T) + details::word_bytes - 1) / details::word_bytes;
    uint64_t own[words] = {}, all[32][words];
    __builtin_memcpy(own, &value, sizeof value);
    unsigned present = 0;
    for (unsigned word = 0; word < words; ++word) {
      const auto met =
          ladder::executor::warp_exchange(ladder::executor::WarpOperation::reduce, lanes(), own[word], site);
      present = met.present;
      for (int lane = 0; lane < 32; ++lane) all[lane][word] = met[lane];
    }
    for (unsigned rest = present; rest; rest &= rest - 1) {
      const int lane = __builtin_ctz(rest);
      T other;
      __builtin_memcpy(&other, all[lane], sizeof other);
      use(rank_of(lane), other);
    }
  }
  /// The lanes whose label is the caller's.
  template <class T>
  unsigned lanes_with(T label, const ladder::executor::Site& site) const {
    return __match_any_sync(lanes(), label, site);
  }

 protected:
  explicit warp_group(unsigned lanes) : thread_group(lanes) {}

 private:
  template <class T>
  T move(T value, unsigned rank, bool inside, const ladder::executor::Site& site) const {
    static_assert(std::is_trivially_copyable_v<T>, "a shuffle moves plain data");
    const int source = inside ? lane_of(rank) : 0;
    if constexpr (sizeof(T) <= details::word_bytes) {
      return ladder::executor::shuffle(lanes(), value, source, inside, site);
    } else {
      uint64_t words[(sizeof(T) + details::word_bytes - 1) / details::word_bytes] = {};
      __builtin_memcpy(words, &value, sizeof value);
      for (uint64_t& word : words) word = ladder::executor::shuffle(lanes(), word, source, inside, site);
      __builtin_memcpy(&value, words, sizeof value);
      return value;
    }
  }
  unsigned by_rank(unsigned by_lane) const {
    unsigned result = 0, rank = 0;
    for (unsigned rest = lanes(); rest; rest &= rest - 1, ++rank)
      if (by_lane >> __builtin_ctz(rest) & 1) result |= 1u << rank;
    return result;
  }
};

/// Lanes that go on together.
class coalesced_group : public warp_group {
 public:
  explicit coalesced_group(unsigned lanes, unsigned rank = 0, unsigned size = 1)
      : warp_group(lanes), rank_(rank), size_(size) {}
  unsigned meta_group_rank() const { return rank_; }
  unsigned meta_group_size() const { return size_; }
  friend coalesced_group tiled_partition(const coalesced_group&, unsigned);

 private:
  unsigned rank_, size_;
};

/// The lanes of the warp that have come to this line and can go on together: as in lockstep.
inline coalesced_group coalesced_threads(LADDER_EXECUTOR_SITE) {
  return coalesced_group(ladder::executor::converged_lanes(site));
}

}  // namespace cooperative_groups
