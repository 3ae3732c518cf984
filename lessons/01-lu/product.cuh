#pragma once
/// @file
/// Given, for t2 to t5 and m1 to m3: a product by tensor cores, subtracted from a part of the matrix.
/// Source: lesson 03, t3, with C as the first summand.

#ifdef LADDER_EXECUTOR
#pragma GCC system_header  // g++ warns of #pragma unroll in headers, and of nothing here
#endif

#include <cuda_pipeline.h>

#include <cstdint>

#include "common/device/cuda.hpp"
#include "common/device/tensor.hpp"
#include "once_per_device.hpp"
#include "problem.hpp"

namespace lu {

/// A tile has tile_rows x tile_columns elements of C, and a block of threads.
constexpr int tile_rows = 128;
constexpr int tile_columns = 64;
constexpr int depth = 16;          // terms of the sum in one pass: 8 pairs, a row of all 32 banks
constexpr int tile_threads = 128;  // a warp has 32 x 64 elements of C
constexpr int parts_down = 4;      // of 8 x 16 elements, of a warp
constexpr int parts_across = 4;
constexpr int stages = 3;  // buffers for parts of L and U: all but one are in flight
constexpr int band = 8;    // tiles below each other that are computed before those to their right

/// @return whether every even element of A, and so every row, begins at a multiple of 16 bytes. lda alone
/// does not say that: A may begin anywhere.
inline __host__ __device__ bool pairs(const double* A, std::size_t lda) {
  return reinterpret_cast<std::uintptr_t>(A) % sizeof(double2) == 0 && lda % 2 == 0;
}
inline __host__ __device__ bool pairs(const Problem& p) {
  return pairs(p.A, p.lda);
}

/// A part of L and one of U, in pairs of neighbours.
struct alignas(16) Stage {
  double2 Ls[tile_rows][depth / 2];
  double2 Us[depth][tile_columns / 2];
};
constexpr int stage_bytes = stages * sizeof(Stage);

/// @return where in its row of Ls or Us a pair lies: so that the 8 pairs that 8 lanes read at once are in
/// different banks.
inline __device__ int swizzled(int row, int pair) {
  return pair ^ row % 8;
}

/// @return the first row and column of C of a tile: `band` tiles below each other first.
inline __device__ int2 corner(int number, int down, int across) {
  const int of_band = number / (band * across), in_band = number % (band * across);
  const int height = min(band, down - of_band * band);
  return {(of_band * band + in_band % height) * tile_rows, in_band / height * tile_columns};
}

using Shape = ladder::tensor::Double16x8x8;
/// What a lane has of its warp's part of C: sum[i][j][half] and sum[i][j][2 + half] are neighbours.
using Sums = Shape::C[parts_down][parts_across];

/// @tparam Vector what a lane copies per request: double2 where every pair lies at a multiple of 16 bytes,
/// else double
template <class Vector>
constexpr int width = sizeof(Vector) / sizeof(double);  // elements per request

/// Begins to copy to a stage the columns of L and the rows of U from p0 on, and makes one batch of it.
/// @param at the first row and column of the block's tile of C
template <class Vector>
__device__ __forceinline__ void copy_part(int m, int n, int k, std::size_t ld, std::size_t ldl,
                                          const double* __restrict__ L, const double* __restrict__ U, int2 at,
                                          int p0, Stage& to) {
  if (p0 < k) {
#pragma unroll 4
    for (int e0 = 0; e0 < tile_rows * depth; e0 += tile_threads * width<Vector>) {
      const int e = e0 + threadIdx.x * width<Vector>;
      const int r = e / depth, p = e % depth;
      const bool inside = at.x + r < m && p0 + p < k;
      __pipeline_memcpy_async(&to.Ls[r][swizzled(r, p / 2)].x + p % 2,
                              L + (inside ? (at.x + r) * ldl + p0 + p : 0), sizeof(Vector),
                              inside ? 0 : sizeof(Vector));
    }
#pragma unroll 4
    for (int e0 = 0; e0 < tile_columns * depth; e0 += tile_threads * width<Vector>) {
      const int e = e0 + threadIdx.x * width<Vector>;
      const int q = e / tile_columns, c = e % tile_columns;
      const bool inside = p0 + q < k && at.y + c < n;
      __pipeline_memcpy_async(&to.Us[q][swizzled(q, c / 2)].x + c % 2,
                              U + (inside ? (p0 + q) * ld + at.y + c : 0), sizeof(Vector),
                              inside ? 0 : sizeof(Vector));
    }
  }
  __pipeline_commit();
}

/// Calls use(sum, its, inside, both): for each pair of the lane's sums, where it is in C, whether its first
/// element is in C, and whether the second is, too.
template <class Use>
__device__ __forceinline__ void for_each_pair(int m, int n, std::size_t ld, double* __restrict__ C, int2 at,
                                              Sums& sum, Use use) {
  const int lane = threadIdx.x % 32, i0 = threadIdx.x / 32 * (8 * parts_down);
#pragma unroll
  for (int i = 0; i < parts_down; ++i)
#pragma unroll
    for (int j = 0; j < parts_across; ++j)
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        const int row = at.x + i0 + 8 * i + lane % 4 + 4 * half;
        const int column = at.y + 16 * j + 2 * (lane / 4);
        use(sum[i][j][half], sum[i][j][2 + half], C + row * ld + column, row < m && column < n,
            column + 1 < n);
      }
}

