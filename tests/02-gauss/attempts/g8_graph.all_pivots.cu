// verdict PASS
// must launches
// must right in all
// not race
// One graph with all pivots, each with its number as an argument, and the back substitution in it.
#include "common/device/cuda.hpp"
#include "common/device/cuda_graph.hpp"
#include "problem.hpp"

namespace gauss {
namespace {

__global__ void find_and_swap(int n, int i, double* A, size_t lda, double* b, int* info) {
  __shared__ int best;
  if (threadIdx.x == 0) {
    best = i;
    for (int r = i + 1; r < n; ++r)
      if (fabs(A[r * lda + i]) > fabs(A[best * lda + i])) best = r;
    if (A[best * lda + i] == 0 && *info == 0) *info = i + 1;
  }
  __syncthreads();
  if (best == i) return;
  for (int col = i + threadIdx.x; col <= n; col += blockDim.x) {
    double& upper = col < n ? A[i * lda + col] : b[i];
    double& lower = col < n ? A[best * lda + col] : b[best];
    double kept = upper;
    upper = lower;
    lower = kept;
  }
}

__global__ void eliminate(int n, int i, double* A, size_t lda, double* b) {
  for (int row = i + 1 + blockIdx.x; row < n; row += gridDim.x) {
    double ratio = A[row * lda + i] / A[i * lda + i];
    for (int col = i + 1 + threadIdx.x; col < n; col += blockDim.x) A[row * lda + col] -= ratio * A[i * lda + col];
    if (threadIdx.x == 0) b[row] -= ratio * b[i];
  }
}

__global__ void back_substitute(int n, const double* A, size_t lda, const double* b, double* x) {
  for (int i = n - 1; i >= 0; --i) {
    double sum = b[i];
    for (int k = i + 1; k < n; ++k) sum -= A[i * lda + k] * x[k];
    x[i] = sum / A[i * lda + i];
  }
}

}  // namespace

void graph(const Problem& p) {
  ladder::check(cudaMemset(p.info, 0, sizeof(int)));
  if (p.n == 0) return;
  int blocks = p.blocks ? p.blocks : p.n, threads = p.threads ? p.threads : 256;
  ladder::Stream stream;
  cudaGraph_t captured;
  cudaGraphExec_t ready;
  ladder::check(cudaStreamBeginCapture(stream.get(), cudaStreamCaptureModeGlobal));
  for (int i = 0; i < p.n; ++i) {
    find_and_swap<<<1, 64, 0, stream.get()>>>(p.n, i, p.A, p.lda, p.b, p.info);
    ladder::check(cudaGetLastError());
    if (i + 1 < p.n) eliminate<<<blocks, threads, 0, stream.get()>>>(p.n, i, p.A, p.lda, p.b);
    ladder::check(cudaGetLastError());
  }
  back_substitute<<<1, 1, 0, stream.get()>>>(p.n, p.A, p.lda, p.b, p.x);
  ladder::check(cudaGetLastError());
  ladder::check(cudaStreamEndCapture(stream.get(), &captured));
  ladder::Graph keep(captured);
  ladder::check(cudaGraphInstantiate(&ready, captured, 0));
  ladder::GraphExec executable(ready);
  ladder::check(cudaGraphLaunch(ready, stream.get()));
}

}  // namespace gauss
