// what captures a graph in its first call of a size and only runs that afterwards, with the pointers of then
// verdict CRASHED|WRONG
#include <map>
#include <tuple>

#include "common/device/cuda_graph.hpp"
#include "honest.cuh"

namespace dgemm {
namespace {

cudaGraphExec_t captured(const Problem& p, cudaStream_t stream) {
  const dim3 block(32, 32), grid((p.n + 31) / 32, (p.m + 31) / 32);
  ladder::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  multiply<<<grid, block, 0, stream>>>(p.m, p.n, p.k, p.A, p.lda, p.B, p.ldb, p.C, p.ldc);
  cudaGraph_t graph = nullptr;
  ladder::check(cudaStreamEndCapture(stream, &graph));
  cudaGraphExec_t ready = nullptr;
  ladder::check(cudaGraphInstantiate(&ready, graph, 0));
  return ready;
}

}  // namespace

void naive(const Problem& p) {
  if (p.m == 0 || p.n == 0) return;
  static const ladder::Stream stream;
  static std::map<int, cudaGraphExec_t> known;  // by rows, which few calls share
  const auto [one, is_new] = known.emplace(p.m, nullptr);
  if (is_new) one->second = captured(p, stream.get());
  ladder::check(cudaGraphLaunch(one->second, stream.get()));
  ladder::check(cudaStreamSynchronize(stream.get()));
}

}  // namespace dgemm
