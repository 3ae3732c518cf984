#pragma once
/// @file
/// What lesson 07's rungs are measured by: the work of a problem, the necessary amounts that rungs.toml
/// names, and what the page predicts.

#include <bit>
#include <cstdint>

#include "common/lesson/amounts.hpp"
#include "lessons/07-npb-is/problem.hpp"

namespace npb_is {

/// @name Necessary amounts
/// What the algorithm of a rung has to do. README.md derives them.
/// @{

/// g1: each key is added to the count of its value.
constexpr double key_atomics(const Problem& p, int) {
  return double(p.n);
}

/// Load requests of warps with so many keys per lane, and of the scan, a bin per lane.
constexpr double load_requests(const Problem& p, int keys_of_lane) {
  return double(p.n) / (32 * keys_of_lane) + p.bins / 32.0;
}

/// g2: four keys per lane.
constexpr double vector_requests(const Problem& p, int) {
  return load_requests(p, 4);
}

/// What no program can do without: 512 bytes per request.
constexpr double key_requests(const Problem& p, int) {
  return double(p.n) / 128;
}
/// @}

/// @name What the page predicts
/// Amounts of rungs that are not bounds.
/// @{

/// g1: barriers of the block that adds up, for tiles of so many bins: two in each stage, and two around them.
constexpr double scan_barriers(double bins, unsigned tile) {
  const double tiles = double(std::int64_t((bins + tile - 1) / tile));
  return tiles * (2 * (std::bit_width(tile) - 1) + 2);
}

/// c1: bytes of a bucket's counts, with so many buckets.
constexpr double bucket_bytes(double bins, double buckets) {
  return bins / buckets * sizeof(unsigned);
}
/// @}

/// What no step can do without: each key is read and counted, each rank written.
constexpr ladder::Work work(const Problem& p) {
  return {.integer = double(p.n),
          .bytes = 4 * double(p.n) + 4.0 * p.bins,
          .formula = "an integer addition and 4 bytes per key, 4 bytes per rank"};
}

/// The amounts by the names that rungs.toml uses.
inline const ladder::Amounts amounts = {{"key_atomics", ladder::amount<key_atomics>},
                                        {"vector_requests", ladder::amount<vector_requests>},
                                        {"key_requests", ladder::amount<key_requests>}};

}  // namespace npb_is
