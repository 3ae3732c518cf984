#pragma once
/// @file
/// Products, triangular systems and symmetric updates, one for float and double: the calls by name only pass
/// on.

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

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

/// What a product touches. C is written, and read where beta is not zero.
inline void add_product(std::vector<TouchedMemory>& touches, const Shape& s, const void* A, const void* B,
                        const void* C, std::size_t element) {
  add_touches(touches, {A, s.rowsA(), s.columnsA(), s.lda, element}, false);
  add_touches(touches, {B, s.rowsB(), s.columnsB(), s.ldb, element}, false);
  add_touches(touches, {C, s.m, s.n, s.ldc, element}, true);
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
  call.reads_scalar(product.alpha);
  call.reads_scalar(product.beta);
  add_product(call.touches, s, A, B, C, sizeof(Real));
  return submit(call, s.m, s.n, 1, [=] { product.run(A, B, C); });
}

/// Matrices that several products of a batch change, which is a mistake. All of them read what was there
/// before, as they would where they run at the same time: all results but the last one's are lost.
template <class Real>
class Shared {
 public:
  Shared(const Shape& s, Real* const C[], int count) : s_(s) {
    std::map<Real*, int> products;
    for (int i = 0; i < count; ++i) ++products[C[i]];
    for (const auto& [matrix, number] : products)
      if (number > 1) copy(matrix, before_[matrix], false);
  }
  void restore(Real* C) {
    if (const auto found = before_.find(C); found != before_.end()) copy(C, found->second, true);
  }

 private:
  void copy(Real* C, std::vector<Real>& values, bool back) const {
    values.resize(static_cast<std::size_t>(s_.m) * static_cast<std::size_t>(s_.n));
    for (std::size_t j = 0; j < static_cast<std::size_t>(s_.n); ++j) {
      Real* const column = C + j * static_cast<std::size_t>(s_.ldc);
      Real* const kept = values.data() + j * static_cast<std::size_t>(s_.m);
      std::copy_n(back ? kept : column, s_.m, back ? column : kept);
    }
  }
  Shape s_;
  std::map<Real*, std::vector<Real>> before_;
};

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
  call.reads_scalar(product.alpha);
  call.reads_scalar(product.beta);
  call.reads(A, count, 1, count);
  call.reads(B, count, 1, count);
  call.reads(C, count, 1, count);
  return submit(call, s.m, s.n, count, [=] {
    std::vector<TouchedMemory> touches;
    for (int i = 0; i < count; ++i) add_product(touches, s, A[i], B[i], C[i], sizeof(Real));
    notify_touches(touches);
    Shared<Real> shared(s, C, count);
    for (int i = 0; i < count; ++i) {
      shared.restore(C[i]);
      product.run(A[i], B[i], C[i]);
    }
  });
}

/// Matrices at a fixed distance in elements.
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
  call.reads_scalar(product.alpha);
  call.reads_scalar(product.beta);
  for (long long i = 0; i < count; ++i)
    add_product(call.touches, s, A + i * strides.A, B + i * strides.B, C + i * strides.C, sizeof(Real));
  return submit(call, s.m, s.n, count, [=] {
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
  void add_to(std::vector<TouchedMemory>& touches, const void* A, const void* B, std::size_t element) const {
    add_touches(touches, {A, order(), order(), lda, element, part_of(fill)}, false);
    add_touches(touches, {B, m, n, ldb, element}, true);
  }
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
  call.reads_scalar(factor);
  t.add_to(call.touches, A, B, sizeof(Real));
  return submit(call, t.m, t.n, 1, [=] { t.solve(factor, A, B); });
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
  call.reads_scalar(a);
  call.reads_scalar(b);
  call.reads(A, plain ? n : k, plain ? k : n, lda);
  call.writes(C, n, n, ldc, part_of(fill));
  return submit(call, n, n, 1, [=] {
    Blas<Real>::syrk(CblasColMajor, triangle(fill), transpose(op), n, k, a.value(), A, lda, b.value(), C,
                     ldc);
  });
}

}  // namespace ladder::executor
