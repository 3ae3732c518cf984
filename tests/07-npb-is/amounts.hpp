#pragma once
/// @file
/// What lesson 07's rungs are measured by: the work of a problem, the necessary amounts that rungs.toml
/// names, and what the page predicts.

#include <algorithm>
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

/// g2: barriers of a block. The number of its tile, the sums of its warps and the sum before the tile go from
/// one warp to the others.
constexpr double look_back_barriers(const Problem&, int) {
  return 3;
}

/// g3: keys of a tile, and buckets at most.
constexpr int tile_keys = 8192, max_buckets = 1024;

/// g3: buckets of a problem, all with the same power of two of values.
constexpr double buckets(double bins, int most = max_buckets) {
  double width = 1;
  while (double(std::int64_t((bins - 1) / width)) >= most) width *= 2;
  return double(std::int64_t((bins - 1) / width)) + 1;
}

/// g3: a block adds to each bucket's number of keys once when it counts, and once when it reserves places.
constexpr double bucket_atomics(const Problem& p, int) {
  const double blocks = double((p.n + tile_keys - 1) / tile_keys);
  return (std::min(blocks, 2048.0) + blocks) * buckets(p.bins);
}

/// g4: load requests of the kernel that counts, 4 keys for each of 32 lanes.
constexpr double vector_requests(const Problem& p, int) {
  return double((p.n + 127) / 128);
}

/// g5: keys of a tile, and buckets at most while 16 bits of a key are enough.
constexpr int sorted_tile = 16384, large_buckets = 512;

/// g5: keys are loaded twice, their low 16 bits are stored and loaded once. For each bucket of a tile there
/// are the two ends of a run in the middle of sectors, its place, which is stored once and loaded three
/// times, and ranks.
constexpr double tile_sectors(const Problem& p, int) {
  const double tiles = double((p.n + sorted_tile - 1) / sorted_tile);
  return double(p.n) / 4 + double(p.n) / 8 + 6 * tiles * buckets(p.bins, large_buckets);
}

/// g6: rows of 512 keys in a tile, if each multiprocessor gets one tile.
constexpr double tile_rows(std::int64_t keys, int multiprocessors) {
  const std::int64_t row = multiprocessors * 512;
  return std::min(32.0, double((keys + row - 1) / row));
}

/// g6: as g5, with a tile for each of the executor's four multiprocessors, and at most 128 buckets.
constexpr double small_tile_sectors(const Problem& p, int) {
  const double tile = 512 * tile_rows(p.n, 4);
  const double tiles = double(std::int64_t((double(p.n) + tile - 1) / tile));
  return double(p.n) / 4 + double(p.n) / 8 + 3 * tiles * buckets(p.bins, 128);
}

/// g6: a kernel may hold everything.
constexpr double one_launch(const Problem&, int) {
  return 1;
}
/// @}

/// @name What the page predicts
/// Amounts of rungs that are not bounds.
/// @{

/// g1: barriers of the block that adds up, for tiles of that many bins: two in each stage, and two around
/// them.
constexpr double scan_barriers(double bins, unsigned tile) {
  const double tiles = double(std::int64_t((bins + tile - 1) / tile));
  return tiles * (2 * (std::bit_width(tile) - 1) + 2);
}

/// Tiles of that many bins or keys: g2 has a block for each of them.
constexpr double tiles_of(double all, double tile) {
  return double(std::int64_t((all + tile - 1) / tile));
}

/// c1: bytes of a bucket's counts, with that many buckets.
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
                                        {"look_back_barriers", ladder::amount<look_back_barriers>},
                                        {"bucket_atomics", ladder::amount<bucket_atomics>},
                                        {"vector_requests", ladder::amount<vector_requests>},
                                        {"tile_sectors", ladder::amount<tile_sectors>},
                                        {"small_tile_sectors", ladder::amount<small_tile_sectors>},
                                        {"one_launch", ladder::amount<one_launch>}};

}  // namespace npb_is
