/// @file
/// cuBLAS against plain loops. Also for nvcc, with -lcublas.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "common/device/cublas.hpp"

namespace {

using ladder::check;
using Matrix = std::vector<double>;  // column-major

/// Numbers that neither vanish nor repeat; with a heavy diagonal where a triangle is to be solved with.
Matrix matrix(int rows, int columns, int ld, double diagonal = 0) {
  Matrix A(static_cast<std::size_t>(ld) * columns);
  for (std::size_t i = 0; i < A.size(); ++i) A[i] = std::sin(0.7 * static_cast<double>(i) + rows) + 0.1;
  for (int i = 0; i < std::min(rows, columns); ++i) A[i + static_cast<std::size_t>(i) * ld] += diagonal;
  return A;
}

ladder::DeviceBuffer<double> upload(const Matrix& A) {
  ladder::DeviceBuffer<double> d(A.size());
  check(cudaMemcpy(d.get(), A.data(), d.bytes(), cudaMemcpyHostToDevice));
  return d;
}

Matrix download(const ladder::DeviceBuffer<double>& d) {
  Matrix A(d.size());
  check(cudaMemcpy(A.data(), d.get(), d.bytes(), cudaMemcpyDeviceToHost));
  return A;
}

double difference(const Matrix& a, const Matrix& b) {
  double largest = a.size() == b.size() ? 0 : INFINITY;
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
    const double d = std::fabs(a[i] - b[i]);
    if (!(d <= largest)) largest = d;
  }
  return largest;
}

double at(const double* A, cublasOperation_t op, int ld, int i, int j) {
  return op == CUBLAS_OP_N ? A[i + j * ld] : A[j + i * ld];
}

void multiply(cublasOperation_t opA, cublasOperation_t opB, int m, int n, int k, double alpha,
              const double* A, int lda, const double* B, int ldb, double beta, double* C, int ldc) {
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i) {
      double sum = 0;
      for (int p = 0; p < k; ++p) sum += at(A, opA, lda, i, p) * at(B, opB, ldb, p, j);
      C[i + j * ldc] = alpha * sum + beta * C[i + j * ldc];
    }
}

void report(const char* name, double error) {
  std::printf("%s %s\n", error < 1e-11 ? "OK" : "WRONG", name);
}

constexpr cublasOperation_t ops[] = {CUBLAS_OP_N, CUBLAS_OP_T};

void products(cublasHandle_t handle) {
  const int m = 13, n = 9, k = 17, ld = 20;
  const double alpha = 1.5, beta = -0.5;
  double error = 0;
  for (const auto opA : ops)
    for (const auto opB : ops) {
      const Matrix A = matrix(20, 20, ld), B = matrix(19, 20, ld), C = matrix(m, n, ld);
      Matrix expected = C;
      multiply(opA, opB, m, n, k, alpha, A.data(), ld, B.data(), ld, beta, expected.data(), ld);
      const auto dA = upload(A), dB = upload(B), dC = upload(C);
      check(cublasDgemm(handle, opA, opB, m, n, k, &alpha, dA.get(), ld, dB.get(), ld, &beta, dC.get(), ld));
      error = std::max(error, difference(download(dC), expected));
    }
  report("dgemm", error);
}

