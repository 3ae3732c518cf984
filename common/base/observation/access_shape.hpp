#pragma once
/// @file
/// What the addresses of a warp's request cost: sectors of global memory, wavefronts of shared memory.

#include <array>
#include <cstdint>

namespace ladder {

constexpr unsigned sector_bytes = 32;  ///< the unit in which global memory is read and written
constexpr unsigned banks = 32;         ///< of shared memory, each 4 bytes wide

/// Addresses of the lanes in `mask`; each other lane has the address of one of these.
struct Addresses {
  std::array<std::uint64_t, 32> lane;
  std::uint32_t mask;
  unsigned size;  ///< bytes per lane

  std::uint64_t first() const { return lane[static_cast<unsigned>(__builtin_ctz(mask))]; }
};

/// The cost of one request.
struct Shape {
  unsigned distinct_bytes = 0;
  unsigned sectors = 0;               ///< that contain the bytes
  unsigned necessary_sectors = 0;     ///< if the bytes were contiguous
  unsigned wavefronts = 0;            ///< passes through the banks of shared memory
  unsigned necessary_wavefronts = 0;  ///< if all banks shared the work of the lanes that are served together
  unsigned most_lanes_at_one_address = 0;
};

Shape global_shape(const Addresses& addresses);
/// Atomics on global memory: lanes with one address are serialised, each with its own sector.
Shape atomic_shape(const Addresses& addresses);
Shape shared_shape(const Addresses& addresses);

}  // namespace ladder
