#pragma once
/// @file
/// Products, triangular systems and symmetric updates, one for float and double: the calls by name only pass on.

#include <utility>

#include "common/executor/cublas/cublas_call.hpp"

namespace ladder::executor {

/// OpenBLAS by the type of its elements.
template <class Real>
struct Blas;
template <>
struct Blas<double> {
  static constexpr auto gemm = cblas_dgemm;
  static constexpr auto trsm = cblas_dtrsm;
  static constexpr auto syrk = cblas_dsyrk;
};
template <>
struct Blas<float> {
  static constexpr auto gemm = cblas_sgemm;
  static constexpr auto trsm = cblas_strsm;
  static constexpr auto syrk = cblas_ssyrk;
};

/// The sizes of C = alpha op(A) op(B) + beta C.
struct Shape {
  cublasOperation_t opA, opB;
  int m, n, k, lda, ldb, ldc;

  int rowsA() const { return opA == CUBLAS_OP_N ? m : k; }
  int columnsA() const { return opA == CUBLAS_OP_N ? k : m; }
  int rowsB() const { return opB == CUBLAS_OP_N ? k : n; }
  int columnsB() const { return opB == CUBLAS_OP_N ? n : k; }
};

/// Elements from the first to the last one of a batch of matrices.
inline void require_batch(Call& call, const char* what, const void* pointer, int rows, int columns, int ld,
                          long long stride, int count, std::size_t element) {
  call.require_matrix(what, pointer, rows, columns, ld, element);
  const char* last =
      static_cast<const char*>(pointer) + (count - 1) * stride * static_cast<long long>(element);
  call.require_matrix(std::string("the last ").append(what).c_str(), last, rows, columns, ld, element);
}

/// A shape and what multiplies it.
template <class Real>
struct Product {
  Shape s;
  ScalarOf<Real> alpha, beta;

  void run(const Real* A, const Real* B, Real* C) const {
    Blas<Real>::gemm(CblasColMajor, transpose(s.opA), transpose(s.opB), s.m, s.n, s.k, alpha.value(), A,
                     s.lda, B, s.ldb, beta.value(), C, s.ldc);
  }
};

template <class Real>
cublasStatus_t multiply(const char* name, cublasHandle_t handle, const Shape& s, const Real* alpha,
                        const Real* A, const Real* B, const Real* beta, Real* C, Site site) {
  Call call = begin(name, handle, {s.m, s.n, s.k}, site);
  if (call.status != CUBLAS_STATUS_SUCCESS) return call.status;
  const Product<Real> product{s, {handle, alpha}, {handle, beta}};
  call.require_matrix("A", A, s.rowsA(), s.columnsA(), s.lda);
  call.require_matrix("B", B, s.rowsB(), s.columnsB(), s.ldb);
  call.require_matrix("C", C, s.m, s.n, s.ldc);
  return submit(call, handle, s.m, s.n, 1, [=] { product.run(A, B, C); });
}

template <class Real>
cublasStatus_t multiply_batch(const char* name, cublasHandle_t handle, const Shape& s, const Real* alpha,
                              const Real* const A[], const Real* const B[], const Real* beta, Real* const C[],
                              int count, Site site) {
  Call call = begin(name, handle, {s.m, s.n, s.k, count}, site);
  if (call.status != CUBLAS_STATUS_SUCCESS || count == 0) return call.status;
  const Product<Real> product{s, {handle, alpha}, {handle, beta}};
  call.require_leading("A", s.lda, s.rowsA());
  call.require_leading("B", s.ldb, s.rowsB());
  call.require_leading("C", s.ldc, s.m);
  const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(Real*);
  call.require_device("the array of pointers A", A, bytes);
  call.require_device("the array of pointers B", B, bytes);
  call.require_device("the array of pointers C", C, bytes);
  return submit(call, handle, s.m, s.n, count, [=] {
    for (int i = 0; i < count; ++i) product.run(A[i], B[i], C[i]);
  });
}

/// Matrices so many elements apart.
struct Strides {
  long long A, B, C;
};

template <class Real>
cublasStatus_t multiply_strided(const char* name, cublasHandle_t handle, const Shape& s,
                                const Strides& strides, const Real* alpha, const Real* A, const Real* B,
                                const Real* beta, Real* C, int count, Site site) {
  Call call = begin(name, handle, {s.m, s.n, s.k, count}, site);
  if (call.status != CUBLAS_STATUS_SUCCESS || count == 0) return call.status;
  const Product<Real> product{s, {handle, alpha}, {handle, beta}};
  require_batch(call, "A", A, s.rowsA(), s.columnsA(), s.lda, strides.A, count, sizeof(Real));
  require_batch(call, "B", B, s.rowsB(), s.columnsB(), s.ldb, strides.B, count, sizeof(Real));
  require_batch(call, "C", C, s.m, s.n, s.ldc, strides.C, count, sizeof(Real));
  return submit(call, handle, s.m, s.n, count, [=] {
    for (long long i = 0; i < count; ++i)
      product.run(A + i * strides.A, B + i * strides.B, C + i * strides.C);
  });
}

/// A triangular system: op(A) X = alpha B, or X op(A) = alpha B.
struct Triangle {
  cublasSideMode_t side;
  cublasFillMode_t fill;
  cublasOperation_t op;
  cublasDiagType_t diagonal;
  int m, n, lda, ldb;

  int order() const { return side == CUBLAS_SIDE_LEFT ? m : n; }
  template <class Real>
  void solve(const ScalarOf<Real>& alpha, const Real* A, Real* B) const {
    Blas<Real>::trsm(CblasColMajor, side_of(side), triangle(fill), transpose(op), diagonal_of(diagonal), m, n,
                     alpha.value(), A, lda, B, ldb);
  }
};

template <class Real>
cublasStatus_t solve(const char* name, cublasHandle_t handle, const Triangle& t, const Real* alpha,
                     const Real* A, Real* B, Site site) {
  Call call = begin(name, handle, {t.m, t.n}, site);
  if (call.status != CUBLAS_STATUS_SUCCESS) return call.status;
  const ScalarOf<Real> factor(handle, alpha);
  call.require_matrix("A", A, t.order(), t.order(), t.lda);
  call.require_matrix("B", B, t.m, t.n, t.ldb);
  return submit(call, handle, t.m, t.n, 1, [=] { t.solve(factor, A, B); });
}

/// C = alpha op(A) op(A)^T + beta C, of which one triangle is there.
template <class Real>
cublasStatus_t update(const char* name, cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op,
                      int n, int k, const Real* alpha, const Real* A, int lda, const Real* beta, Real* C,
                      int ldc, Site site) {
  Call call = begin(name, handle, {n, k}, site);
  if (call.status != CUBLAS_STATUS_SUCCESS) return call.status;
  const bool plain = op == CUBLAS_OP_N;
  call.require_matrix("A", A, plain ? n : k, plain ? k : n, lda);
  call.require_matrix("C", C, n, n, ldc);
  const ScalarOf<Real> a(handle, alpha), b(handle, beta);
  return submit(call, handle, n, n, 1, [=] {
    Blas<Real>::syrk(CblasColMajor, triangle(fill), transpose(op), n, k, a.value(), A, lda, b.value(), C,
                     ldc);
  });
}

}  // namespace ladder::executor