void batches(cublasHandle_t handle) {
  const int m = 6, n = 5, k = 4, count = 3;
  const double alpha = 2, beta = 1;
  const Matrix A = matrix(m, k * count, m), B = matrix(k, n * count, k), C = matrix(m, n * count, m);
  Matrix expected = C;
  for (int i = 0; i < count; ++i)
    multiply(CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, alpha, A.data() + i * m * k, m, B.data() + i * k * n, k, beta,
             expected.data() + i * m * n, m);
  const auto dA = upload(A), dB = upload(B), dC = upload(C), dD = upload(C);
  check(cublasDgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &alpha, dA.get(), m, m * k,
                                  dB.get(), k, k * n, &beta, dC.get(), m, m * n, count));
  report("dgemm strided batched", difference(download(dC), expected));

  std::vector<const double*> pA(count), pB(count);
  std::vector<double*> pC(count);
  for (int i = 0; i < count; ++i) {
    pA[i] = dA.get() + i * m * k;
    pB[i] = dB.get() + i * k * n;
    pC[i] = dD.get() + i * m * n;
  }
  ladder::DeviceBuffer<const double*> dpA(count), dpB(count);
  ladder::DeviceBuffer<double*> dpC(count);
  check(cudaMemcpy(dpA.get(), pA.data(), dpA.bytes(), cudaMemcpyHostToDevice));
  check(cudaMemcpy(dpB.get(), pB.data(), dpB.bytes(), cudaMemcpyHostToDevice));
  check(cudaMemcpy(dpC.get(), pC.data(), dpC.bytes(), cudaMemcpyHostToDevice));
  check(cublasDgemmBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &alpha, dpA.get(), m, dpB.get(), k,
                           &beta, dpC.get(), m, count));
  report("dgemm batched", difference(download(dD), expected));
}

/// The product of the triangle and the solution must be the right-hand side again.
void triangles(cublasHandle_t handle) {
  const int m = 8, n = 6;
  const double alpha = 0.5;
  double error = 0, batched_error = 0;
  for (const auto side : {CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT})
    for (const auto fill : {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER})
      for (const auto op : ops)
        for (const auto diagonal : {CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT}) {
          const int order = side == CUBLAS_SIDE_LEFT ? m : n;
          const Matrix A = matrix(order, order, order, 4), B = matrix(m, n, m);
          const auto dA = upload(A), dB = upload(B), dX = upload(B);
          check(cublasDtrsm(handle, side, fill, op, diagonal, m, n, &alpha, dA.get(), order, dB.get(), m));
          const Matrix X = download(dB);
          Matrix T(A.size(), 0.0), product(B.size(), 0.0), scaled = B;
          for (int j = 0; j < order; ++j)
            for (int i = 0; i < order; ++i) {
              const bool inside = fill == CUBLAS_FILL_MODE_LOWER ? i >= j : i <= j;
              if (inside) T[i + j * order] = i == j && diagonal == CUBLAS_DIAG_UNIT ? 1 : A[i + j * order];
            }
          for (double& value : scaled) value *= alpha;
          if (side == CUBLAS_SIDE_LEFT)
            multiply(op, CUBLAS_OP_N, m, n, m, 1, T.data(), m, X.data(), m, 0, product.data(), m);
          else
            multiply(CUBLAS_OP_N, op, m, n, n, 1, X.data(), m, T.data(), n, 0, product.data(), m);
          error = std::max(error, difference(product, scaled));

          const double* pA = dA.get();
          double* pX = dX.get();
          ladder::DeviceBuffer<const double*> dpA(1);
          ladder::DeviceBuffer<double*> dpX(1);
          check(cudaMemcpy(dpA.get(), &pA, sizeof pA, cudaMemcpyHostToDevice));
          check(cudaMemcpy(dpX.get(), &pX, sizeof pX, cudaMemcpyHostToDevice));
          check(cublasDtrsmBatched(handle, side, fill, op, diagonal, m, n, &alpha, dpA.get(), order,
                                   dpX.get(), m, 1));
          batched_error = std::max(batched_error, difference(download(dX), X));
        }
  report("dtrsm", error);
  report("dtrsm batched", batched_error);
}

