// verdict PASS
// must right in all
// must 1x, limit 1.05x
// not race
// Left-looking: before a column is factorised it collects what all columns before it take from it.
#include <cstddef>
#include <vector>

#include "common/device/cublas.hpp"
#include "device_memory.hpp"
#include "tiles.hpp"

namespace cholesky {
namespace {

class Gpu {
 public:
  explicit Gpu(const Problem& p) : p(p), n(size_t(p.s) * p.s), a(n), b(n), c(n) {}

  void up(double* to, int t) { ladder::check(cudaMemcpy(to, tile(p, t), n * 8, cudaMemcpyHostToDevice)); }
  void down(int t, const double* from) {
    ladder::check(cudaMemcpy(tile(p, t), from, n * 8, cudaMemcpyDeviceToHost));
  }

  void solve(int diagonal, int t) {
    const double one = 1.0;
    up(a.get(), diagonal);
    up(c.get(), t);
    ladder::check(cublasDtrsm(blas.get(), CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_T,
                              CUBLAS_DIAG_NON_UNIT, p.s, p.s, &one, a.get(), p.s, c.get(), p.s));
    down(t, c.get());
  }

  void update(int to, int t, int u) {
    const double alpha = -1.0, beta = 1.0;
    up(a.get(), t);
    if (t != u) up(b.get(), u);
    up(c.get(), to);
    // gemm also on the diagonal, with one tile for both: what it does above the diagonal means nothing
    const double* second = t != u ? b.get() : a.get();
    ladder::check(cublasDgemm(blas.get(), CUBLAS_OP_N, CUBLAS_OP_T, p.s, p.s, p.s, &alpha, a.get(), p.s, second, p.s,
                              &beta, c.get(), p.s));
    down(to, c.get());
  }

 private:
  const Problem& p;
  size_t n;
  ladder::Cublas blas;
  ladder::DeviceBuffer<double> a, b, c;
};

}  // namespace

void one_stream(const Problem& p) {
  *p.info = 0;
  if (p.tiles == p.tile_columns) {  // nothing but diagonal tiles
    for (int k = 0; k < p.tile_columns; ++k)
      if (int row = factorise_tile(tile(p, p.column_start[k]), p.s)) {
        *p.info = info_of(p, k, row);
        return;
      }
    solve(p);
    return;
  }
  require_device_memory(p, 3 * tile_bytes(p));
  Gpu gpu(p);
  for (int j = 0; j < p.tile_columns; ++j) {
    int diagonal = p.column_start[j], end = p.column_start[j + 1];
    for (int k = 0; k < j; ++k) {
      int u = find(p, j, k);
      if (u < 0) continue;
      for (int t = u; t < p.column_start[k + 1]; ++t) gpu.update(find(p, p.tile_row[t], j), t, u);
    }
    if (int row = factorise_tile(tile(p, diagonal), p.s)) {
      *p.info = info_of(p, j, row);
      return;
    }
    for (int t = diagonal + 1; t < end; ++t) gpu.solve(diagonal, t);
  }
  solve_by_parts(p);
}

}  // namespace cholesky
