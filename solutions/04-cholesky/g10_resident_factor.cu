/// @file
/// g10: L stays on the device, and x is computed there. In g9 all of L comes down at the end, and who solves
/// for another b would send it up again. Here the rung leaves it where the caller wants it, and only x comes
/// down. A level takes one launch each way: a block for each tile of a column computes x of that column, and
/// its tile's product with it; the column that needs the product subtracts it later, always in the same
/// order, without atomics. Source: none; SSIDS (J. Hogg, E. Ovtchinnikov and J. Scott, TOMS, 2016) factorises
/// and solves on the GPU, too.

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "common/device/cublas.hpp"
#include "common/device/pinned_pool.hpp"
#include "device_memory.hpp"
#include "pointer_table.cuh"
#include "solve_levels.cuh"
#include "solve_on_device.cuh"
#include "tiles.hpp"

namespace cholesky {
namespace {

/// Columns of a panel; rows and columns that a block of threads updates at a time, four by four a thread.
constexpr int panel = 16, strip = 64, a_thread = 4, threads = strip / a_thread * strip / a_thread;

/// A diagonal tile, and its tile column.
struct Diagonal {
  int tile, column;
};

/// The panel's own rows, by one warp: lane i has row i. Where a pivot is not positive, *bad becomes the
/// pivot's row, from 1 on, unless it has one.
/// @param A  the panel's corner of the tile @param first  its row of the matrix @param rows  at most `panel`
/// @param L  gets the rows, too, and 1 / L(i, i) on its diagonal
__device__ void factorise_corner(double* A, int s, int rows, int first, double (&L)[panel][panel + 1],
                                 int* bad) {
  const int i = int(threadIdx.x);
  double row[panel];
#pragma unroll
  for (int j = 0; j < panel; ++j) {
    row[j] = i == j ? 1 : 0;
    if (i < rows && j <= i) row[j] = A[i + j * s];
  }
#pragma unroll
  for (int c = 0; c < panel; ++c) {
    const double pivot = __shfl_sync(~0u, row[c], c), inverse = 1 / sqrt(pivot);
    if (i == c && !(pivot > 0)) atomicCAS(bad, 0, first + c + 1);
    row[c] *= inverse;
#pragma unroll
    for (int j = c + 1; j < panel; ++j) row[j] -= row[c] * __shfl_sync(~0u, row[c], j);
    if (i < panel) L[i][c] = i == c ? inverse : row[c];
    if (i < rows && c <= i) A[i + c * s] = row[c];
  }
}

/// A(i, j) -= the product of the panel's rows i and j, for i >= j of the tile's rows from `next` on.
/// @param P  the panel's columns, element (i, c) is P[i + c * s]
__device__ void update_right(double* A, const double* P, int s, int columns, int next) {
  __shared__ double left[panel][strip], right[panel][strip];
  const int t = int(threadIdx.x), ti = t % (strip / a_thread), tj = t / (strip / a_thread);
  for (int j0 = next; j0 < s; j0 += strip)
    for (int i0 = j0; i0 < s; i0 += strip) {
      __syncthreads();  // P is there, and nobody reads the strips before
      for (int e = t; e < panel * strip; e += threads) {
        const int r = e % strip, c = e / strip;
        left[c][r] = c < columns && i0 + r < s ? P[i0 + r + c * s] : 0;
        right[c][r] = c < columns && j0 + r < s ? P[j0 + r + c * s] : 0;
      }
      __syncthreads();
      double sum[a_thread][a_thread] = {};
      for (int c = 0; c < panel; ++c)
#pragma unroll
        for (int a = 0; a < a_thread; ++a)
#pragma unroll
          for (int b = 0; b < a_thread; ++b)
            sum[a][b] += left[c][ti + a * strip / a_thread] * right[c][tj + b * strip / a_thread];
#pragma unroll
      for (int a = 0; a < a_thread; ++a)
#pragma unroll
        for (int b = 0; b < a_thread; ++b) {
          const int i = i0 + ti + a * strip / a_thread, j = j0 + tj + b * strip / a_thread;
          if (i < s && j <= i) A[i + j * s] -= sum[a][b];
        }
    }
}

/// (4) for each diagonal tile of a level: a block of threads a tile, a panel of columns after the other.
__global__ void __launch_bounds__(threads)
    factorise_diagonals(int s, double* L, const Diagonal* diagonals, int* bad) {
  __shared__ double corner[panel][panel + 1];
  const Diagonal diagonal = diagonals[blockIdx.x];
  double* const A = L + std::size_t(diagonal.tile) * s * s;
  const int t = int(threadIdx.x);
  for (int k = 0; k < s; k += panel) {
    const int columns = min(panel, s - k), next = k + columns;
    if (t < 32) factorise_corner(A + k * s + k, s, columns, diagonal.column * s + k, corner, bad);
    __syncthreads();
    for (int r = next + t; r < s; r += threads) {
      __threadfence_block();  // or nvcc loads the whole corner before the loop, and spills registers
      double row[panel];
#pragma unroll
      for (int c = 0; c < panel; ++c) {
        row[c] = A[r + (k + c) * s];
#pragma unroll
        for (int j = 0; j < c; ++j) row[c] -= row[j] * corner[c][j];
        A[r + (k + c) * s] = row[c] *= corner[c][c];
      }
    }
    update_right(A, A + k * s, s, columns, next);
    __syncthreads();
  }
}

/// An element of A's lower triangle that is not zero, and its place in L.
struct Entry {
  double value;
  std::size_t place;
};

/// A's entries, in pinned memory, a tile column after the other. All threads look for them: that is one pass
/// over L.
ladder::PooledPinnedBuffer<Entry> entries_of(const Problem& p) {
  std::vector<std::vector<Entry>> of_column(p.tile_columns);
  const std::size_t elements = std::size_t(p.s) * p.s;
#pragma omp parallel for schedule(dynamic)
  for (int k = 0; k < p.tile_columns; ++k) {
    std::vector<Entry> found;  // this thread's own: lists of neighbours would share cache lines
    for (int t = p.column_start[k]; t < p.column_start[k + 1]; ++t)
      for (int c = 0; c < p.s; ++c)
        for (int r = t == p.column_start[k] ? c : 0; r < p.s; ++r) {
          const std::size_t place = t * elements + c * p.s + r;
          if (p.L[place] != 0) found.push_back({p.L[place], place});
        }
    of_column[k] = std::move(found);
  }
  std::size_t count = 0;
  for (const std::vector<Entry>& column : of_column) count += column.size();
  ladder::PooledPinnedBuffer<Entry> entries(count);
  Entry* next = entries.get();
  for (const std::vector<Entry>& column : of_column) next = std::copy(column.begin(), column.end(), next);
  return entries;
}

/// Puts entries into their places, a thread for each.
__global__ void place_entries(const Entry* entries, int count, double* L) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) L[entries[i].place] = entries[i].value;
}

