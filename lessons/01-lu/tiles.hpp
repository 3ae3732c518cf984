#pragma once
/// @file
/// The machinery of c2: a panel in memory of its own, elimination of a few of its columns, and what factored
/// columns do to the columns on their right, by a micro-kernel as in lesson 03. Given: c2 says what is done
/// in which order.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>

#include "common/lesson/vectors.hpp"
#include "problem.hpp"

namespace lu {

/// Columns of a block: whole tiles with vectors of any width.
inline constexpr int block_columns = 96;
/// Columns that are eliminated one after another: a cache line of each row.
inline constexpr int base_columns = 8;
static_assert(block_columns % ladder::tile_columns == 0 && base_columns % ladder::tile_rows == 0);

/// Columns first, first + 1, … of A, from row `first` down, outside of A: its rows are next to each other, so
/// the caches hold them also where rows of A are a power of two apart. What is past its rows and columns are
/// zeros.
class Panel {
 public:
  /// Memory for the largest panel of a matrix of order @p n.
  explicit Panel(int n)
      : memory_(std::make_unique_for_overwrite<ladder::CacheLine[]>(std::size_t(n + ladder::tile_rows) *
                                                                    (block_columns / 8))) {}

  int first = 0;    ///< its first row and column in A
  int rows = 0;     ///< n - first
  int columns = 0;  ///< at most block_columns
  double* row(int r) const { return memory_[std::size_t(r) * (block_columns / 8)].doubles; }

  /// Takes the panel from A.
  void read(const Problem& p, int first_column) {
    first = first_column;
    rows = p.n - first;
    columns = std::min(rows, block_columns);
    for (int r = 0; r < rows; ++r) {
      std::copy_n(in(p, r), columns, row(r));
      std::fill(row(r) + columns, row(r) + block_columns, 0.0);
    }
    std::fill(row(rows), row(rows + ladder::tile_rows), 0.0);
  }
  /// Brings it back to its place in A.
  void write(const Problem& p) const {
    for (int r = 0; r < rows; ++r) std::copy_n(row(r), columns, in(p, r));
  }

 private:
  double* in(const Problem& p, int r) const { return p.A + std::size_t(first + r) * p.n + first; }
  std::unique_ptr<ladder::CacheLine[]> memory_;
};

/// Eliminates up to base_columns columns of a panel, from row and column c on: chooses pivots, swaps whole
/// rows of the panel, leaves factors. Other columns only have their rows swapped.
inline void eliminate(const Problem& p, Panel& panel, int c) {
  const int end = std::min(c + base_columns, panel.columns);
  for (int i = c; i < end; ++i) {
    int best = i;
    for (int r = i + 1; r < panel.rows; ++r)
      if (std::abs(panel.row(r)[i]) > std::abs(panel.row(best)[i])) best = r;
    p.pivot[panel.first + i] = panel.first + best;
    if (best != i) std::swap_ranges(panel.row(i), panel.row(i) + block_columns, panel.row(best));
    const double divisor = panel.row(i)[i];
    if (divisor == 0 && *p.info == 0) *p.info = panel.first + i + 1;
    if (divisor == 0) continue;     // so is all of the column
    double top[base_columns] = {};  // zeros up to column i: what is there stays
    for (int j = i + 1; j < end; ++j) top[j - c] = panel.row(i)[j];
    for (int r = i + 1; r < panel.rows; ++r) {
      double* row = panel.row(r) + c;
      const double factor = row[i - c] / divisor;
      for (int j = 0; j < base_columns; ++j) row[j] -= factor * top[j];
      row[i - c] = factor;
    }
  }
}

/// C -= L U for one tile, tile_rows x (vectors of a row): the micro-kernel.
template <int vectors>
void subtract_tile(int depth,
                   const double* L,  // tile_rows x depth, in a panel
                   const double* U,  // [depth][tile_columns]
                   double* C, std::size_t ldc) {
  using namespace ladder;
  for (int i = 0; i < tile_rows; ++i) {  // comes from memory while the sums are computed
    __builtin_prefetch(C + i * ldc, 1);
    __builtin_prefetch(C + i * ldc + vectors * vector_doubles - 1, 1);
  }
  Vector sum[tile_rows][vectors] = {};
  for (int q = 0; q < depth; ++q, ++L, U += tile_columns) {
    const Vector* row = reinterpret_cast<const Vector*>(U);
#pragma GCC unroll 8
    for (int i = 0; i < tile_rows; ++i)
#pragma GCC unroll 3
      for (int v = 0; v < vectors; ++v) sum[i][v] += L[i * block_columns] * row[v];
  }
#pragma GCC unroll 8
  for (int i = 0; i < tile_rows; ++i)
#pragma GCC unroll 3
    for (int v = 0; v < vectors; ++v)
      *reinterpret_cast<UnalignedVector*>(C + i * ldc + v * vector_doubles) -= sum[i][v];
}

/// The same for a tile at an edge of C, or a narrow one.
inline void subtract_part(int rows, int columns, int depth, const double* L, const double* U, double* C,
                          std::size_t ldc) {
  using namespace ladder;
  if (rows == tile_rows && columns == tile_columns) return subtract_tile<3>(depth, L, U, C, ldc);
  if (rows == tile_rows && columns == 2 * vector_doubles) return subtract_tile<2>(depth, L, U, C, ldc);
  if (rows == tile_rows && columns == vector_doubles) return subtract_tile<1>(depth, L, U, C, ldc);
  alignas(CacheLine) double tile[tile_rows * tile_columns] = {};
  subtract_tile<tile_vectors>(depth, L, U, tile, tile_columns);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) C[i * ldc + j] += tile[i * tile_columns + j];
}

