#pragma once
/// @file
/// Given: where a tile is, what is computed on the processor with one, the levels of columns, and the
/// triangular solves on the processor (on the device: solve_on_device.cuh). Arithmetic on a tile is
/// OpenBLAS's, with one thread a call, but for the solve of a small one: this lesson is about the order of
/// the calls.

#include <algorithm>
#include <cstddef>
#include <vector>

#include "common/device/host.hpp"
#include "problem.hpp"

extern "C" {
void dpotrf_(const char* part, const int* n, double* A, const int* lda, int* info);
void dtrsm_(const char* side, const char* part, const char* op, const char* diagonal, const int* m,
            const int* n, const double* alpha, const double* A, const int* lda, double* B, const int* ldb);
void dsyrk_(const char* part, const char* op, const int* n, const int* k, const double* alpha,
            const double* A, const int* lda, const double* beta, double* C, const int* ldc);
void dgemm_(const char* opA, const char* opB, const int* m, const int* n, const int* k, const double* alpha,
            const double* A, const int* lda, const double* B, const int* ldb, const double* beta, double* C,
            const int* ldc);
void dgemv_(const char* op, const int* m, const int* n, const double* alpha, const double* A, const int* lda,
            const double* x, const int* incx, const double* beta, double* y, const int* incy);
void dtrsv_(const char* part, const char* op, const char* diagonal, const int* n, const double* A,
            const int* lda, double* x, const int* incx);
void openblas_set_num_threads(int count);
}

