/// @file
/// g8: diagonal tiles are factorised where they are. In g7 each level sends its diagonal tiles to the host,
/// waits, factorises them there and sends them back. Here a kernel does that, a block of threads a tile, and
/// the host waits for nothing: it issues level after level, while the device works on the first. Source:
/// none. Panels of columns as in LAPACK's dpotrf (Anderson et al., LAPACK Users' Guide, 1999).

#include <algorithm>
#include <map>
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
  // TASK, 15 lines: A(i, j) for j <= i, 0 on the right of that and ones on the diagonal below `rows`; then a
  //  column after the other: scale it by its pivot's root, and take it from the columns on its right.
  for (int j = 0; j < panel; ++j) row[j] = L[0][j] = 0;
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
    // TASK, 15 lines: The corner, by the first warp; the rows below it, a thread for each; what the panel
    //  takes from the columns on its right.
    if (t < 32) factorise_corner(A + k * s + k, s, columns, diagonal.column * s + k, corner, bad);
    update_right(A, A + k * s, s, columns, next);
  }
}

/// A = L L^T in place; L stays in dL, too. @return what `info` becomes.
int factorise(const Problem& p, const ladder::DeviceBuffer<double>& dL, const ladder::Stream& stream,
              const ladder::Cublas& blas) {
  const double one = 1, minus_one = -1;
  const int s = p.s;
  const auto on_device = [&](int t) { return dL.get() + std::size_t(t) * s * s; };
  Table table(table_bytes(p) / sizeof(double*), stream);
  const std::vector<std::vector<int>> levels = levels_of(p);
  const ladder::PooledPinnedBuffer<Diagonal> diagonals(p.tile_columns);  // by level
  const ladder::PooledBuffer<Diagonal> ddiagonals(p.tile_columns, stream.get());
  const ladder::PooledPinnedBuffer<int> bad(1);  // see factorise_corner
  const ladder::PooledBuffer<int> dbad(1, stream.get());
  int place = 0;
  for (const std::vector<int>& level : levels)
    for (const int k : level) diagonals[place++] = {p.column_start[k], k};

  ladder::check(cudaMemcpyAsync(dL.get(), p.L, dL.bytes(), cudaMemcpyHostToDevice, stream.get()));
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
    // TASK, 13 lines: The level's diagonal tiles, its solves, its rounds: the host only issues them.
    ladder::task();  // Delete this line when you start.
    static_cast<void>(one), static_cast<void>(minus_one);
  }
  ladder::check(cudaMemcpyAsync(bad.get(), dbad.get(), bad.bytes(), cudaMemcpyDeviceToHost, stream.get()));
  ladder::check(cudaMemcpyAsync(p.L, dL.get(), dL.bytes(), cudaMemcpyDeviceToHost, stream.get()));
  ladder::check(cudaStreamSynchronize(stream.get()));
  return bad[0] == 0 ? 0 : 1 + p.row_of[bad[0] - 1];
}

}  // namespace

/// Solves A x = b on the device.
void diagonals_on_device(const Problem& p) {
  const std::size_t L_bytes = p.tiles * tile_bytes(p),
                    lists = p.tile_columns * sizeof(Diagonal) + sizeof(int);
  const ladder::Stream stream(cudaStreamNonBlocking);
  const ladder::Cublas blas(stream.get());  // first: it takes memory of the device, too
  // Not all at the same time: the table and the lists go before x is solved for.
  require_device_memory(p, L_bytes + std::max(table_bytes(p) + lists, solve_bytes(p)));
  const ladder::DeviceBuffer<double> dL(L_bytes / sizeof(double));
  *p.info = factorise(p, dL, stream, blas);
  if (*p.info == 0) solve_on_device(p, dL.get(), stream.get());
}

}  // namespace cholesky
