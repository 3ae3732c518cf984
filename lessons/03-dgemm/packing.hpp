#pragma once
/// @file
/// The machinery of c2: vectors and the tile of C that fits in registers, the sizes of packed blocks, and
/// memory for them. Given: c2 says what is copied where, and what is multiplied.

#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <memory>

#include "common/lesson/vectors.hpp"
#include "problem.hpp"

namespace dgemm {

using ladder::round_up, ladder::Vector, ladder::UnalignedVector;
using ladder::tile_columns, ladder::tile_rows, ladder::tile_vectors, ladder::vector_doubles;

/// Terms of the sums that are packed at once: a panel of B, depth x tile_columns, stays in the first-level
/// cache.
inline constexpr int block_depth = 256;

/// How a product is cut. A block of A is rows x depth, one of B depth x columns; the last ones are smaller.
struct Blocks {
  int rows;     ///< of A and C, a multiple of tile_rows; half of a second-level cache
  int columns;  ///< of B and C, a multiple of tile_columns; at most half of the third-level cache
  int depth;    ///< terms of the sums
};

/// @return the size of a cache, or @p usual where the system does not know it.
inline long cache_bytes(int name, long usual) {
  const long bytes = sysconf(name);
  return bytes > 0 ? bytes : usual;
}

/// @return blocks for a team: every thread gets the same number of blocks of rows.
inline Blocks blocks_for(const Problem& p, int threads) {
  constexpr long term_bytes = block_depth * long(sizeof(double));  // of a row or a column
  const int max_rows =
      int(std::clamp(cache_bytes(_SC_LEVEL2_CACHE_SIZE, 1 << 20) / 2 / term_bytes, 64L, 512L));
  const int max_columns =
      int(std::clamp(cache_bytes(_SC_LEVEL3_CACHE_SIZE, 16 << 20) / 2 / term_bytes, 1024L, 8192L));
  const int of_all = std::max(p.m, 1);
  const int blocks = (of_all + threads * max_rows - 1) / (threads * max_rows) * threads;
  return {.rows = round_up((of_all + blocks - 1) / blocks, tile_rows),
          .columns = round_up(std::clamp(p.n, 1, max_columns), tile_columns),
          .depth = std::clamp(p.k, 1, block_depth)};
}

/// Memory for one block of B, which all threads read, and a block of A for each thread. It holds anything.
class PackedBlocks {
 public:
  PackedBlocks(const Blocks& blocks, int threads)
      : a_(lines(blocks.rows, blocks.depth)),
        b_(lines(blocks.columns, blocks.depth)),
        memory_(std::make_unique_for_overwrite<ladder::CacheLine[]>(b_ + a_ * threads)) {}
  double* b() { return memory_[0].doubles; }
  double* a(int thread) { return memory_[b_ + a_ * thread].doubles; }

 private:
  static std::size_t lines(int width, int depth) { return (std::size_t(width) * depth + 7) / 8; }

  std::size_t a_, b_;
  std::unique_ptr<ladder::CacheLine[]> memory_;
};

}  // namespace dgemm
