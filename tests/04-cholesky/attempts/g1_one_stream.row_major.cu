// verdict WRONG
// must first tile (1, 0)
// must It has NaN in it
// must which triangle it reads
// not as it was before the call
// Tiles taken for row-major: operands and flags exchanged, as one has to for a C array.
#include "common/device/cublas.hpp"
#include "device_memory.hpp"
#include "tiles.hpp"

namespace cholesky {
namespace {

int factorise(const Problem& p) {
  const double one = 1, minus_one = -1;
  const int s = p.s;
  const size_t elements = (size_t)s * s, bytes = tile_bytes(p);
  require_device_memory(p, 3 * bytes);
  ladder::Cublas blas;
  ladder::DeviceBuffer<double> dA(elements), dB(elements), dC(elements);
  for (int k = 0; k < p.tile_columns; ++k) {
    int diagonal = p.column_start[k], end = p.column_start[k + 1];
    if (int row = factorise_tile(tile(p, diagonal), s)) return info_of(p, k, row);
    for (int t = diagonal + 1; t < end; ++t) {
      ladder::check(cudaMemcpy(dA.get(), tile(p, diagonal), bytes, cudaMemcpyHostToDevice));
      ladder::check(cudaMemcpy(dB.get(), tile(p, t), bytes, cudaMemcpyHostToDevice));
      // X L^T = B  <=>  L X^T = B^T: left instead of right, and what is lower in C is upper for cuBLAS
      ladder::check(cublasDtrsm(blas.get(), CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_T,
                                CUBLAS_DIAG_NON_UNIT, s, s, &one, dA.get(), s, dB.get(), s));
      ladder::check(cudaMemcpy(tile(p, t), dB.get(), bytes, cudaMemcpyDeviceToHost));
    }
    for (int u = diagonal + 1; u < end; ++u)
      for (int t = u; t < end; ++t) {
        int c = find(p, p.tile_row[t], p.tile_row[u]);
        ladder::check(cudaMemcpy(dA.get(), tile(p, t), bytes, cudaMemcpyHostToDevice));
        ladder::check(cudaMemcpy(dC.get(), tile(p, c), bytes, cudaMemcpyHostToDevice));
        if (t == u) {
          ladder::check(cublasDsyrk(blas.get(), CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_T, s, s, &minus_one, dA.get(), s,
                                    &one, dC.get(), s));
        } else {
          ladder::check(cudaMemcpy(dB.get(), tile(p, u), bytes, cudaMemcpyHostToDevice));
          ladder::check(cublasDgemm(blas.get(), CUBLAS_OP_T, CUBLAS_OP_N, s, s, s, &minus_one, dB.get(), s, dA.get(),
                                    s, &one, dC.get(), s));
        }
        ladder::check(cudaMemcpy(tile(p, c), dC.get(), bytes, cudaMemcpyDeviceToHost));
      }
  }
  return 0;
}

}  // namespace

void one_stream(const Problem& p) {
  *p.info = factorise(p);
  if (*p.info == 0) solve_by_parts(p);
}

}  // namespace cholesky
