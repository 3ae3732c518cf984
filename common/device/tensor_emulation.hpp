#pragma once
/// @file
/// Tensor-core operations without tensor cores: each of the 32 lanes shows the others its fragments, and
/// computes the sums that it holds. Included by tensor.hpp.

#include <cmath>

#include "common/device/tensor_shapes.hpp"

#include "executor/unobserved_begin.h"

namespace ladder::tensor::details {

/// Waits until all lanes are here. @return what each of them gave, by lane
LADDER_EXECUTOR_UNOBSERVED inline const std::uint64_t* meet(const void* own, const executor::Site& site) {
  constexpr unsigned all = 0xffffffffu;
  const auto met = executor::warp_exchange(executor::WarpOperation::matrix, all,
                                           reinterpret_cast<std::uint64_t>(own), site);
  for (int lane = 0; met.present != all && lane < 32; ++lane)
    if (!(met.present >> lane & 1))
      executor::report_missing_lane(lane, all, site, executor::WarpOperation::matrix);
  return met.value;
}

// Products are exact in the wider type. A GPU may cut the sum of floats off where this rounds it.
inline double wide(double x) {
  return x;
}
inline double wide(__half x) {
  return static_cast<float>(x);
}
inline double wide(__nv_bfloat16 x) {
  return static_cast<float>(x);
}
/// Only the 19 upper bits count, whatever the others are.
inline double wide(Tf32 x) {
  return __builtin_bit_cast(float, x.bits & 0xffffe000u);
}
inline std::int64_t wide(std::int8_t x) {
  return x;
}

LADDER_EXECUTOR_UNOBSERVED inline std::int64_t sum_of(std::int64_t sum, const std::int64_t* a,
                                                      const std::int64_t* b, int count) {
  for (int k = 0; k < count; ++k) sum += a[k] * b[k];
  return sum;
}

#ifdef __x86_64__
/// std::fma is a call of the C library where a program is compiled for any processor.
__attribute__((target("fma"))) LADDER_EXECUTOR_UNOBSERVED inline double sum_by_instruction(double sum,
                                                                                           const double* a,
                                                                                           const double* b,
                                                                                           int count) {
  for (int k = 0; k < count; ++k) sum = __builtin_fma(a[k], b[k], sum);
  return sum;
}
#endif

LADDER_EXECUTOR_UNOBSERVED inline double sum_of(double sum, const double* a, const double* b, int count) {
#ifdef __x86_64__
  if (__builtin_cpu_supports("fma")) return sum_by_instruction(sum, a, b, count);
#endif
  for (int k = 0; k < count; ++k) sum = std::fma(a[k], b[k], sum);
  return sum;
}

template <class Shape>
LADDER_EXECUTOR_UNOBSERVED inline void run(Shape, typename Shape::C& c, const typename Shape::A& a,
                                           const typename Shape::B& b, const executor::Site& site) {
  using Wide = decltype(wide(typename Shape::Input{}));
  struct Operands {
    const typename Shape::A* a;
    const typename Shape::B* b;
  } const own{&a, &b};
  Wide A[Shape::m][Shape::k], B[Shape::n][Shape::k];  // by columns: a sum reads both in order
  const std::uint64_t* const all = meet(&own, site);
  // In every shape rows g and g + 8 are those of four lanes, columns 2t and 2t + 1 those of eight.
  const int own_lane = executor::lane(), rows = own_lane / 4 * 4, columns = own_lane % 4 * 8;
  for (int lane = rows; lane < rows + 4; ++lane)
    for (int i = 0; i < Shape::A::count; ++i) {
      const Place place = Shape::place_a(lane, i);
      A[place.row][place.column] = wide((*reinterpret_cast<const Operands*>(all[lane])->a)[i]);
    }
  for (int lane = columns; lane < columns + 8; ++lane)
    for (int i = 0; i < Shape::B::count; ++i) {
      const Place place = Shape::place_b(lane, i);
      B[place.column][place.row] = wide((*reinterpret_cast<const Operands*>(all[lane])->b)[i]);
    }
  for (int i = 0; i < Shape::C::count; ++i) {
    const Place place = Shape::place_c(own_lane, i);
    const Wide sum = sum_of(static_cast<Wide>(c[i]), A[place.row], B[place.column], Shape::k);
    c[i] = static_cast<decltype(Shape::C::x[0] + 0)>(sum);
  }
  meet(nullptr, site);  // until then no lane may change its operands: others read them
}

/// Each lane gives the address of a row; matrix `number` takes those of the lanes 8 * number ... 8 * number +
/// 7.
template <bool Transposed, int Count>
LADDER_EXECUTOR_INLINE void load(std::uint32_t (&r)[Count], const void* row, const executor::Site& site) {
  const std::uint64_t* const rows = meet(row, site);
  const int lane = executor::lane();
  for (int number = 0; number < Count; ++number) {
    const auto element = [&](int i, int j) {
      return reinterpret_cast<const std::uint16_t*>(rows[8 * number + i])[j];
    };
    if constexpr (Transposed)
      r[number] = element(lane % 4 * 2, lane / 4) |
                  static_cast<std::uint32_t>(element(lane % 4 * 2 + 1, lane / 4)) << 16;
    else
      r[number] = reinterpret_cast<const std::uint32_t*>(rows[8 * number + lane / 4])[lane % 4];
  }
}

}  // namespace ladder::tensor::details

#include "executor/unobserved_end.h"