/// L on the device, in memory of the caller.
struct Tiles {
  double* first;
  std::size_t elements;
  double* get() const { return first; }
  std::size_t bytes() const { return elements * sizeof(double); }
};

/// A's tiles on the device: zeros, then the entries. Of a dense A these are more bytes than its tiles, so
/// they go in pieces that need no more memory than the table will.
void make_tiles(const Problem& p, const ladder::PooledPinnedBuffer<Entry>& entries, const Tiles& dL,
                const ladder::Stream& stream) {
  const std::size_t most = std::min(entries.size(), table_bytes(p) / sizeof(Entry));
  const ladder::PooledBuffer<Entry> dentries(most, stream.get());
  ladder::check(cudaMemsetAsync(dL.get(), 0, dL.bytes(), stream.get()));
  for (std::size_t first = 0; first < entries.size(); first += most) {
    const int count = int(std::min(most, entries.size() - first));
    ladder::check(cudaMemcpyAsync(dentries.get(), entries.get() + first, count * sizeof(Entry),
                                  cudaMemcpyHostToDevice, stream.get()));
    place_entries<<<(count + threads - 1) / threads, threads, 0, stream.get()>>>(dentries.get(), count,
                                                                                 dL.get());
    ladder::check(cudaGetLastError());
  }
}