void symmetric(cublasHandle_t handle) {
  const int n = 9, k = 5, ld = 11;
  const double alpha = -1, beta = 2;
  double error = 0;
  for (const auto fill : {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER})
    for (const auto op : ops) {
      const Matrix A = matrix(ld, ld, ld), C = matrix(n, n, ld);
      Matrix full = C, expected = C;
      multiply(op, op == CUBLAS_OP_N ? CUBLAS_OP_T : CUBLAS_OP_N, n, n, k, alpha, A.data(), ld, A.data(), ld,
               beta, full.data(), ld);
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i)
          if (fill == CUBLAS_FILL_MODE_LOWER ? i >= j : i <= j) expected[i + j * ld] = full[i + j * ld];
      const auto dA = upload(A), dC = upload(C);
      check(cublasDsyrk(handle, fill, op, n, k, &alpha, dA.get(), ld, &beta, dC.get(), ld));
      error = std::max(error, difference(download(dC), expected));
    }
  report("dsyrk", error);
}

ladder::DeviceBuffer<float> upload_single(const Matrix& A) {
  const std::vector<float> narrow(A.begin(), A.end());
  ladder::DeviceBuffer<float> d(narrow.size());
  check(cudaMemcpy(d.get(), narrow.data(), d.bytes(), cudaMemcpyHostToDevice));
  return d;
}

Matrix download(const ladder::DeviceBuffer<float>& d) {
  std::vector<float> A(d.size());
  check(cudaMemcpy(A.data(), d.get(), d.bytes(), cudaMemcpyDeviceToHost));
  return {A.begin(), A.end()};
}

void report_single(const char* name, double error) {
  report(name, error < 1e-4 ? 0 : error);
}

/// The calls in single precision, on a batch of two, with transposed A.
void single(cublasHandle_t handle) {
  const int m = 6, n = 5, k = 4, count = 2;
  const float alpha = 2, beta = 1;
  const Matrix A = matrix(k, m * count, k), B = matrix(k, n * count, k), C = matrix(m, n * count, m);
  Matrix one = C, all = C;
  multiply(CUBLAS_OP_T, CUBLAS_OP_N, m, n, k, alpha, A.data(), k, B.data(), k, beta, one.data(), m);
  for (int i = 0; i < count; ++i)
    multiply(CUBLAS_OP_T, CUBLAS_OP_N, m, n, k, alpha, A.data() + i * m * k, k, B.data() + i * k * n, k, beta,
             all.data() + i * m * n, m);
  const auto dA = upload_single(A), dB = upload_single(B);
  const auto d1 = upload_single(C), d2 = upload_single(C), d3 = upload_single(C), d4 = upload_single(C);
  check(cublasSgemm(handle, CUBLAS_OP_T, CUBLAS_OP_N, m, n, k, &alpha, dA.get(), k, dB.get(), k, &beta,
                    d1.get(), m));
  report_single("sgemm", difference(download(d1), one));
  check(cublasSgemmStridedBatched(handle, CUBLAS_OP_T, CUBLAS_OP_N, m, n, k, &alpha, dA.get(), k, m * k,
                                  dB.get(), k, k * n, &beta, d2.get(), m, m * n, count));
  report_single("sgemm strided batched", difference(download(d2), all));
  const float* pA[] = {dA.get(), dA.get() + m * k};
  const float* pB[] = {dB.get(), dB.get() + k * n};
  float* pC[] = {d3.get(), d3.get() + m * n};
  ladder::DeviceBuffer<const float*> dpA(count), dpB(count);
  ladder::DeviceBuffer<float*> dpC(count);
  check(cudaMemcpy(dpA.get(), pA, sizeof pA, cudaMemcpyHostToDevice));
  check(cudaMemcpy(dpB.get(), pB, sizeof pB, cudaMemcpyHostToDevice));
  check(cudaMemcpy(dpC.get(), pC, sizeof pC, cudaMemcpyHostToDevice));
  check(cublasSgemmBatched(handle, CUBLAS_OP_T, CUBLAS_OP_N, m, n, k, &alpha, dpA.get(), k, dpB.get(), k,
                           &beta, dpC.get(), m, count));
  report_single("sgemm batched", difference(download(d3), all));
  check(cublasGemmEx(handle, CUBLAS_OP_T, CUBLAS_OP_N, m, n, k, &alpha, dA.get(), CUDA_R_32F, k, dB.get(),
                     CUDA_R_32F, k, &beta, d4.get(), CUDA_R_32F, m, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
  report_single("gemm by type", difference(download(d4), one));

  const double alpha_double = alpha, beta_double = beta;
  const Matrix T = matrix(m, m, m, 4), S = matrix(m, m, m);
  const auto dT = upload_single(T), dX = upload_single(C), dS = upload_single(S);
  const auto eT = upload(T), eX = upload(C), eS = upload(S);
  check(cublasStrsm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_T, CUBLAS_DIAG_NON_UNIT, m, n,
                    &alpha, dT.get(), m, dX.get(), m));
  check(cublasDtrsm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_T, CUBLAS_DIAG_NON_UNIT, m, n,
                    &alpha_double, eT.get(), m, eX.get(), m));
  report_single("strsm", difference(download(dX), download(eX)));
  check(cublasSsyrk(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_T, m, k, &alpha, dA.get(), k, &beta, dS.get(),
                    m));
  const auto eA = upload(A);
  check(cublasDsyrk(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_T, m, k, &alpha_double, eA.get(), k,
                    &beta_double, eS.get(), m));
  report_single("ssyrk", difference(download(dS), download(eS)));
}

