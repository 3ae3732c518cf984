#pragma once
/// @file
/// Given, for g8 to g10: lists of tiles, which batched calls of cuBLAS read on the device. Source: none.

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "common/device/cuda.hpp"
#include "common/device/pinned_pool.hpp"
#include "tiles.hpp"

namespace cholesky {

/// Calls of one batch: tiles on the device, by their pointers.
struct Batch {
  std::vector<double*> A, B, C;
  std::size_t size() const { return A.size(); }
};

/// Brings the pointers of batches to the device, a twentieth of L's bytes at most.
class Table {
 public:
  Table(std::size_t pointers, const ladder::Stream& stream) : stream_(stream), device_(pointers) {}

  /// Calls `launch(A, B, C, count)` with lists on the device for all of the batch, in pieces where it is too
  /// large. It waits for nothing: what is copied stays on the host, and on the device the stream keeps a
  /// piece until its launch has read it.
  template <class Launch>
  void each(const Batch& batch, Launch&& launch) {
    const std::size_t most = device_.size() / 3;
    for (std::size_t first = 0; first < batch.size(); first += most) {
      const std::size_t count = std::min(most, batch.size() - first);
      ladder::PooledPinnedBuffer<double*>& copied = copied_.emplace_back(3 * count);
      std::array<double**, 3> lists{};
      int i = 0;
      for (const auto* list : {&batch.A, &batch.B, &batch.C}) {
        lists[i] = device_.get() + i * count;
        if (!list->empty()) std::copy_n(list->begin() + first, count, copied.get() + i * count);
        ++i;
      }
      const std::size_t pointers = (batch.C.empty() ? 2 : 3) * count;
      ladder::check(cudaMemcpyAsync(device_.get(), copied.get(), pointers * sizeof(double*),
                                    cudaMemcpyHostToDevice, stream_.get()));
      launch(lists[0], lists[1], lists[2], int(count));
    }
  }

 private:
  const ladder::Stream& stream_;
  ladder::DeviceBuffer<double*> device_;
  std::vector<ladder::PooledPinnedBuffer<double*>> copied_;
};

/// Bytes of the table on the device.
inline std::size_t table_bytes(const Problem& p) {
  return std::max<std::size_t>(p.tiles * tile_bytes(p) / 20, 768) / sizeof(double*) * sizeof(double*);
}

}  // namespace cholesky