namespace cholesky {

/// Bytes of a tile.
inline std::size_t tile_bytes(const Problem& p) {
  return std::size_t(p.s) * p.s * sizeof(double);
}

/// The first element of tile t.
inline double* tile(const Problem& p, int t) {
  return p.L + std::size_t(t) * p.s * p.s;
}

/// @return the number of the tile in tile row i and tile column j, i >= j; -1 when it is not stored.
inline int find(const Problem& p, int i, int j) {
  const int* const first = p.tile_row + p.column_start[j];
  const int* const last = p.tile_row + p.column_start[j + 1];
  const int* const found = std::lower_bound(first, last, i);
  return found != last && *found == i ? int(found - p.tile_row) : -1;
}

/// A tile is one thread's work: OpenBLAS shall start no team of its own in each of ours. Once, before the
/// first of them: not every build of it may be told so by several threads.
inline void let_blas_be_sequential() {
  static const bool told = (openblas_set_num_threads(1), true);
  static_cast<void>(told);
}

/// (4) A11 = L11 L11^T, in place; what is above the diagonal is neither read nor written.
/// @return 0, or 1 + the row of the tile whose pivot is not positive.
inline int factorise_tile(double* A, int s) {
  let_blas_be_sequential();
  const ladder::HostWork work("potrf", std::size_t(s) * s * sizeof(double));
  ladder::library_writes(A, std::size_t(s) * s);
  int info = 0;
  dpotrf_("L", &s, A, &s, &info);
  return info;
}

/// Rows of A21 L11^-T, one column after the other, each in registers until it is done. @param A21 their first
/// element
template <int rows>
void solve_in_registers(const double* L11, double* A21, int s) {
  for (int j = 0; j < s; ++j) {
    double* const column = A21 + std::size_t(j) * s;
    double x[rows];
    std::copy_n(column, rows, x);
    for (int k = 0; k < j; ++k)
      for (int i = 0; i < rows; ++i) x[i] -= A21[i + std::size_t(k) * s] * L11[j + std::size_t(k) * s];
    const double inverse = 1 / L11[j + std::size_t(j) * s];
    for (int i = 0; i < rows; ++i) column[i] = x[i] * inverse;
  }
}

/// (5) L21 = A21 L11^-T, in place.
inline void solve_tile(const double* L11, double* A21, int s) {
  // OpenBLAS packs a tile first: of 32 that took 2.4 times as long, of 96 1.4 times.
  constexpr int rows = 16, small = 96;
  int i = 0;
  if (s <= small)
    for (; i + rows <= s; i += rows) solve_in_registers<rows>(L11, A21 + i, s);
  const double one = 1;
  const int rest = s - i;
  if (rest == 0) return;
  ladder::library_reads(L11, std::size_t(s) * s);
  ladder::library_writes(A21, std::size_t(s) * s);
  dtrsm_("R", "L", "T", "N", &rest, &s, &one, L11, &s, A21 + i, &s);
}

/// (6) C -= A B^T; of a diagonal tile, where A is B, the upper triangle means nothing before and after.
inline void update_tile(const double* A, const double* B, double* C, int s) {
  constexpr int small = 64;  // OpenBLAS multiplies such a tile sooner than it leaves half of it out
  const double one = 1, minus_one = -1;
  const std::size_t elements = std::size_t(s) * s;
  ladder::library_reads(A, elements);
  ladder::library_reads(B, elements);
  ladder::library_writes(C, elements);
  if (A == B && s > small)
    dsyrk_("L", "N", &s, &s, &minus_one, A, &s, &one, C, &s);
  else
    dgemm_("N", "T", &s, &s, &s, &minus_one, A, &s, B, &s, &one, C, &s);
}

/// What `info` says when row `row`, from 1 on, of diagonal tile k has no positive pivot.
inline int info_of(const Problem& p, int k, int row) {
  return 1 + p.row_of[k * p.s + row - 1];
}

/// Tile columns by level: a column is one level above the highest of those whose tiles change it.
inline std::vector<std::vector<int>> levels_of(const Problem& p) {
  std::vector<int> level(p.tile_columns, 0);
  std::vector<std::vector<int>> levels;
  for (int k = 0; k < p.tile_columns; ++k) {
    for (int t = p.column_start[k] + 1; t < p.column_start[k + 1]; ++t)
      level[p.tile_row[t]] = std::max(level[p.tile_row[t]], level[k] + 1);
    levels.resize(std::max(levels.size(), std::size_t(level[k]) + 1));
    levels[level[k]].push_back(k);
  }
  return levels;
}

/// Whether the tiles of column k are so many bytes that several threads read them sooner than one.
inline bool worth_a_team(const Problem& p, int k) {
  return (p.column_start[k + 1] - p.column_start[k]) * tile_bytes(p) >= std::size_t(1) << 20;
}

/// Column k of L y = b. @param x  what is left of the rows before tile row `border`
/// @param rest  of those from there on @param team  with all threads; false: with the calling one
inline void solve_forward(const Problem& p, int k, double* x, int border, double* rest,
                          [[maybe_unused]] bool team) {
  const double one = 1, minus_one = -1;
  const int step = 1, s = p.s, first = p.column_start[k], last = p.column_start[k + 1];
  const auto rows = [&](int row) {
    return row < border ? x + std::size_t(row) * s : rest + std::size_t(row - border) * s;
  };
  dtrsv_("L", "N", "N", &s, tile(p, first), &s, rows(k), &step);
#pragma omp parallel for if (team)
  for (int t = first + 1; t < last; ++t)
    dgemv_("N", &s, &s, &minus_one, tile(p, t), &s, rows(k), &step, &one, rows(p.tile_row[t]), &step);
}

/// Column k of L^T x = y. @param team  with all threads, each some of x; false: with the calling one
inline void solve_backward(const Problem& p, int k, bool team) {
  const double one = 1, minus_one = -1;
  const int step = 1, s = p.s, first = p.column_start[k], last = p.column_start[k + 1];
  const int share = team ? std::min(s, 16) : s;  // elements of x
  double* const x = p.x + std::size_t(k) * s;
#pragma omp parallel for if (team)
  for (int begin = 0; begin < s; begin += share)
    for (int t = first + 1; t < last; ++t) {
      const int columns = std::min(share, s - begin);
      dgemv_("T", &s, &columns, &minus_one, tile(p, t) + std::size_t(begin) * s, &s,
             p.x + std::size_t(p.tile_row[t]) * s, &step, &one, x + begin, &step);
    }
  dtrsv_("L", "T", "N", &s, tile(p, first), &s, x, &step);
}

/// L L^T x = b on the host, when L is there: L y = b from the first tile column on, then L^T x = y from the
/// last.
inline void solve(const Problem& p) {
  std::copy_n(p.b, p.n, p.x);
  for (int k = 0; k < p.tile_columns; ++k) solve_forward(p, k, p.x, p.tile_columns, nullptr, false);
  for (int k = p.tile_columns; k-- > 0;) solve_backward(p, k, false);
}

/// The same by all threads: a part each, since parts do not touch, then a column of the border after the
/// other, together.
inline void solve_by_parts(const Problem& p) {
  const int blocks = p.parts - 1, border = p.part_start[blocks];
  double* const x_of_border = p.x + std::size_t(border) * p.s;
  std::copy_n(p.b, p.n, p.x);
#pragma omp parallel
  {
    // What this thread takes from the border's rows.
    std::vector<double> rest(std::size_t(p.tile_columns - border) * p.s, 0.0);
#pragma omp for schedule(dynamic)
    for (int q = 0; q < blocks; ++q)
      for (int k = p.part_start[q]; k < p.part_start[q + 1]; ++k)
        solve_forward(p, k, p.x, border, rest.data(), false);
#pragma omp critical(rest_of_the_border)
    for (std::size_t i = 0; i < rest.size(); ++i) x_of_border[i] += rest[i];
  }
  for (int k = border; k < p.tile_columns; ++k)
    solve_forward(p, k, p.x, p.tile_columns, nullptr, worth_a_team(p, k));
  for (int k = p.tile_columns; k-- > border;) solve_backward(p, k, worth_a_team(p, k));
#pragma omp parallel for schedule(dynamic)
  for (int q = 0; q < blocks; ++q)
    for (int k = p.part_start[q + 1]; k-- > p.part_start[q];) solve_backward(p, k, false);
}

}  // namespace cholesky