/// x of a level's columns, forward or back: a block of threads for each tile of a line (a column; back, a
/// row). All blocks of a line compute its x. The first stores it, each of the others its tile's product with
/// it.
/// @param own  lines of tiles that are multiplied with this x
/// @param other  lines of tiles whose products this x waits for: they are stored in this order
/// @param products  s for each tile @param from  the right hand side, by lines
template <bool back>
__global__ void __launch_bounds__(1024)
    solve_level(int s, const double* L, const int* columns, Order own, Order other, double* products,
                const double* from, double* to) {
  __shared__ double x[1024];
  const int k = columns[blockIdx.x], mine = own.start[k] + int(blockIdx.y), row = own_row_of<back>(s);
  if (mine >= own.start[k + 1]) return;
  const int place = own.other[mine], tile = back ? place : mine, diagonal = (back ? other : own).start[k];
  const bool has_row = int(threadIdx.x) < s;
  double y = has_row ? from[k * s + row] : 0;
  // BEGIN SOLUTION y without what the products take from it, then x by the diagonal tile; the first block
  //  stores that, the others the products of their tiles.
  //| static_cast<void>(tile), static_cast<void>(diagonal), static_cast<void>(x), static_cast<void>(y);
  for (int e = other.start[k] + 1; e < other.start[k + 1]; ++e)
    if (has_row) y -= products[std::size_t(e) * s + row];
  y = solve_diagonal<back>(s, L + std::size_t(diagonal) * s * s, y);
  if (has_row) x[row] = y;
  if (has_row && blockIdx.y == 0) to[k * s + row] = y;
  __syncthreads();
  if (blockIdx.y > 0) multiply<back>(s, L + std::size_t(tile) * s * s, x, products + std::size_t(place) * s);
  // END SOLUTION
}

/// What x needs until the stream has computed it.
struct Solution {
  Solution(const Problem& p, cudaStream_t stream)
      : lists(p, levels_of(p), stream),
        x(p.n),
        dx(p.n, stream),
        dy(p.n, stream),
        products(p.tiles * p.s, stream) {}
  static std::size_t bytes(const Problem& p) {
    return Lists::count(p) * sizeof(int) + (2 * p.n + std::size_t(p.tiles) * p.s) * sizeof(double);
  }
  Lists lists;
  ladder::PooledPinnedBuffer<double> x;  ///< b first
  ladder::PooledBuffer<double> dx, dy, products;
};

/// L y = b from the first level on, L^T x = y from the last. It waits for nothing.
void solve(const Problem& p, const std::vector<std::vector<int>>& levels, const double* dL,
           const Solution& solution, cudaStream_t stream) {
  const int row_threads = (p.s + 31) / 32 * 32;
  const auto& [lists, x, dx, dy, products] = solution;
  std::copy_n(p.b, p.n, x.get());
  // BEGIN SOLUTION b goes up; one launch for each level, forward, then back; x comes down.
  //| ladder::task();  // Delete this line when you start.
  //| static_cast<void>(row_threads);
  ladder::check(cudaMemcpyAsync(dx.get(), x.get(), dx.bytes(), cudaMemcpyHostToDevice, stream));
  const int* columns = lists.columns();
  for (const std::vector<int>& level : levels) {
    const dim3 blocks(int(level.size()), lists.longest(level, false));
    solve_level<false><<<blocks, row_threads, 0, stream>>>(
        p.s, dL, columns, lists.by_column(), lists.by_row(), products.get(), dx.get(), dy.get());
    ladder::check(cudaGetLastError());
    columns += level.size();
  }
  for (std::size_t l = levels.size(); l-- > 0;) {
    columns -= levels[l].size();
    const dim3 blocks(int(levels[l].size()), lists.longest(levels[l], true));
    solve_level<true><<<blocks, row_threads, 0, stream>>>(p.s, dL, columns, lists.by_row(), lists.by_column(),
                                                          products.get(), dy.get(), dx.get());
    ladder::check(cudaGetLastError());
  }
  ladder::check(cudaMemcpyAsync(x.get(), dx.get(), dx.bytes(), cudaMemcpyDeviceToHost, stream));
  // END SOLUTION
}

