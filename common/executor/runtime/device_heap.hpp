#pragma once
/// @file
/// The memory that kernels take with malloc and new: one piece of device memory of cudaLimitMallocHeapSize
/// bytes.

#include <atomic>
#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "common/executor/include/executor/site.h"

namespace ladder::executor {

class DeviceHeap {
 public:
  static DeviceHeap& get();

  /// A piece that a kernel took.
  struct Piece {
    char* begin;
    std::size_t bytes;
    Site site;
  };

  /// @return null when the heap is full, as on a device.
  void* allocate(std::size_t bytes, Site site);
  /// @return whether a piece began there.
  bool release(void* pointer);
  /// For the observer: it checks accesses when a warp is done, so that what a kernel frees must stay known,
  /// and its place unused, until the launch has ended.
  void launch_ends();
  /// Whether the address lies in the heap. Takes no lock: `delete` of the heap's own bookkeeping asks, too.
  bool contains(const void* pointer) const;
  /// The piece that holds the address.
  std::optional<Piece> find(const void* pointer) const;
  std::size_t size() const;
  /// Before the first allocation only. @return whether it was in time
  bool resize(std::size_t bytes);

 private:
  mutable std::mutex mutex_;
  std::size_t size_ = std::size_t{8} << 20;
  std::atomic<char*> memory_{nullptr};
  std::size_t untouched_ = 0;                             // offset of the part that was never used
  std::map<std::size_t, std::vector<std::size_t>> free_;  // offsets by size, rounded up
  std::map<std::size_t, Piece> pieces_;                   // by offset
  std::vector<Piece> freed_;                              // in this launch, with an observer
};

}  // namespace ladder::executor
