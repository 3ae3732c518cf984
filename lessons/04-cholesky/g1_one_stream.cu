/// @file
/// g1: one stream. In c1 the CPU did everything. Here cuBLAS does (5) and (6) on the GPU: each call
/// gets its tiles copied to the device and its result copied back. (4), the factorisation of a diagonal tile,
/// stays on the CPU. Source: work C, "CUBLAS dtrsm and dgemm called in a loop".

#include "common/device/cublas.hpp"
#include "device_memory.hpp"
#include "tiles.hpp"

namespace cholesky {
namespace {

/// A = L L^T in place, with room for three tiles on the device. @return what `info` becomes.
int factorise(const Problem& p) {
  const double one = 1, minus_one = -1;
  const int s = p.s;
  // No tile below a diagonal one: nothing is left for the device.
  const std::size_t elements = p.tiles > p.tile_columns ? std::size_t(s) * s : 0;
  require_device_memory(p, 3 * elements * sizeof(double));
  const ladder::Cublas blas;
  const ladder::DeviceBuffer<double> dA(elements), dB(elements), dC(elements);
  const auto bring = [&](const ladder::DeviceBuffer<double>& to, int t) {
    ladder::check(cudaMemcpy(to.get(), tile(p, t), to.bytes(), cudaMemcpyHostToDevice));
  };
  const auto fetch = [&](int t, const ladder::DeviceBuffer<double>& from) {
    ladder::check(cudaMemcpy(tile(p, t), from.get(), from.bytes(), cudaMemcpyDeviceToHost));
  };
  for (int k = 0; k < p.tile_columns; ++k) {
    const int diagonal = p.column_start[k], end = p.column_start[k + 1];
    if (const int row = factorise_tile(tile(p, diagonal), s)) return info_of(p, k, row);
    for (int t = diagonal + 1; t < end; ++t) {
      // TASK, 5 lines: (5): bring L11 and this tile, solve X L11^T = A21 with cublasDtrsm, fetch the result.
      //  cuBLAS is column-major, like the tiles.
      ladder::task();  // Delete this line when you start.
    }
    for (int u = diagonal + 1; u < end; ++u)
      for (int t = u; t < end; ++t) {
        // TASK, 12 lines: (6): tile (i, j), with i and j the rows of t and u, loses t u^T. Where is it
        //  (tiles.hpp)? Bring what the call reads, and fetch what it changes. Off the diagonal cublasDgemm;
        //  on it t is u, and cublasDsyrk does half of the work with one tile less to bring.
        static_cast<void>(t), static_cast<void>(one), static_cast<void>(minus_one);
        static_cast<void>(bring), static_cast<void>(fetch);
      }
  }
  return 0;
}

}  // namespace

/// Solves A x = b; the triangular solves on the processor, by parts.
void one_stream(const Problem& p) {
  *p.info = factorise(p);
  if (*p.info == 0) solve_by_parts(p);
}

}  // namespace cholesky
