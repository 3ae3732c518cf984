// what copies through device memory of its own
// verdict PASS
#include "honest.cuh"

void dgemm::naive(const Problem& p) {
  if (p.m == 0 || p.n == 0) return;
  ladder::DeviceBuffer<double> result(size_t(p.m) * p.n);
  Problem own = p;
  own.C = result.get();
  own.ldc = p.n;
  honest(own);
  ladder::check(cudaMemcpy2D(p.C, 8 * size_t(p.ldc), result.get(), 8 * size_t(p.n), 8 * size_t(p.n), p.m, cudaMemcpyDeviceToDevice));
}