/// A = L L^T, in dL, and x. @return what `info` becomes.
int factorise_and_solve(const Problem& p, const Tiles& dL, const ladder::Stream& stream,
                        const ladder::Cublas& blas) {
  const double one = 1, minus_one = -1;
  const int s = p.s;
  const auto on_device = [&](int t) { return dL.get() + std::size_t(t) * s * s; };
  const ladder::PooledPinnedBuffer<Entry> entries = entries_of(p);  // kept: the copies wait in the stream
  make_tiles(p, entries, dL, stream);
  Table table(table_bytes(p) / sizeof(double*), stream);
  const std::vector<std::vector<int>> levels = levels_of(p);
  const ladder::PooledPinnedBuffer<Diagonal> diagonals(p.tile_columns);  // by level
  const ladder::PooledBuffer<Diagonal> ddiagonals(p.tile_columns, stream.get());
  const ladder::PooledPinnedBuffer<int> bad(1);  // see factorise_corner
  const ladder::PooledBuffer<int> dbad(1, stream.get());
  int place = 0;
  for (const std::vector<int>& level : levels)
    for (const int k : level) diagonals[place++] = {p.column_start[k], k};

  ladder::check(cudaMemcpyAsync(ddiagonals.get(), diagonals.get(), ddiagonals.bytes(), cudaMemcpyHostToDevice,
                                stream.get()));
  ladder::check(cudaMemsetAsync(dbad.get(), 0, dbad.bytes(), stream.get()));
  place = 0;
  for (const std::vector<int>& level : levels) {
    // As in g7: the level's solves as one batch, its updates as rounds.
    Batch solves;
    std::vector<Batch> rounds;
    std::map<int, std::size_t> updates_of;  // a tile: how many it has in this level so far
    for (const int k : level) {
      const int diagonal = p.column_start[k], end = p.column_start[k + 1];
      for (int t = diagonal + 1; t < end; ++t) {
        solves.A.push_back(on_device(diagonal));
        solves.B.push_back(on_device(t));
      }
      for (int u = diagonal + 1; u < end; ++u)
        for (int t = u; t < end; ++t) {
          const int c = find(p, p.tile_row[t], p.tile_row[u]);
          const std::size_t round = updates_of[c]++;
          if (round == rounds.size()) rounds.emplace_back();
          rounds[round].A.push_back(on_device(t));
          rounds[round].B.push_back(on_device(u));
          rounds[round].C.push_back(on_device(c));
        }
    }
    factorise_diagonals<<<int(level.size()), threads, 0, stream.get()>>>(
        s, dL.get(), ddiagonals.get() + place, dbad.get());
    ladder::check(cudaGetLastError());
    table.each(solves, [&](double** A, double** B, double**, int count) {
      ladder::check(cublasDtrsmBatched(blas.get(), CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_T,
                                       CUBLAS_DIAG_NON_UNIT, s, s, &one, A, s, B, s, count));
    });
    for (const Batch& round : rounds)
      table.each(round, [&](double** A, double** B, double** C, int count) {
        ladder::check(cublasDgemmBatched(blas.get(), CUBLAS_OP_N, CUBLAS_OP_T, s, s, s, &minus_one, A, s, B,
                                         s, &one, C, s, count));
      });
    place += int(level.size());
  }
  const Solution solution(p, stream.get());
  solve(p, levels, dL.get(), solution, stream.get());
  ladder::check(cudaMemcpyAsync(bad.get(), dbad.get(), bad.bytes(), cudaMemcpyDeviceToHost, stream.get()));
  ladder::check(cudaStreamSynchronize(stream.get()));
  std::copy_n(solution.x.get(), p.n, p.x);
  return bad[0] == 0 ? 0 : 1 + p.row_of[bad[0] - 1];
}

}  // namespace

/// Solves A x = b on the device, and leaves L there.
void resident_factor(const Problem& p) {
  const std::size_t lists = p.tile_columns * sizeof(Diagonal) + sizeof(int);
  const ladder::Stream stream(cudaStreamNonBlocking);
  const ladder::Cublas blas(stream.get());  // first: it takes memory of the device, too
  // A piece of the entries needs no more than the table after it.
  require_device_memory(p, table_bytes(p) + lists + Solution::bytes(p));
  const Tiles dL{p.dL, std::size_t(p.tiles) * p.s * p.s};
  *p.info = factorise_and_solve(p, dL, stream, blas);
}

}  // namespace cholesky
