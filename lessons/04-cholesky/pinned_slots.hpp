#pragma once
/// @file
/// Given, for g5 and g6: pinned memory that copies use in turn. A copy between pageable memory and the device
/// does not run next to the host. g4 pins all of L in each call; here tiles go through a few slots, whose
/// memory stays pinned from call to call. Source: none.

#include <algorithm>
#include <cstddef>
#include <vector>

#include "common/device/cublas.hpp"
#include "common/device/cuda.hpp"

namespace cholesky {

/// Pinned memory for tiles in flight to the device, or to the host.
struct Slot {
  double* memory;
  ladder::Event used{cudaEventDisableTiming};  // record it after each copy
  // Where on the host the content goes when it has come; null: nowhere.
  double* goes_to = nullptr;
  std::size_t elements = 0;  // that go there
};

/// Waits until the slot's last copy is done, and delivers what came.
inline void deliver(Slot& slot) {
  ladder::check(cudaEventSynchronize(slot.used.get()));
  if (slot.goes_to) std::copy_n(slot.memory, slot.elements, slot.goes_to);
  slot.goes_to = nullptr;
}

/// Slots in turn.
class Slots {
 public:
  /// @param memory  pinned, count * elements
  Slots(double* memory, int count, std::size_t elements) {
    for (int i = 0; i < count; ++i) slots_.push_back({memory + i * elements});
  }
  /// The slot for the next copy, when its last copy is done and what came is delivered.
  Slot& next() {
    Slot& slot = slots_[++copies_ % slots_.size()];
    deliver(slot);
    return slot;
  }
  void deliver_all() {
    for (Slot& slot : slots_) deliver(slot);
  }

 private:
  std::vector<Slot> slots_;
  std::size_t copies_ = 0;
};

/// What a thread of a team has: a cuBLAS handle and pinned memory. (g5, g6)
struct Worker {
  /// @param memory  pinned: one diagonal tile, then the slots
  Worker(double* memory, std::size_t tile_elements, int slot_count, std::size_t slot_elements)
      : diagonal{memory}, slots(memory + tile_elements, slot_count, slot_elements) {}
  /// The handle, for calls into that stream.
  cublasHandle_t blas(cudaStream_t stream) const {
    ladder::check(cublasSetStream(handle.get(), stream));
    return handle.get();
  }
  Slot diagonal;  // apart: who waits for a diagonal tile should not wait for other copies
  Slots slots;
  ladder::Cublas handle;
};

}  // namespace cholesky
