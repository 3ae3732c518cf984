#pragma once
/// @file
/// Given, for t2 to t5 and m1 to m3: what a panel needs for its search and its rows, and what happens to the
/// rest of the matrix after it: rows move, the rows of U are solved for, and a product is subtracted.
/// README.md explains it. Source: none.

#ifdef LADDER_EXECUTOR
#pragma GCC system_header  // g++ warns of #pragma unroll in headers, and of nothing here
#endif

#include "common/device/cuda.hpp"
#include "once_per_device.hpp"
#include "problem.hpp"
#include "product.cuh"

namespace lu {

constexpr int max_columns = 32;  // of a panel
constexpr int strip = 32;        // columns of A that a block moves or solves for: one warp is as wide
constexpr int strip_threads = 256;
constexpr int strip_warps = strip_threads / 32;

/// A row that may be the pivot's. No row: size -1, place n.
struct Candidate {
  double size;  ///< |element|
  int place;    ///< where the row is after the exchanges so far
};

inline __device__ Candidate larger(const Candidate& a, const Candidate& b) {
  return b.size > a.size || (b.size == a.size && b.place < a.place) ? b : a;
}

/// The largest of a warp's candidates, of equal ones the one with the lowest place. All lanes get it.
inline __device__ Candidate largest_of_warp(Candidate own) {
#if !defined __CUDA_ARCH__ || __CUDA_ARCH__ >= 800
  // Doubles that are not negative are ordered as their bits are. Three reductions of the hardware, of 32 bits
  // each.
  const unsigned long long bits = own.size < 0 ? 0 : __double_as_longlong(own.size);
  const unsigned high = unsigned(bits >> 32), low = unsigned(bits);
  const unsigned best_high = __reduce_max_sync(~0u, high);
  const unsigned best_low = __reduce_max_sync(~0u, high == best_high ? low : 0);
  const bool best = high == best_high && low == best_low;
  const int place = int(__reduce_min_sync(~0u, best ? unsigned(own.place) : ~0u));
  return {__longlong_as_double((long long)((unsigned long long)best_high << 32 | best_low)), place};
#else
  for (int lanes = 16; lanes > 0; lanes /= 2)
    own = larger(own, {__shfl_xor_sync(~0u, own.size, lanes), __shfl_xor_sync(~0u, own.place, lanes)});
  return own;
#endif
}

/// x / by, rounded once, when 1 / by is there already: a quotient, and a correction by what it leaves of x.
inline __device__ double divided(double x, double by, double inverse) {
  if (!(fabs(by) > 0x1p-1000 && fabs(by) < 0x1p1000)) return x / by;  // 1 / by may have lost digits
  const double quotient = x * inverse;
  return fma(fma(-quotient, by, x), inverse, quotient);
}

/// Loads `width` elements of a row, the others are 0. @param pairs  whether they may be loaded two at a time
template <int columns>
__device__ __forceinline__ void load_row(double (&a)[columns], const double* row, int width, bool pairs) {
#pragma unroll
  for (int c = 0; c < columns; c += 2) {
    double2 both{};
    if (pairs && c < width) both = *reinterpret_cast<const double2*>(row + c);
    if (!pairs && c < width) both.x = row[c];
    if (!pairs && c + 1 < width) both.y = row[c + 1];
    a[c] = both.x;
    a[c + 1] = both.y;
  }
}

/// Stores `width` elements of a row that has turned `width` times: a[c] is element (c + width) % columns.
template <int columns>
__device__ __forceinline__ void store_row(const double (&a)[columns], double* row, int width, bool pairs) {
#pragma unroll
  for (int c = 0; c < columns; c += 2) {
    const int first = (c + width) % columns, second = (c + 1 + width) % columns;
    if (pairs && first < width) *reinterpret_cast<double2*>(row + first) = {a[c], a[c + 1]};
    if (!pairs && first < width) row[first] = a[c];
    if (!pairs && second < width) row[second] = a[c + 1];
  }
}

/// Solves L X = B for one column of B, in place. Rows from `rows` on are zero.
/// @param Lt  [column][row]: L, unit lower triangular, transposed
inline __device__ void solve_column(double (&x)[max_columns], const double (*Lt)[max_columns + 2]) {
#pragma unroll
  for (int k = 0; k < max_columns; ++k)
#pragma unroll
    for (int r = k + 1; r < max_columns; ++r) x[r] -= Lt[k][r] * x[k];
}

/// Loads the triangle L of rows and columns i to i + size - 1, transposed; elsewhere 0.
inline __device__ void load_triangle(double (*Lt)[max_columns + 2], const double* A, std::size_t n, int i,
                                     int size) {
  for (int e = threadIdx.x; e < max_columns * max_columns; e += blockDim.x) {
    const int r = e / max_columns, k = e % max_columns;
    Lt[k][r] = k < r && r < size ? A[(i + r) * n + i + k] : 0;
  }
}

/// Moves rows as the panel of columns i to i + width - 1 has chosen them, in the other columns from `begin`
/// to `last` - 1, and solves for the rows of U in the columns from the panel's end to `end` - 1. A block has
/// `strip` columns.
/// @param from  [n]: row r of the panel's rows i to i + width - 1 was row from[r]
/// @param to    [n]: what was row r of these is now row to[r]
static __global__ void __launch_bounds__(strip_threads)
    exchange_and_solve(std::size_t ld, int i, int width, int begin, int last, int end, double* A,  // n x ld
                       const int* from, const int* to) {
  __shared__ alignas(16) double Lt[max_columns][max_columns + 2];
  __shared__ double X[max_columns][strip];
  const int left = (i - begin + strip - 1) / strip;  // strips on the left of the panel
  const bool on_left = int(blockIdx.x) < left;
  const int first = on_left ? begin + blockIdx.x * strip : i + width + (int(blockIdx.x) - left) * strip;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int col = first + lane;
  const bool inside = col < (on_left ? i : last), solved = !on_left && first < end;
  constexpr int each = max_columns / strip_warps;  // rows of the panel for each warp
  double top[each] = {}, chosen[each] = {};
#pragma unroll
  for (int e = 0; e < each; ++e) {
    const int k = warp + e * strip_warps;
    if (k < width && inside) top[e] = A[(i + k) * ld + col];
    if (k < width && inside) chosen[e] = A[from[i + k] * ld + col];
  }
  if (solved) load_triangle(Lt, A, ld, i, width);
  __syncthreads();  // all of the strip that moves has been read
#pragma unroll
  for (int e = 0; e < each; ++e) {
    const int k = warp + e * strip_warps;
    const int place = k < width ? to[i + k] : 0;
    if (place >= i + width && inside) A[place * ld + col] = top[e];
    if (k < width && inside && !solved) A[(i + k) * ld + col] = chosen[e];
    X[k][lane] = chosen[e];
  }
  if (!solved) return;
  __syncthreads();
  if (warp > 0) return;
  double x[max_columns];
#pragma unroll
  for (int k = 0; k < max_columns; ++k) x[k] = X[k][lane];
  if (col < end) solve_column(x, Lt);
#pragma unroll
  for (int k = 0; k < max_columns; ++k)
    if (k < width && inside) A[(i + k) * ld + col] = x[k];
}

/// Moves rows as the panels of `width` columns from i to i + size - 1 have chosen them, one after another, in
/// the columns from `begin` to `last` - 1, which are none of theirs. A block has `strip` columns.
static __global__ void __launch_bounds__(strip_threads)
    exchange_strips(std::size_t ld, int i, int size, int width, int begin, int last, double* A,  // n x ld
                    const int* from, const int* to) {                                            // n
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int col = begin + blockIdx.x * strip + lane;
  constexpr int each = max_columns / strip_warps;  // rows of a panel for each warp
  for (int panel = i; panel < i + size; panel += width) {
    const int rows = min(width, i + size - panel);
    double top[each] = {}, chosen[each] = {};
#pragma unroll
    for (int e = 0; e < each; ++e) {
      const int k = warp + e * strip_warps;
      if (k < rows && col < last) top[e] = A[(panel + k) * ld + col];
      if (k < rows && col < last) chosen[e] = A[from[panel + k] * ld + col];
    }
    __syncthreads();  // all of the strip that moves has been read
#pragma unroll
    for (int e = 0; e < each; ++e) {
      const int k = warp + e * strip_warps;
      const int place = k < rows ? to[panel + k] : 0;
      if (place >= panel + rows && col < last) A[place * ld + col] = top[e];
      if (k < rows && col < last) A[(panel + k) * ld + col] = chosen[e];
    }
    __syncthreads();  // and moved, before the next panel's rows are read
  }
}

/// Solves for `rows` rows of U from row i on, in the columns from `column` to `end` - 1. L is in the columns
/// from i on of A, or of a copy. A block has `strip` columns.
static __global__ void __launch_bounds__(strip_threads)
    solve_rows(std::size_t ld, int i, int rows, int column, int end, double* A,  // n x ld
               const double* factors, std::size_t ldl) {                         // n x ldl
  using Row = double[strip];
  extern __shared__ Row X[];  // [rows, up to a multiple of max_columns][strip]
  __shared__ alignas(16) double Lt[max_columns][max_columns + 2];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int col = column + blockIdx.x * strip + lane;
  const int padded = (rows + max_columns - 1) / max_columns * max_columns;
#pragma unroll 4
  for (int r = warp; r < padded; r += strip_warps)
    X[r][lane] = r < rows && col < end ? A[(i + r) * ld + col] : 0;
  for (int d = 0; d < rows; d += max_columns) {
    load_triangle(Lt, factors, ldl, i + d, min(max_columns, rows - d));
    __syncthreads();  // rows d to d + 31 have lost all products with the rows above
    double x[max_columns];
    if (warp == 0) {
#pragma unroll
      for (int k = 0; k < max_columns; ++k) x[k] = X[d + k][lane];
      solve_column(x, Lt);
#pragma unroll
      for (int k = 0; k < max_columns; ++k) X[d + k][lane] = x[k];
#pragma unroll
      for (int k = 0; k < max_columns; ++k)
        if (d + k < rows && col < end) A[(i + d + k) * ld + col] = x[k];
    }
    __syncthreads();  // these rows are solved for
#pragma unroll
    for (int k = 0; k < max_columns; ++k) x[k] = X[d + k][lane];
    for (int r = d + max_columns + warp; r < rows; r += strip_warps) {
      const double* const L = factors + (i + r) * ldl + i + d;
      double sums[2] = {};  // two chains: a multiply-add waits for the one before it
#pragma unroll
      for (int k = 0; k < max_columns; ++k) sums[k % 2] += L[k] * x[k];
      X[r][lane] -= sums[0] + sums[1];
    }
  }
}

/// Begins to move the rows that the panel of columns i to i + width - 1 has chosen, in the other columns from
/// `begin` to `last` - 1, and to solve for the rows of U in those from the panel's end to `end` - 1.
inline void exchange(const Problem& p, int i, int width, int begin, int last, int end, const int* from,
                     const int* to, cudaStream_t stream) {
  const int strips = (i - begin + strip - 1) / strip + (last - i - width + strip - 1) / strip;
  if (strips == 0) return;  // the panel is all there is
  exchange_and_solve<<<strips, strip_threads, 0, stream>>>(p.lda, i, width, begin, last, end, p.A, from, to);
  ladder::check(cudaGetLastError());
}

/// Begins to move the rows that the panels of `width` columns from i to i + size - 1 have chosen, in the
/// columns from `begin` to `last` - 1, which are none of theirs.
inline void exchange_later(const Problem& p, int i, int size, int width, int begin, int last, const int* from,
                           const int* to, cudaStream_t stream) {
  if (begin >= last) return;
  exchange_strips<<<(last - begin + strip - 1) / strip, strip_threads, 0, stream>>>(
      p.lda, i, size, width, begin, last, p.A, from, to);
  ladder::check(cudaGetLastError());
}

/// Begins to solve for the rows i to i + rows - 1 of U, in the columns from `column` to `end` - 1:
/// max_solved rows at a time, whose product the others then lose. L is in A, or in a copy of its columns.
inline void solve(const Problem& p, int i, int rows, int column, int end, cudaStream_t stream,
                  const Problem& factors) {
  constexpr int max_solved = 128;
  constexpr int most_bytes = max_solved * strip * int(sizeof(double));
  once_per_device(reinterpret_cast<const void*>(solve_rows), [] {
    ladder::check(cudaFuncSetAttribute(solve_rows, cudaFuncAttributeMaxDynamicSharedMemorySize, most_bytes));
    return most_bytes;
  });
  const int blocks = (end - column + strip - 1) / strip;
  for (int done = 0; done < rows; done += max_solved) {
    const int now = rows - done < max_solved ? rows - done : max_solved;
    const int bytes = (now + max_columns - 1) / max_columns * max_columns * strip * int(sizeof(double));
    solve_rows<<<blocks, strip_threads, bytes, stream>>>(p.lda, i + done, now, column, end, p.A, factors.A,
                                                         factors.lda);
    ladder::check(cudaGetLastError());
    subtract(p, i + done, now, {i + done + now, i + rows, column, end}, stream, factors);
  }
}
inline void solve(const Problem& p, int i, int rows, int column, int end, cudaStream_t stream) {
  solve(p, i, rows, column, end, stream, p);
}

}  // namespace lu
