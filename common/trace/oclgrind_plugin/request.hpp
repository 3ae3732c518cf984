#pragma once
/// @file
/// What one warp asks of memory at once. What that costs is counted as the executor does it.

#include <array>
#include <cstdint>

#include "common/base/observation/access_shape.hpp"

namespace ladder::oclgrind_plugin {

constexpr unsigned warp_size = 32;

/// One execution of an instruction by the lanes of a warp that executed it together.
struct Execution {
  std::uint32_t mask = 0;  ///< lanes that took part
  /// Of an access its address, of a branch the way it went. Undefined for the other lanes.
  std::array<std::uint64_t, warp_size> value;
};

/// The addresses of an access that some lane made.
/// @param size  bytes per lane, at most 16
inline Addresses addresses_of(const Execution& access, unsigned size) {
  Addresses addresses{access.value, access.mask, size};
  const std::uint64_t any = addresses.first();
  for (unsigned lane = 0; lane < warp_size; ++lane)
    if (!(access.mask >> lane & 1)) addresses.lane[lane] = any;
  return addresses;
}

}  // namespace ladder::oclgrind_plugin
