// verdict PASS
// must right in all
// must chain
// not Nothing orders
// A stream and a cuBLAS handle for each of 16 tile rows: an update waits for one tile only, the one of another row.
#include <vector>

#include "common/device/cublas.hpp"
#include "device_memory.hpp"
#include "tiles.hpp"

namespace cholesky {
namespace {

struct Lane {
  ladder::Stream stream{cudaStreamNonBlocking};
  ladder::Cublas blas{stream.get()};
};

int factorise(const Problem& p) {
  const double one = 1, minus_one = -1;
  const int s = p.s;
  const size_t elements = size_t(s) * s, bytes = tile_bytes(p);
  std::vector<Lane> lanes(16);
  require_device_memory(p, p.tiles * bytes);
  ladder::DeviceBuffer<double> dL(p.tiles * elements);
  std::vector<ladder::Event> done(p.tiles);
  auto device = [&](int t) { return dL.get() + t * elements; };
  auto lane = [&](int row) -> Lane& { return lanes[row % lanes.size()]; };

  ladder::check(cudaMemcpy(dL.get(), p.L, dL.bytes(), cudaMemcpyHostToDevice));
  ladder::check(cudaDeviceSynchronize());  // these streams do not wait for the default stream
  for (int k = 0; k < p.tile_columns; ++k) {
    int first = p.column_start[k], end = p.column_start[k + 1];
    cudaStream_t own = lane(k).stream.get();
    ladder::check(cudaMemcpyAsync(tile(p, first), device(first), bytes, cudaMemcpyDeviceToHost, own));
    ladder::check(cudaEventRecord(done[first].get(), own));
    ladder::check(cudaEventSynchronize(done[first].get()));
    if (int row = factorise_tile(tile(p, first), s)) {
      ladder::check(cudaDeviceSynchronize());
      return info_of(p, k, row);
    }
    if (first + 1 == end) continue;
    ladder::check(cudaMemcpyAsync(device(first), tile(p, first), bytes, cudaMemcpyHostToDevice, own));
    ladder::check(cudaEventRecord(done[first].get(), own));
    // By rows: solve, then at once all updates of this row; the rows above it are solved already.
    for (int t = first + 1; t < end; ++t) {
      Lane& l = lane(p.tile_row[t]);
      ladder::check(cudaStreamWaitEvent(l.stream.get(), done[first].get(), 0));
      ladder::check(cublasDtrsm(l.blas.get(), CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_T,
                                CUBLAS_DIAG_NON_UNIT, s, s, &one, device(first), s, device(t), s));
      ladder::check(cudaEventRecord(done[t].get(), l.stream.get()));
      for (int u = first + 1; u <= t; ++u) {
        int c = find(p, p.tile_row[t], p.tile_row[u]);
        ladder::check(cudaStreamWaitEvent(l.stream.get(), done[u].get(), 0));
        ladder::check(cublasDgemm(l.blas.get(), CUBLAS_OP_N, CUBLAS_OP_T, s, s, s, &minus_one, device(t), s,
                                  device(u), s, &one, device(c), s));
      }
    }
  }
  for (const Lane& l : lanes) ladder::check(cudaStreamSynchronize(l.stream.get()));
  for (int k = 0; k < p.tile_columns; ++k) {  // the diagonal tiles are on the host already
    int below = p.column_start[k] + 1, tiles = p.column_start[k + 1] - below;
    if (tiles > 0) ladder::check(cudaMemcpy(tile(p, below), device(below), tiles * bytes, cudaMemcpyDeviceToHost));
  }
  return 0;
}

}  // namespace

void many_streams(const Problem& p) {
  *p.info = factorise(p);
  if (*p.info == 0) solve(p);
}

}  // namespace cholesky