/// U = L^-1 U: below row r of U goes what the rows above r leave, tile after tile.
inline void solve_triangle(int depth,        // a multiple of base_columns
                           const double* L,  // depth x depth, in a panel; its diagonal counts as ones
                           double* U) {      // [depth][tile_columns]
  using namespace ladder;
  for (int r = 0; r < depth; r += tile_rows) {
    subtract_tile<tile_vectors>(r, L + r * block_columns, U, U + r * tile_columns, tile_columns);
    for (int i = r + 1; i < r + tile_rows; ++i)
      for (int q = r; q < i; ++q)
        for (int j = 0; j < tile_columns; ++j)
          U[i * tile_columns + j] -= L[i * block_columns + q] * U[q * tile_columns + j];
  }
}

/// What columns c … c + depth - 1 of a panel, which are factored, do to other columns, whose rows are swapped
/// already:
///
///     U12 = L11^-1 A12,  A22 = A22 - L21 U12
inline void solve_and_subtract(const Panel& panel, int c,  // L11 begins at row and column c of the panel
                               int depth,                  // a multiple of base_columns
                               int columns, double* A12,   // and A22 below it, at most block_columns
                               std::size_t lda) {
  using namespace ladder;
  alignas(
      CacheLine) double U12[block_columns * block_columns];  // [columns / tile_columns][depth][tile_columns]
  const double* const L = panel.row(c) + c;
  for (int j = 0; j < columns; j += tile_columns) {
    double* const U = U12 + j * depth;
    const int width = std::min(tile_columns, columns - j);
    for (int q = 0; q < depth; ++q)
      for (int v = 0; v < tile_columns; ++v) U[q * tile_columns + v] = v < width ? A12[q * lda + j + v] : 0;
    solve_triangle(depth, L, U);
    for (int q = 0; q < depth; ++q) std::copy_n(U + q * tile_columns, width, A12 + q * lda + j);
  }
  const int rows = panel.rows - c;
  for (int r = depth; r < rows; r += tile_rows)
    for (int j = 0; j < columns; j += tile_columns)
      subtract_part(std::min(tile_rows, rows - r), std::min(tile_columns, columns - j), depth,
                    L + std::size_t(r) * block_columns, U12 + j * depth, A12 + r * lda + j, lda);
}

}  // namespace lu