/// A call is an operation of the handle's stream.
void in_a_stream(cublasHandle_t handle) {
  ladder::Stream stream(cudaStreamNonBlocking);
  check(cublasSetStream(handle, stream.get()));
  const int n = 4;
  const double one = 1, zero = 0;
  Matrix identity(n * n, 0.0);
  for (int i = 0; i < n; ++i) identity[i * n + i] = 1;
  const Matrix A = matrix(n, n, n);
  const auto dA = upload(A), dI = upload(identity);
  ladder::DeviceBuffer<double> dC(n * n);
  ladder::PinnedBuffer<double> C(n * n);
  for (int i = 0; i < n * n; ++i) C[i] = -1;
  check(cublasDgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, dA.get(), n, dI.get(), n, &zero,
                    dC.get(), n));
  check(cudaMemcpyAsync(C.get(), dC.get(), C.bytes(), cudaMemcpyDeviceToHost, stream.get()));
  report("late: in a stream", C[0] == -1 ? 0 : 1);
  check(cudaStreamSynchronize(stream.get()));
  report("in a stream", difference(Matrix(C.get(), C.get() + n * n), A));
  check(cublasSetStream(handle, nullptr));
}

/// What cuBLAS refuses, and what it would silently do wrong.
void refusals(cublasHandle_t handle) {
  const double one = 1;
  const Matrix A = matrix(4, 4, 4);
  const auto dA = upload(A), dC = upload(A);
  const auto small_ld = cublasDgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one, dA.get(), 2, dA.get(), 4,
                                    &one, dC.get(), 4);  // here: leading-dimension
  const auto negative = cublasDgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, -4, 4, 4, &one, dA.get(), 4, dA.get(),
                                    4, &one, dC.get(), 4);
  std::printf("%s %s\n", cublasGetStatusName(small_ld), cublasGetStatusName(negative));
  const auto say = [&](int ld, const double* C) {
    try {
      check(cublasDsyrk(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, 4, 4, &one, dA.get(), ld, &one,
                        const_cast<double*>(C), 4));
    } catch (const ladder::Error& error) {
      std::printf("%s\n", error.what());
    }
  };
  say(7, dC.get());
  say(4, A.data());
  say(4, dC.get() - 1);
  const double* freed = upload(A).get();
  say(4, freed);
}

}  // namespace

int main() {
  cublasHandle_t handle;
  check(cublasCreate(&handle));
  products(handle);
  batches(handle);
  triangles(handle);
  symmetric(handle);
  single(handle);
  in_a_stream(handle);
  refusals(handle);
  check(cublasDestroy(handle));
}
