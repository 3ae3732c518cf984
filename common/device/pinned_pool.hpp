#pragma once
/// @file
/// Pinned memory that lasts from call to call. For nvcc and for the executor.

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <source_location>
#include <utility>
#include <vector>

#include "common/device/cuda.hpp"

namespace ladder {
namespace details {

/// Pinned memory that nobody holds. To pin 16 MB and to give it back takes an H100's host 3 ms.
class IdlePinned {
 public:
  struct Block {
    void* memory = nullptr;
    std::size_t bytes = 0;
  };

  static IdlePinned& get() {
    static IdlePinned idle;
    return idle;
  }

  /// @return the smallest idle block of at least so many bytes; a block without memory when there is none.
  /// The largest idle block is then freed, since the caller makes a larger one.
  Block acquire(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    const auto found = std::find_if(blocks_.begin(), blocks_.end(),
                                    [&](const Block& block) { return block.bytes >= bytes; });
    Block block;
    if (found != blocks_.end()) {
      block = *found;
      blocks_.erase(found);
    } else if (!blocks_.empty()) {
      cudaFreeHost(blocks_.back().memory);
      blocks_.pop_back();
    }
    return block;
  }

  void release(Block block) noexcept {
    try {
      const std::lock_guard lock(mutex_);
      const auto larger = std::find_if(blocks_.begin(), blocks_.end(),
                                       [&](const Block& other) { return other.bytes >= block.bytes; });
      blocks_.insert(larger, block);
    } catch (...) {
      cudaFreeHost(block.memory);
    }
  }

 private:
  /// After CUDA has begun: what begins later ends earlier, and so the memory is freed before CUDA ends.
  IdlePinned() { static_cast<void>(cudaFree(nullptr)); }
  ~IdlePinned() {
    for (const Block& block : blocks_) cudaFreeHost(block.memory);
  }

  std::mutex mutex_;
  std::vector<Block> blocks_;  // small ones first
};

}  // namespace details

/// Owns pinned memory as a PinnedBuffer does, and gives it back to a pool that lives as long as the process:
/// for what a step needs in each call. The next holder writes at once, so all copies from and to it must be
/// over when it ends. If an exception ends the step, its work is waited for.
template <class T>
class PooledPinnedBuffer {
 public:
  /// Takes `count` elements; their values are undefined. No element: no allocation, get() is null.
  /// @throws ladder::Error at the caller's line.
  explicit PooledPinnedBuffer(std::size_t count, std::source_location where = std::source_location::current())
      : count_(count) {
    if (count == 0) return;
    block_ = details::IdlePinned::get().acquire(bytes());
    if (block_.memory) return;
    const CallSite site(where.file_name(), where.line());
    check(cudaMallocHost(&block_.memory, bytes()), where);
    block_.bytes = bytes();
  }
  ~PooledPinnedBuffer() {
    if (!block_.memory) return;
    details::wait_if_unwinding();
    details::IdlePinned::get().release(block_);
  }
  PooledPinnedBuffer(PooledPinnedBuffer&& other) noexcept
      : block_(std::exchange(other.block_, {})), count_(std::exchange(other.count_, 0)) {}
  PooledPinnedBuffer& operator=(PooledPinnedBuffer&& other) noexcept {
    std::swap(block_, other.block_);
    std::swap(count_, other.count_);
    return *this;
  }

  T* get() const { return static_cast<T*>(block_.memory); }  ///< the first element
  std::size_t size() const { return count_; }                ///< elements
  std::size_t bytes() const { return count_ * sizeof(T); }   ///< for cudaMemcpy
  T& operator[](std::size_t i) const { return get()[i]; }    ///< element i

 private:
  details::IdlePinned::Block block_;
  std::size_t count_;
};

}  // namespace ladder
