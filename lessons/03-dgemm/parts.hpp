#pragma once
/// @file
/// Where a part is in transit through the device in g7: slots and stages, and the host's copies. Given: g7
/// says what waits for what.

#include <array>
#include <vector>

#include "common/device/cuda.hpp"
#include "copy_team.hpp"
#include "plan.hpp"

namespace dgemm {

/// Device memory for one part of A or B.
struct Slot {
  explicit Slot(double* data) : data(data) {}
  double* data;
  int holds = -1;                                 ///< which part; -1: none
  ladder::Event arrived{cudaEventDisableTiming};  ///< the part is in the slot
  /// Of each stream: its last product that reads the slot has run.
  std::vector<ladder::Event> released = std::vector<ladder::Event>(product_streams);
};

/// @return `count` slots of `elements` elements each, one after another from `memory` on.
inline std::vector<Slot> slots(double* memory, std::size_t elements, int count) {
  std::vector<Slot> all;
  for (int s = 0; s < count; ++s) all.emplace_back(memory + elements * s);
  return all;
}

/// Pinned memory of one chunk of a part in flight to the device.
struct Stage {
  explicit Stage(std::size_t elements) : data(elements) {}
  ladder::PinnedBuffer<double> data;
  ladder::Event filled{cudaEventDisableTiming};  ///< the host has copied the chunk into it
  ladder::Event sent{cudaEventDisableTiming};    ///< the chunk has left for the device
};

/// Rows that a stream lets the host copy.
struct HostCopy {
  CopyTeam* team;
  Rows rows;
};

/// A stream calls this on the host: copies the rows of the HostCopy at @p argument.
inline void CUDART_CB copy_rows(void* argument) noexcept {
  const HostCopy& copy = *static_cast<const HostCopy*>(argument);
  copy.team->copy(copy.rows);
}

/// @return the multiprocessors of the current device.
inline int multiprocessors() {
  int device = 0, count = 0;
  ladder::check(cudaGetDevice(&device));
  ladder::check(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device));
  return count;
}

}  // namespace dgemm
