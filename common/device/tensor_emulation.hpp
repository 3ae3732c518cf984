#pragma once
/// @file
/// Tensor-core operations without tensor cores: the 32 lanes hand each other their fragments, and each computes the sums
/// that it holds. Included by tensor.hpp.

#include <cmath>

#include "common/device/tensor_shapes.hpp"

namespace ladder::tensor::details {

/// The fragments of all lanes.
template <class F>
struct Warp {
  F lane[32];
};

template <class F>
LADDER_EXECUTOR_UNOBSERVED inline Warp<F> exchanged(const F& own, executor::Site site) {
  constexpr int words = (sizeof(F) + 7) / 8;
  constexpr int bytes = sizeof(F) < 8 ? sizeof(F) : 8;
  Warp<F> all;
  for (int word = 0; word < words; ++word) {
    std::uint64_t value = 0;
    __builtin_memcpy(&value, reinterpret_cast<const char*>(&own) + 8 * word, bytes);
    const auto met = executor::warp_exchange(executor::WarpOperation::matrix, 0xffffffffu, value, site);
    for (int lane = 0; lane < 32; ++lane)
      __builtin_memcpy(reinterpret_cast<char*>(&all.lane[lane]) + 8 * word, &met.value[lane], bytes);
  }
  return all;
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

inline double added(double sum, double a, double b) {
  return std::fma(a, b, sum);
}
inline std::int64_t added(std::int64_t sum, std::int64_t a, std::int64_t b) {
  return sum + a * b;
}

template <class Shape>
LADDER_EXECUTOR_UNOBSERVED inline void run(Shape, typename Shape::C& c, const typename Shape::A& a,
                                           const typename Shape::B& b, executor::Site site) {
  using Wide = decltype(wide(typename Shape::Input{}));
  Wide A[Shape::m][Shape::k], B[Shape::k][Shape::n];
  const auto all_a = exchanged(a, site);
  const auto all_b = exchanged(b, site);
  for (int lane = 0; lane < 32; ++lane) {
    for (int i = 0; i < Shape::A::count; ++i) {
      const Place place = Shape::place_a(lane, i);
      A[place.row][place.column] = wide(all_a.lane[lane][i]);
    }
    for (int i = 0; i < Shape::B::count; ++i) {
      const Place place = Shape::place_b(lane, i);
      B[place.row][place.column] = wide(all_b.lane[lane][i]);
    }
  }
  for (int i = 0; i < Shape::C::count; ++i) {
    const Place place = Shape::place_c(executor::lane(), i);
    auto sum = static_cast<Wide>(c[i]);
    for (int k = 0; k < Shape::k; ++k) sum = added(sum, A[place.row][k], B[k][place.column]);
    c[i] = static_cast<decltype(Shape::C::x[0] + 0)>(sum);
  }
}

/// Each lane gives the address of a row; matrix `number` takes those of the lanes 8 * number ... 8 * number + 7.
template <bool Transposed, int Count>
LADDER_EXECUTOR_INLINE void load(std::uint32_t (&r)[Count], const void* row, executor::Site site) {
  const auto rows = exchanged(row, site);
  const int lane = executor::lane();
  for (int number = 0; number < Count; ++number) {
    const auto element = [&](int i, int j) {
      return static_cast<const std::uint16_t*>(rows.lane[8 * number + i])[j];
    };
    if constexpr (Transposed)
      r[number] = element(lane % 4 * 2, lane / 4) |
                  static_cast<std::uint32_t>(element(lane % 4 * 2 + 1, lane / 4)) << 16;
    else
      r[number] = static_cast<const std::uint32_t*>(rows.lane[8 * number + lane / 4])[lane % 4];
  }
}

}  // namespace ladder::tensor::details