/// Subtracts from the warp's sums what one stage adds to L U.
__device__ __forceinline__ void subtract_part(const Stage& now, Sums& sum) {
  const int lane = threadIdx.x % 32, i0 = threadIdx.x / 32 * (8 * parts_down);
  const int g = lane / 4, t = lane % 4;
  const int row = 4 * (g % 2) + g / 2;  // of L: lanes 0 to 7 then read rows 0 and 4, in other banks
#pragma unroll
  for (int p = 0; p < depth; p += 8) {
    Shape::A b[parts_across];
    Shape::B a[parts_down];
#pragma unroll
    for (int j = 0; j < parts_across; ++j)
      for (int half = 0; half < 2; ++half) {
        const int q = p + 2 * t + half;
        const double2 both = now.Us[q][swizzled(q, 8 * j + g)];
        b[j][2 * half] = both.x;
        b[j][2 * half + 1] = both.y;
      }
#pragma unroll
    for (int i = 0; i < parts_down; ++i) {
      const double2 both = now.Ls[i0 + 8 * i + row][swizzled(row, p / 2 + t)];
      a[i][0] = -both.x;
      a[i][1] = -both.y;
    }
#pragma unroll
    for (int j = 0; j < parts_across; ++j)
#pragma unroll
      for (int i = 0; i < parts_down; ++i) ladder::tensor::multiply_add<Shape>(sum[i][j], b[j], a[i]);
  }
}

/// Computes one tile of C -= L U. U and C are parts of a matrix with rows of ld elements, L of one with ldl.
template <class Vector>
__device__ __forceinline__ void subtract_tile(int m, int n, int k, std::size_t ld, std::size_t ldl,
                                              const double* __restrict__ L,  // m x k
                                              const double* __restrict__ U,  // k x n
                                              double* __restrict__ C,        // m x n
                                              int2 at, Stage* stage) {
  for (int part = 0; part < stages - 1; ++part)
    copy_part<Vector>(m, n, k, ld, ldl, L, U, at, part * depth, stage[part]);

  Sums sum;  // they begin as C: it is loaded while the copies arrive
  for_each_pair(m, n, ld, C, at, sum,
                [](double& first, double& second, const double* its, bool inside, bool both) {
                  double2 loaded{};
                  if (inside) {
                    if constexpr (width<Vector> == 2)
                      loaded = *reinterpret_cast<const double2*>(its);
                    else
                      loaded = {its[0], both ? its[1] : 0};
                  }
                  first = loaded.x;
                  second = loaded.y;
                });

  for (int p0 = 0; p0 < k; p0 += depth) {
    __pipeline_wait_prior(stages - 2);  // this thread's copies of this part have arrived
    __syncthreads();                    // so have all others'; and no thread reads the part before any more
    const int next = p0 + (stages - 1) * depth;
    copy_part<Vector>(m, n, k, ld, ldl, L, U, at, next, stage[next / depth % stages]);
    subtract_part(stage[p0 / depth % stages], sum);
  }

  for_each_pair(m, n, ld, C, at, sum, [](double first, double second, double* its, bool inside, bool both) {
    if (!inside) return;
    if constexpr (width<Vector> == 2) {
      *reinterpret_cast<double2*>(its) = {first, second};
    } else {
      its[0] = first;
      if (both) its[1] = second;
    }
  });
}

/// C -= L U, one tile per block. C is m x n, the sum has k terms.
template <class Vector>
__global__ void __launch_bounds__(tile_threads, 2)
    subtract_product(int m, int n, int k, std::size_t ld, std::size_t ldl, const double* __restrict__ L,
                     const double* __restrict__ U, double* __restrict__ C) {
  extern __shared__ Stage stage[];
  const int down = (m + tile_rows - 1) / tile_rows, across = (n + tile_columns - 1) / tile_columns;
  subtract_tile<Vector>(m, n, k, ld, ldl, L, U, C, corner(blockIdx.x, down, across), stage);
}

/// A part of A: rows and columns from `row` and `column` on, up to `last_row` - 1 and `last_column` - 1.
struct Part {
  int row, last_row, column, last_column;
};

/// Begins to subtract from a part of A the product of L and U, whose rows have `ldl` and p.lda elements.
inline void subtract(const Problem& p, const Part& from, int terms, const double* L, std::size_t ldl,
                     const double* U, cudaStream_t stream) {
  const int m = from.last_row - from.row, n = from.last_column - from.column;
  if (m <= 0 || n <= 0) return;
  const std::size_t ld = p.lda;
  double* const C = p.A + from.row * ld + from.column;
  const auto kernel =
      pairs(L, ldl) && pairs(U, ld) && pairs(C, ld) ? subtract_product<double2> : subtract_product<double>;
  once_per_device(reinterpret_cast<const void*>(kernel), [kernel] {
    ladder::require_shared_memory(stage_bytes);
    ladder::check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, stage_bytes));
    return stage_bytes;
  });
  const int tiles = (m + tile_rows - 1) / tile_rows * ((n + tile_columns - 1) / tile_columns);
  kernel<<<tiles, tile_threads, stage_bytes, stream>>>(m, n, terms, ld, ldl, L, U, C);
  ladder::check(cudaGetLastError());
}

/// The same, L being columns i to i + terms - 1 of the part's rows, and U rows i to i + terms - 1 of its
/// columns. L is in A, or where a copy of these columns is.
inline void subtract(const Problem& p, int i, int terms, const Part& from, cudaStream_t stream,
                     const Problem& factors) {
  const std::size_t ld = p.lda, ldl = factors.lda;
  subtract(p, from, terms, factors.A + from.row * ldl + i, ldl, p.A + i * ld + from.column, stream);
}
inline void subtract(const Problem& p, int i, int terms, const Part& from, cudaStream_t stream) {
  subtract(p, i, terms, from, stream, p);
}

}  // namespace lu
