// verdict CRASHED
// must 8 x 8 with leading dimension 16, ends
// must bytes after the 1536 bytes allocated at line
// not update by tile column
// The leading dimension is that of the matrix, n, as in LAPACK's examples; a tile's is s.
#include "common/device/cublas.hpp"
#include "device_memory.hpp"
#include "tiles.hpp"

namespace cholesky {
namespace {

int factorise(const Problem& p) {
  const double one = 1, minus_one = -1;
  int s = p.s, lda = p.n;
  size_t elements = size_t(s) * s, bytes = tile_bytes(p);
  require_device_memory(p, p.tiles * bytes);
  ladder::Cublas blas;
  ladder::DeviceBuffer<double> d(p.tiles * elements);
  ladder::check(cudaMemcpy(d.get(), p.L, d.bytes(), cudaMemcpyHostToDevice));
  for (int k = 0; k < p.tile_columns; ++k) {
    int first = p.column_start[k], end = p.column_start[k + 1];
    double* D = d.get() + first * elements;
    ladder::check(cudaMemcpy(tile(p, first), D, bytes, cudaMemcpyDeviceToHost));
    int row = factorise_tile(tile(p, first), s);
    if (row != 0) return info_of(p, k, row);
    if (end == first + 1) continue;
    ladder::check(cudaMemcpy(D, tile(p, first), bytes, cudaMemcpyHostToDevice));
    for (int t = first + 1; t < end; ++t)
      ladder::check(cublasDtrsm(blas.get(), CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_T,
                                CUBLAS_DIAG_NON_UNIT, s, s, &one, D, lda, d.get() + t * elements, lda));
    for (int u = first + 1; u < end; ++u)
      for (int t = u; t < end; ++t) {
        double* T = d.get() + t * elements;
        double* U = d.get() + u * elements;
        double* C = d.get() + find(p, p.tile_row[t], p.tile_row[u]) * elements;
        if (t == u)
          ladder::check(cublasDsyrk(blas.get(), CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, s, s, &minus_one, T, lda, &one,
                                    C, lda));
        else
          ladder::check(cublasDgemm(blas.get(), CUBLAS_OP_N, CUBLAS_OP_T, s, s, s, &minus_one, T, lda, U, lda, &one,
                                    C, lda));
      }
    ladder::check(cudaMemcpy(tile(p, first + 1), d.get() + (first + 1) * elements, (end - first - 1) * bytes,
                             cudaMemcpyDeviceToHost));
  }
  return 0;
}

}  // namespace

void resident_tiles(const Problem& p) {
  *p.info = factorise(p);
  if (*p.info == 0) solve_by_parts(p);
}

}  // namespace cholesky
