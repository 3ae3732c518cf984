#pragma once
/// @file
/// What the addresses of a warp's request cost: sectors of global memory, wavefronts of shared memory.

#include <array>
#include <cstdint>

namespace ladder {

constexpr unsigned sector_bytes = 32;  ///< the unit in which global memory is read and written
constexpr unsigned banks = 32;         ///< of shared memory, each 4 bytes wide

/// Addresses of the lanes in `mask`; the others have any address of those.
struct Addresses {
  std::array<std::uint64_t, 32> lane;
  std::uint32_t mask;
  unsigned size;  ///< bytes a lane

  std::uint64_t first() const { return lane[static_cast<unsigned>(__builtin_ctz(mask))]; }
};

/// The cost of one request.
struct Shape {
  unsigned distinct_bytes = 0;
  unsigned sectors = 0;               ///< that the bytes lie in
  unsigned necessary_sectors = 0;     ///< when they lay together
  unsigned wavefronts = 0;            ///< passes through the banks of shared memory
  unsigned necessary_wavefronts = 0;  ///< when all banks shared the work
  unsigned most_lanes_at_one_address = 0;
};

Shape global_shape(const Addresses& addresses);
/// Atomics on global memory: lanes with one address come one after the other, each with its own sector.
Shape atomic_shape(const Addresses& addresses);
Shape shared_shape(const Addresses& addresses);

}  // namespace ladder
