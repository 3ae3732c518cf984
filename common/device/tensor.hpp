#pragma once
/// @file
/// Tensor-core operations: one source for a GPU (PTX) and for the executor (emulated by the lanes of a warp).
///
///     using Shape = ladder::tensor::Half16x8x16;
///     Shape::C c{};
///     const auto a = ladder::tensor::load_a<Shape>(A, lda);   // 16 x 16, row-major
///     const auto b = ladder::tensor::load_b<Shape>(B, ldb);   // 16 x 8, row-major
///     ladder::tensor::multiply_add<Shape>(c, a, b);           // C += A B
///     ladder::tensor::store<Shape>(C, ldc, c);
///
/// All 32 lanes of a warp call each function together. Which element a lane holds: tensor_shapes.hpp.

#ifdef LADDER_EXECUTOR
#include "common/device/tensor_emulation.hpp"
#define LADDER_TENSOR_SITE , ladder::executor::Site site = ladder::executor::Site::here()
#define LADDER_TENSOR_PASS_SITE , site
#define LADDER_TENSOR_LANE ladder::executor::lane()
#define LADDER_TENSOR_INLINE LADDER_EXECUTOR_INLINE
#else
#include "common/device/tensor_ptx.hpp"
#define LADDER_TENSOR_SITE
#define LADDER_TENSOR_PASS_SITE
#define LADDER_TENSOR_LANE ladder::tensor::details::lane()
#define LADDER_TENSOR_INLINE __forceinline__
#endif

namespace ladder::tensor {

/// c += a b. On a GPU sums of floats are cut off where the executor rounds; double sums are equal.
template <class Shape>
__device__ LADDER_TENSOR_INLINE void multiply_add(typename Shape::C& c, const typename Shape::A& a,
                                                  const typename Shape::B& b LADDER_TENSOR_SITE) {
  details::run(Shape{}, c, a, b LADDER_TENSOR_PASS_SITE);
}

/// The lane's part of the m x k matrix at A, row-major.
template <class Shape, class Number>
__device__ LADDER_TENSOR_INLINE typename Shape::A load_a(const Number* A, int lda) {
  typename Shape::A fragment;
  for (int i = 0; i < Shape::A::count; ++i) {
    const Place place = Shape::place_a(LADDER_TENSOR_LANE, i);
    fragment[i] = static_cast<typename Shape::Input>(A[place.row * lda + place.column]);
  }
  return fragment;
}

/// The lane's part of the k x n matrix at B, row-major.
template <class Shape, class Number>
__device__ LADDER_TENSOR_INLINE typename Shape::B load_b(const Number* B, int ldb) {
  typename Shape::B fragment;
  for (int i = 0; i < Shape::B::count; ++i) {
    const Place place = Shape::place_b(LADDER_TENSOR_LANE, i);
    fragment[i] = static_cast<typename Shape::Input>(B[place.row * ldb + place.column]);
  }
  return fragment;
}

/// The lane's part of the m x n matrix at C, row-major.
template <class Shape, class Number>
__device__ LADDER_TENSOR_INLINE typename Shape::C load_c(const Number* C, int ldc) {
  typename Shape::C fragment;
  for (int i = 0; i < Shape::C::count; ++i) {
    const Place place = Shape::place_c(LADDER_TENSOR_LANE, i);
    fragment[i] = C[place.row * ldc + place.column];
  }
  return fragment;
}

template <class Shape, class Number>
__device__ LADDER_TENSOR_INLINE void store(Number* C, int ldc, const typename Shape::C& fragment) {
  for (int i = 0; i < Shape::C::count; ++i) {
    const Place place = Shape::place_c(LADDER_TENSOR_LANE, i);
    C[place.row * ldc + place.column] = fragment[i];
  }
}

/// `ldmatrix`: Count = 1, 2 or 4 matrices of 8 x 8 16-bit elements from shared memory. Lane 8 i + j points to
/// row j of matrix i (16 bytes, aligned). Of each matrix a lane gets row lane / 4, columns 2 (lane % 4) and
/// the next; transposed: column lane / 4, rows 2 (lane % 4) and the next.
template <bool Transposed = false, int Count>
__device__ LADDER_TENSOR_INLINE void load_matrices(std::uint32_t (&registers)[Count],
                                                   const void* row LADDER_TENSOR_SITE) {
  static_assert(Count == 1 || Count == 2 || Count == 4, "ldmatrix loads one, two or four matrices");
  details::load<Transposed>(registers, row LADDER_TENSOR_PASS_SITE);
}

}  // namespace ladder::tensor

#undef LADDER_TENSOR_SITE
#undef LADDER_TENSOR_PASS_SITE
#undef LADDER_TENSOR_LANE
#undef LADDER_TENSOR_INLINE
