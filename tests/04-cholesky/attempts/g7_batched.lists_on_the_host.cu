// verdict CRASHED
// must cublasDtrsmBatched: the array of pointers A
// must is not in device memory
// not out of bounds
// The lists of pointers are vectors: their content is device addresses, but the lists lie on the host.
#include <algorithm>
#include <map>
#include <vector>

#include "common/device/cublas.hpp"
#include "device_memory.hpp"
#include "solve_on_device.cuh"
#include "tiles.hpp"

namespace cholesky {
namespace {

int factorise(const Problem& p, const ladder::DeviceBuffer<double>& dL, cudaStream_t stream,
              cublasHandle_t blas) {
  const double one = 1, minus_one = -1;
  const int s = p.s;
  const size_t elements = size_t(s) * s, bytes = tile_bytes(p);
  auto on_device = [&](int t) { return dL.get() + t * elements; };
  ladder::check(cudaMemcpyAsync(dL.get(), p.L, dL.bytes(), cudaMemcpyHostToDevice, stream));
  for (const std::vector<int>& level : levels_of(p)) {
    for (int k : level) {
      int d = p.column_start[k];
      ladder::check(cudaMemcpyAsync(tile(p, d), on_device(d), bytes, cudaMemcpyDeviceToHost, stream));
    }
    ladder::check(cudaStreamSynchronize(stream));
    for (int k : level)
      if (int row = factorise_tile(tile(p, p.column_start[k]), s)) return info_of(p, k, row);
    std::vector<double*> L11, X;
    std::vector<std::vector<double*>> A, B, C;
    std::map<int, size_t> used;
    for (int k : level) {
      int d = p.column_start[k], end = p.column_start[k + 1];
      ladder::check(cudaMemcpyAsync(on_device(d), tile(p, d), bytes, cudaMemcpyHostToDevice, stream));
      for (int u = d + 1; u < end; ++u) {
        L11.push_back(on_device(d));
        X.push_back(on_device(u));
        for (int t = u; t < end; ++t) {
          int c = find(p, p.tile_row[t], p.tile_row[u]);
          size_t round = used[c]++;
          if (round == A.size()) A.emplace_back(), B.emplace_back(), C.emplace_back();
          A[round].push_back(on_device(t));
          B[round].push_back(on_device(u));
          C[round].push_back(on_device(c));
        }
      }
    }
    if (X.empty()) continue;
    ladder::check(cublasDtrsmBatched(blas, CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_T,
                                     CUBLAS_DIAG_NON_UNIT, s, s, &one, L11.data(), s, X.data(), s, int(X.size())));
    for (size_t r = 0; r < A.size(); ++r)
      ladder::check(cublasDgemmBatched(blas, CUBLAS_OP_N, CUBLAS_OP_T, s, s, s, &minus_one, A[r].data(), s,
                                       B[r].data(), s, &one, C[r].data(), s, int(A[r].size())));
  }
  ladder::check(cudaMemcpyAsync(p.L, dL.get(), dL.bytes(), cudaMemcpyDeviceToHost, stream));
  ladder::check(cudaStreamSynchronize(stream));
  return 0;
}

}  // namespace

void batched(const Problem& p) {
  size_t L_bytes = p.tiles * tile_bytes(p);
  ladder::Stream stream(cudaStreamNonBlocking);
  ladder::Cublas blas(stream.get());
  require_device_memory(p, L_bytes + solve_bytes(p));
  ladder::DeviceBuffer<double> dL(L_bytes / sizeof(double));
  *p.info = factorise(p, dL, stream.get(), blas.get());
  if (*p.info == 0) solve_on_device(p, dL.get(), stream.get());
}

}  // namespace cholesky
