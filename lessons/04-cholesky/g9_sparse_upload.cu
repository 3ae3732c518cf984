/// @file
/// g9: only what is not zero goes up. In g8 all of L goes up before the first level begins, and nearly all of
/// it is zero: a row of A has few entries, and most tiles have none before elimination fills them. Here all
/// threads look for the entries, only these go up, from pinned memory, and a kernel puts each into its place
/// in tiles of zeros. Source: none. An entry with its place is what Matrix Market's coordinate format has.

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "common/device/cublas.hpp"
#include "common/device/pinned_pool.hpp"
#include "device_memory.hpp"
#include "pointer_table.cuh"
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
  // TASK, 12 lines: Of each tile column what is not zero, and not above the diagonal.
  ladder::task();  // Delete this line when you start.
  std::size_t count = 0;
  for (const std::vector<Entry>& column : of_column) count += column.size();
  ladder::PooledPinnedBuffer<Entry> entries(count);
  Entry* next = entries.get();
  for (const std::vector<Entry>& column : of_column) next = std::copy(column.begin(), column.end(), next);
  return entries;
}

/// Puts entries into their places, a thread for each.
__global__ void place_entries(const Entry* entries, int count, double* L) {
  // TASK, 2 lines: The last block may have more threads than there are entries left.
  static_cast<void>(entries), static_cast<void>(count), static_cast<void>(L);
}

/// A's tiles on the device: zeros, then the entries. Of a dense A these are more bytes than its tiles, so
/// they go in pieces that need no more memory than the table will.
void make_tiles(const Problem& p, const ladder::PooledPinnedBuffer<Entry>& entries,
                const ladder::DeviceBuffer<double>& dL, const ladder::Stream& stream) {
  const std::size_t most = std::min(entries.size(), table_bytes(p) / sizeof(Entry));
  const ladder::PooledBuffer<Entry> dentries(most, stream.get());
  // TASK, 9 lines: L's zeros; for each piece a copy and a launch. It waits for nothing: all of that is in
  //  order.
  static_cast<void>(dL);
}

/// A = L L^T in place; L stays in dL, too. @return what `info` becomes.
int factorise(const Problem& p, const ladder::DeviceBuffer<double>& dL, const ladder::Stream& stream,
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
  ladder::check(cudaMemcpyAsync(bad.get(), dbad.get(), bad.bytes(), cudaMemcpyDeviceToHost, stream.get()));
  ladder::check(cudaMemcpyAsync(p.L, dL.get(), dL.bytes(), cudaMemcpyDeviceToHost, stream.get()));
  ladder::check(cudaStreamSynchronize(stream.get()));
  return bad[0] == 0 ? 0 : 1 + p.row_of[bad[0] - 1];
}

}  // namespace

/// Solves A x = b on the device.
void sparse_upload(const Problem& p) {
  const std::size_t L_bytes = p.tiles * tile_bytes(p),
                    lists = p.tile_columns * sizeof(Diagonal) + sizeof(int);
  const ladder::Stream stream(cudaStreamNonBlocking);
  const ladder::Cublas blas(stream.get());  // first: it takes memory of the device, too
  // Not all at the same time: a piece of the entries, then the table and the lists, then what x needs.
  require_device_memory(p, L_bytes + std::max(table_bytes(p) + lists, solve_bytes(p)));
  const ladder::DeviceBuffer<double> dL(L_bytes / sizeof(double));
  *p.info = factorise(p, dL, stream, blas);
  if (*p.info == 0) solve_on_device(p, dL.get(), stream.get());
}

}  // namespace cholesky
