// what returns the last result for the same sizes
// verdict WRONG
// must WRONG
#include <map>
#include <vector>

#include "honest.cuh"

void dgemm::naive(const Problem& p) {
  static std::map<std::vector<int>, std::vector<double>> known;
  const size_t count = size_t(p.m) * p.ldc;
  auto& result = known[{p.m, p.n, p.k, p.lda, p.ldb, p.ldc}];
  if (result.empty()) {
    honest(p);
    result.resize(count);
    ladder::check(cudaMemcpy(result.data(), p.C, 8 * count, cudaMemcpyDeviceToHost));
  } else {
    ladder::check(cudaMemcpy(p.C, result.data(), 8 * count, cudaMemcpyHostToDevice));
  }
}
