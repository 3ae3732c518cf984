// verdict PASS
// must right in all
// must 0 pageable_bytes
// must less than the reference needs
// not race
// No cuBLAS: one kernel for all updates that a column makes in its unit, or in one column of the border. One stream and
// one thread; a block of threads a tile, which looks for its place by itself.
#include <algorithm>
#include <vector>

#include "device_memory.hpp"
#include "solve_on_device.cuh"
#include "solve_tiles.cuh"
#include "tiles.hpp"

namespace cholesky {
namespace {

/// blockIdx.x: t, blockIdx.y: u, both counted from the first tile below the diagonal one.
__global__ void update(int s, int first, const int* row, const int* start, double* L) {
  __shared__ int target;
  int t = first + blockIdx.x, u = first + blockIdx.y;
  if (t < u) return;
  if (threadIdx.x == 0) {
    target = start[row[u]];
    while (row[target] != row[t]) ++target;
  }
  __syncthreads();
  const double* A = L + size_t(t) * s * s;
  const double* B = L + size_t(u) * s * s;
  double* C = L + size_t(target) * s * s;
  for (int e = threadIdx.x; e < s * s; e += blockDim.x) {
    int r = e % s, c = e / s;
    double sum = 0;
    for (int k = 0; k < s; ++k) sum += A[k * s + r] * B[k * s + c];
    C[e] -= sum;
  }
}

int factorise(const Problem& p, double* dL, int* row, int* start, cudaStream_t stream) {
  const int s = p.s;
  const size_t elements = size_t(s) * s, bytes = tile_bytes(p);
  ladder::PinnedBuffer<double> all(p.tiles * elements);
  std::copy_n(p.L, all.size(), all.get());
  ladder::PinnedBuffer<int> lists(p.tiles + p.tile_columns + 1);
  std::copy_n(p.tile_row, p.tiles, lists.get());
  std::copy_n(p.column_start, p.tile_columns + 1, lists.get() + p.tiles);
  ladder::check(cudaMemcpyAsync(row, lists.get(), p.tiles * sizeof(int), cudaMemcpyHostToDevice, stream));
  ladder::check(cudaMemcpyAsync(start, lists.get() + p.tiles, (p.tile_columns + 1) * sizeof(int),
                                cudaMemcpyHostToDevice, stream));
  ladder::check(cudaMemcpyAsync(dL, all.get(), all.bytes(), cudaMemcpyHostToDevice, stream));
  for (int k = 0; k < p.tile_columns; ++k) {
    int first = p.column_start[k], below = p.column_start[k + 1] - first - 1;
    double* host = all.get() + first * elements;
    ladder::check(cudaMemcpyAsync(host, dL + first * elements, bytes, cudaMemcpyDeviceToHost, stream));
    ladder::check(cudaStreamSynchronize(stream));
    if (int bad = factorise_tile(host, s)) return info_of(p, k, bad);
    ladder::check(cudaMemcpyAsync(dL + first * elements, host, bytes, cudaMemcpyHostToDevice, stream));
    if (below == 0) continue;
    solve_tiles(dL + first * elements, dL + (first + 1) * elements, below, s, stream);
    update<<<dim3(below, below), 256, 0, stream>>>(s, first + 1, row, start, dL);
    ladder::check(cudaGetLastError());
  }
  ladder::check(cudaMemcpyAsync(all.get(), dL, all.bytes(), cudaMemcpyDeviceToHost, stream));
  ladder::check(cudaStreamSynchronize(stream));
  std::copy_n(all.get(), all.size(), p.L);
  return 0;
}

}  // namespace

void few_calls(const Problem& p) {
  size_t lists = (p.tiles + p.tile_columns + 1) * sizeof(int);
  require_device_memory(p, p.tiles * tile_bytes(p) + std::max(lists, solve_bytes(p)));
  ladder::Stream stream(cudaStreamNonBlocking);
  ladder::DeviceBuffer<double> dL(p.tiles * tile_bytes(p) / sizeof(double));
  {
    ladder::DeviceBuffer<int> row(p.tiles), start(p.tile_columns + 1);
    *p.info = factorise(p, dL.get(), row.get(), start.get(), stream.get());
  }
  if (*p.info == 0) solve_on_device(p, dL.get(), stream.get());
}

}  // namespace cholesky
