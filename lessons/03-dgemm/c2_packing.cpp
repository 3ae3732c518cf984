/// @file
/// c2: packing and a micro-kernel. c1 loads and stores C once per four multiply-adds, and reads rows of B
/// that are far apart. Here a tile of C stays in registers, and A and B are copied to where they are read in
/// order. Source: none in work D; K. Goto and R. van de Geijn, Anatomy of High-Performance Matrix
/// Multiplication, 2008.

#include <omp.h>

#include <algorithm>

#include "packing.hpp"
#include "problem.hpp"

namespace dgemm {
namespace {

using std::size_t;

/// Copies rows of A into panels of tile_rows: term after term, the elements of a panel's rows next to each
/// other.
void pack_a(int rows, int depth,          // of the block
            const double* A, size_t lda,  // rows x depth
            double* to) {                 // panels: [rows / tile_rows, rounded up][depth][tile_rows]
  // TASK, 3 lines: Copy the block. Where the last panel has rows past the block's, it gets zeros.
  ladder::task();  // Delete this line when you start.
}

/// Copies one panel of B: the first `columns` of tile_columns elements of each row, zeros after them.
void pack_b(int depth, int columns, const double* B, size_t ldb, double* to) {
  for (int q = 0; q < depth; ++q)
    for (int j = 0; j < tile_columns; ++j) *to++ = j < columns ? B[q * ldb + j] : 0;
}

/// A tile of C = a panel of A times a panel of B, or C += that.
void multiply_tile(int depth, bool add,
                   const double* a,          // [depth][tile_rows]
                   const double* b,          // [depth][tile_columns]
                   double* C, size_t ldc) {  // tile_rows x tile_columns
  // The tile of C comes from memory while the sums are computed.
  for (int i = 0; i < tile_rows; ++i) {
    __builtin_prefetch(C + i * ldc, 1);
    __builtin_prefetch(C + i * ldc + tile_columns - 1, 1);
  }
  // TASK, 15 lines: Compute the tile in `sum`, then store it. Of each term read three vectors of B once, and
  //  use each element of A three times. `sum` stays in registers only if every index is known: constant
  //  bounds, unrolled.
  ladder::task();  // Delete this line when you start.
}

/// The same for a tile at an edge of C, which has fewer rows or columns than the registers.
void multiply_edge(int depth, bool add, const double* a, const double* b, double* C, size_t ldc, int rows,
                   int columns) {
  alignas(Vector) double tile[tile_rows * tile_columns];
  multiply_tile(depth, false, a, b, tile, tile_columns);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j)
      C[i * ldc + j] = tile[i * tile_columns + j] + (add ? C[i * ldc + j] : 0);
}

/// A block of C = a packed block of A times a packed block of B, or C += that.
void multiply_block(int rows, int columns, int depth, bool add, const double* a, const double* b, double* C,
                    size_t ldc) {
  for (int j = 0; j < columns; j += tile_columns)  // a panel of B stays in the first-level cache …
    for (int i = 0; i < rows; i += tile_rows) {    // … while the panels of A pass by
      const double *panel_a = a + size_t(i) * depth, *panel_b = b + size_t(j) * depth;
      double* tile = C + i * ldc + j;
      if (i + tile_rows <= rows && j + tile_columns <= columns)
        multiply_tile(depth, add, panel_a, panel_b, tile, ldc);
      else
        multiply_edge(depth, add, panel_a, panel_b, tile, ldc, std::min(tile_rows, rows - i),
                      std::min(tile_columns, columns - j));
    }
}

}  // namespace

/// C = A B with all threads of the team.
void packing(const Problem& p) {
  const int threads = omp_get_max_threads();
  const Blocks size = blocks_for(p, threads);
  PackedBlocks packed(size, threads);
  // TASK, 16 lines: Share the work among the threads of a team. All of them pack the block of B, panel by
  //  panel. Who computes a block of C packs its block of A, into memory of its own.
  //  Nobody may read B's panels before all are packed, or pack the next ones while another thread still
  //  reads.
  ladder::task();  // Delete this line when you start.
  for (int j0 = 0; j0 < p.n; j0 += size.columns)
    for (int p0 = 0; p0 < std::max(p.k, 1); p0 += size.depth) {  // once for k = 0: zeros
      const int columns = std::min(size.columns, p.n - j0), depth = std::min(size.depth, p.k - p0);
      const double* B = p.B + size_t(p0) * p.ldb + j0;
      for (int j = 0; j < columns; j += tile_columns)
        pack_b(depth, std::min(tile_columns, columns - j), B + j, p.ldb, packed.b() + size_t(j) * depth);
      for (int i0 = 0; i0 < p.m; i0 += size.rows) {
        const int rows = std::min(size.rows, p.m - i0);
        double* a = packed.a(0);
        pack_a(rows, depth, p.A + size_t(i0) * p.lda + p0, p.lda, a);
        multiply_block(rows, columns, depth, p0 > 0, a, packed.b(), p.C + size_t(i0) * p.ldc + j0, p.ldc);
      }
    }
}

}  // namespace dgemm
