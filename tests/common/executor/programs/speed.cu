/// @file
/// Processor time of the tiled matrix product against the plain triple loop, n = 512. Prints "tiled loop" in seconds.

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <vector>

#include "common/device/cuda.hpp"

namespace {

constexpr int T = 32;

__global__ void tiled(const double* A, const double* B, double* C, int n) {
  __shared__ double As[T][T], Bs[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * T + ty, column = blockIdx.x * T + tx;
  double sum = 0;
  for (int k = 0; k < n; k += T) {
    As[ty][tx] = A[row * n + k + tx];
    Bs[ty][tx] = B[(k + ty) * n + column];
    __syncthreads();
    for (int i = 0; i < T; ++i) sum += As[ty][i] * Bs[i][tx];
    __syncthreads();
  }
  C[row * n + column] = sum;
}

/// Of all threads, so that other programs on the machine do not count.
double processor_seconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

void triple_loop(const std::vector<double>& A, const std::vector<double>& B, std::vector<double>& C, int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      double sum = 0;
      for (int k = 0; k < n; ++k) sum += A[i * n + k] * B[k * n + j];
      C[i * n + j] = sum;
    }
}

}  // namespace

int main() {
  const int n = 512;
  std::vector<double> A(n * n), B(n * n), C(n * n), expected(n * n);
  for (int i = 0; i < n * n; ++i) {
    A[i] = i % 7 - 3;
    B[i] = i % 5 - 2;
  }
  ladder::DeviceBuffer<double> dA(n * n), dB(n * n), dC(n * n);
  ladder::check(cudaMemcpy(dA.get(), A.data(), dA.bytes(), cudaMemcpyHostToDevice));
  ladder::check(cudaMemcpy(dB.get(), B.data(), dB.bytes(), cudaMemcpyHostToDevice));
  double best_tiled = 1e9, best_loop = 1e9;
  for (int run = 0; run < 3; ++run) {
    double begin = processor_seconds();
    triple_loop(A, B, expected, n);
    best_loop = std::min(best_loop, processor_seconds() - begin);
    begin = processor_seconds();
    tiled<<<dim3(n / T, n / T), dim3(T, T)>>>(dA.get(), dB.get(), dC.get(), n);
    ladder::check(cudaDeviceSynchronize());
    best_tiled = std::min(best_tiled, processor_seconds() - begin);
  }
  ladder::check(cudaMemcpy(C.data(), dC.get(), dC.bytes(), cudaMemcpyDeviceToHost));
  std::printf("%s %g %g\n", C == expected ? "OK" : "WRONG", best_tiled, best_loop);
}
