// what records its launch as a graph, and runs that
// verdict PASS
#include "common/device/cuda_graph.hpp"
#include "honest.cuh"

void dgemm::naive(const Problem& p) {
  if (p.m == 0 || p.n == 0) return;
  const ladder::Stream stream;
  const dim3 block(32, 32), grid((p.n + 31) / 32, (p.m + 31) / 32);
  ladder::check(cudaStreamBeginCapture(stream.get(), cudaStreamCaptureModeThreadLocal));
  multiply<<<grid, block, 0, stream.get()>>>(p.m, p.n, p.k, p.A, p.lda, p.B, p.ldb, p.C, p.ldc);
  cudaGraph_t captured = nullptr;
  ladder::check(cudaStreamEndCapture(stream.get(), &captured));
  const ladder::Graph graph(captured);
  cudaGraphExec_t ready = nullptr;
  ladder::check(cudaGraphInstantiate(&ready, graph.get(), 0));
  const ladder::GraphExec executable(ready);
  ladder::check(cudaGraphLaunch(executable.get(), stream.get()));
  ladder::check(cudaStreamSynchronize(stream.get()));
}
