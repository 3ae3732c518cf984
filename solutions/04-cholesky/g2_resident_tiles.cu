/// @file
/// g2: tiles stay on the device. In g1 each call got its tiles copied. Here all tiles go to the device once
/// and come back once; in between only the diagonal tile of each column goes to the CPU and back.
/// Source: work C; its model counts these exchanges between CPU and GPU.

#include "common/device/cublas.hpp"
#include "device_memory.hpp"
#include "tiles.hpp"

namespace cholesky {
namespace {

/// A = L L^T in place. @return what `info` becomes.
int factorise(const Problem& p) {
  const double one = 1, minus_one = -1;
  const int s = p.s;
  const std::size_t elements = std::size_t(s) * s, bytes = tile_bytes(p);
  require_device_memory(p, p.tiles * bytes);
  const ladder::Cublas blas;
  const ladder::DeviceBuffer<double> dL(p.tiles * elements);
  const auto on_device = [&](int t) { return dL.get() + t * elements; };
  // BEGIN SOLUTION All tiles to the device: they lie one after another.
  ladder::check(cudaMemcpy(dL.get(), p.L, dL.bytes(), cudaMemcpyHostToDevice));
  // END SOLUTION
  for (int k = 0; k < p.tile_columns; ++k) {
    const int diagonal = p.column_start[k], end = p.column_start[k + 1];
    // BEGIN SOLUTION The diagonal tile comes to the host, is factorised there, and goes back if any tile
    //  below it needs it.
    //| ladder::task();  // Delete this line when you start.
    ladder::check(cudaMemcpy(tile(p, diagonal), on_device(diagonal), bytes, cudaMemcpyDeviceToHost));
    if (const int row = factorise_tile(tile(p, diagonal), s)) return info_of(p, k, row);
    if (diagonal + 1 == end) continue;
    ladder::check(cudaMemcpy(on_device(diagonal), tile(p, diagonal), bytes, cudaMemcpyHostToDevice));
    // END SOLUTION
    // BEGIN SOLUTION (5) and (6) as in g1, on the tiles that are there.
    //| static_cast<void>(diagonal), static_cast<void>(end), static_cast<void>(on_device);
    //| static_cast<void>(bytes);
    //| static_cast<void>(one), static_cast<void>(minus_one);
    for (int t = diagonal + 1; t < end; ++t)
      ladder::check(cublasDtrsm(blas.get(), CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_T,
                                CUBLAS_DIAG_NON_UNIT, s, s, &one, on_device(diagonal), s, on_device(t), s));
    for (int u = diagonal + 1; u < end; ++u)
      for (int t = u; t < end; ++t) {
        double* const C = on_device(find(p, p.tile_row[t], p.tile_row[u]));
        if (t == u)
          ladder::check(cublasDsyrk(blas.get(), CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, s, s, &minus_one,
                                    on_device(t), s, &one, C, s));
        else
          ladder::check(cublasDgemm(blas.get(), CUBLAS_OP_N, CUBLAS_OP_T, s, s, s, &minus_one, on_device(t),
                                    s, on_device(u), s, &one, C, s));
      }
    // END SOLUTION
  }
  // BEGIN SOLUTION The tiles below the diagonal come back. Those on it are there: the host has factorised
  //  them.
  for (int k = 0; k < p.tile_columns; ++k) {
    const int below = p.column_start[k] + 1, count = p.column_start[k + 1] - below;
    if (count > 0)
      ladder::check(cudaMemcpy(tile(p, below), on_device(below), count * bytes, cudaMemcpyDeviceToHost));
  }
  // END SOLUTION
  return 0;
}

}  // namespace

/// Solves A x = b; the triangular solves on the processor, by parts.
void resident_tiles(const Problem& p) {
  *p.info = factorise(p);
  if (*p.info == 0) solve_by_parts(p);
}

}  // namespace cholesky
