/// @file
/// Planted mistakes: calls of cuBLAS in streams that nothing orders.

#include <cublas_v2.h>

#include "planted.hpp"

namespace {

constexpr int n = 16;
constexpr int elements = n * n;
constexpr size_t bytes = elements * sizeof(double);
constexpr double one = 1, zero = 0;

/// Two streams with a handle each, three matrices on the device, two arrays of pointers to the first and the
/// last.
struct Frame {
  cudaStream_t first, second;
  cudaEvent_t done;
  cublasHandle_t in_first, in_second;
  double *dA, *dB, *dC;
  double **pointers_a, **pointers_c;

  Frame() {
    cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
    cublasCreate(&in_first);
    cublasCreate(&in_second);
    cublasSetStream(in_first, first);
    cublasSetStream(in_second, second);
    double identity[elements] = {};
    for (int i = 0; i < n; ++i) identity[i * n + i] = 1;
    cudaMalloc(&dA, bytes);
    cudaMalloc(&dB, bytes);
    cudaMalloc(&dC, bytes);
    for (double* matrix : {dA, dB, dC}) cudaMemcpy(matrix, identity, bytes, cudaMemcpyHostToDevice);
    cudaMalloc(&pointers_a, sizeof(double*));
    cudaMalloc(&pointers_c, sizeof(double*));
    cudaMemcpy(pointers_a, &dA, sizeof(double*), cudaMemcpyHostToDevice);
    cudaMemcpy(pointers_c, &dC, sizeof(double*), cudaMemcpyHostToDevice);
    cudaDeviceSynchronize();
  }
  ~Frame() {
    cudaDeviceSynchronize();
    cublasDestroy(in_first);
    cublasDestroy(in_second);
    for (double* matrix : {dA, dB, dC}) cudaFree(matrix);
    cudaFree(pointers_a);
    cudaFree(pointers_c);
    cudaEventDestroy(done);
    cudaStreamDestroy(first);
    cudaStreamDestroy(second);
  }
  Frame(const Frame&) = delete;
  Frame& operator=(const Frame&) = delete;

  void second_waits_for_first() const {
    cudaEventRecord(done, first);
    cudaStreamWaitEvent(second, done, 0);
  }
};

void solve_then_multiply(bool right) {
  const Frame f;
  cublasDtrsm(f.in_first,  // here: solve
              CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_T, CUBLAS_DIAG_NON_UNIT, n, n, &one, f.dA,
              n, f.dB, n);
  if (right) f.second_waits_for_first();
  cublasDgemm(f.in_second,  // here: multiply
              CUBLAS_OP_N, CUBLAS_OP_T, n, n, n, &one, f.dB, n, f.dB, n, &zero, f.dC, n);
}

void result_copied_too_early(bool right) {
  const Frame f;
  double host[elements];
  cublasDsyrk(f.in_first,  // here: update
              CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, n, n, &one, f.dA, n, &one, f.dC, n);
  if (right) f.second_waits_for_first();
  cudaMemcpyAsync(host, f.dC, bytes, cudaMemcpyDeviceToHost, f.second);  // here: early-copy
}

void batch_of_another_stream(bool right) {
  const Frame f;
  cublasDgemmBatched(f.in_first,  // here: batch
                     CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, f.pointers_a, n, f.pointers_a, n, &one,
                     f.pointers_c, n, 1);
  if (right) f.second_waits_for_first();
  cublasDscal(f.in_second, n, &one, f.dC, 1);  // here: scale
}

/// Upper and lower half of the rows: what one product changes lies between the columns of what the other
/// changes.
void halves(bool right) {
  const Frame f;
  const int half = n / 2;
  cublasDgemm(f.in_first,  // here: upper-half
              CUBLAS_OP_N, CUBLAS_OP_N, half, half, n, &one, f.dA, n, f.dB, n, &zero, f.dC, n);
  cublasDgemm(f.in_second,  // here: lower-half
              CUBLAS_OP_N, CUBLAS_OP_N, half, half, n, &one, f.dA, n, f.dB, n, &zero,
              f.dC + (right ? half : half - 1), n);
}

/// Row 0 and row 1 of a column-major matrix.
void rows(bool right) {
  const Frame f;
  cublasDscal(f.in_first, n, &one, f.dC, n);                     // here: first-row
  cublasDscal(f.in_second, n, &one, f.dC + (right ? 1 : 0), n);  // here: other-row
}

const planted::Case cases[] = {
    {"solve-then-multiply", solve_then_multiply},
    {"result-copied-too-early", result_copied_too_early},
    {"batch-of-another-stream", batch_of_another_stream},
    {"halves", halves},
    {"rows", rows},
};

}  // namespace

int main(int argc, char** argv) {
  return planted::run(cases, argc, argv);
}
