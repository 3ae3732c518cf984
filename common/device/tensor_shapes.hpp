#pragma once
/// @file
/// The shapes of tensor-core operations and which element of a matrix each lane of the warp holds: the
/// layouts of the PTX ISA. In all of them g = lane / 4 and t = lane % 4.

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>

namespace ladder::tensor {

/// What one lane holds of a matrix, in the order a0, a1, ... of the PTX ISA.
template <class T, int Count>
struct alignas(sizeof(T) * Count < 16 ? sizeof(T) * Count : 16) Fragment {
  static constexpr int count = Count;
  T x[Count];

  __host__ __device__ T& operator[](int i) { return x[i]; }
  __host__ __device__ const T& operator[](int i) const { return x[i]; }
};

/// Row and column of an element.
struct Place {
  int row, column;
};

/// A float that is used with 10 bits of fraction. Conversion rounds to nearest, ties away from zero.
struct Tf32 {
  std::uint32_t bits;

  Tf32() = default;
  __host__ __device__ explicit Tf32(float x);
  __host__ __device__ float value() const;
};

namespace details {

/// The sum of every shape with 16 rows: 16 x 8, four elements a lane.
///   c0 c1: row g, columns 2t 2t+1;  c2 c3: row g + 8
template <class Sum>
struct SumOf16x8 {
  using C = Fragment<Sum, 4>;
  static constexpr int m = 16, n = 8;
  __host__ __device__ static Place place_c(int lane, int i) {
    return {lane / 4 + i / 2 * 8, lane % 4 * 2 + i % 2};
  }
};

/// 16-bit inputs.
///   A, 16 x K: pairs of neighbouring columns 2t 2t+1 (+ 8); row g, then row g + 8, then the next 8 columns
///   B, K x 8:  pairs of neighbouring rows 2t 2t+1 (+ 8), column g
template <class Number, int K>
struct Pairs : SumOf16x8<float> {
  using Input = Number;
  using A = Fragment<Number, K / 2>;
  using B = Fragment<Number, K / 4>;
  static constexpr int k = K;
  __host__ __device__ static Place place_a(int lane, int i) {
    return {lane / 4 + i / 2 % 2 * 8, lane % 4 * 2 + i % 2 + i / 4 * 8};
  }
  __host__ __device__ static Place place_b(int lane, int i) {
    return {lane % 4 * 2 + i % 2 + i / 2 * 8, lane / 4};
  }
};

/// Inputs that are not packed: one element per register, or per pair of registers for doubles.
///   A, 16 x K: row g, then row g + 8, column t; then column t + 4
///   B, K x 8:  row t, then row t + 4, column g
template <class Number, class Sum, int K>
struct Singles : SumOf16x8<Sum> {
  using Input = Number;
  using A = Fragment<Number, K / 2>;
  using B = Fragment<Number, K / 4>;
  static constexpr int k = K;
  __host__ __device__ static Place place_a(int lane, int i) {
    return {lane / 4 + i % 2 * 8, lane % 4 + i / 2 * 4};
  }
  __host__ __device__ static Place place_b(int lane, int i) { return {lane % 4 + i * 4, lane / 4}; }
};

/// 8-bit inputs.
///   A, 16 x K: four neighbouring columns 4t ... 4t+3 (+ 16); row g, then row g + 8, then the next 16 columns
///   B, K x 8:  four neighbouring rows 4t ... 4t+3 (+ 16), column g
template <int K>
struct Quads : SumOf16x8<std::int32_t> {
  using Input = std::int8_t;
  using A = Fragment<std::int8_t, K / 2>;
  using B = Fragment<std::int8_t, K / 4>;
  static constexpr int k = K;
  __host__ __device__ static Place place_a(int lane, int i) {
    return {lane / 4 + i / 4 % 2 * 8, lane % 4 * 4 + i % 4 + i / 8 * 16};
  }
  __host__ __device__ static Place place_b(int lane, int i) {
    return {lane % 4 * 4 + i % 4 + i / 4 * 16, lane / 4};
  }
};

}  // namespace details

/// Double precision (DMMA). On a GPU without such tensor cores (before sm_80): shuffles and multiply-adds.
///   A, 8 x 4: row g, column t.  B, 4 x 8: row t, column g.  C, 8 x 8: row g, columns 2t 2t+1
struct Double8x8x4 {
  using Input = double;
  using A = Fragment<double, 1>;
  using B = Fragment<double, 1>;
  using C = Fragment<double, 2>;
  static constexpr int m = 8, n = 8, k = 4;
  __host__ __device__ static Place place_a(int lane, int) { return {lane / 4, lane % 4}; }
  __host__ __device__ static Place place_b(int lane, int) { return {lane % 4, lane / 4}; }
  __host__ __device__ static Place place_c(int lane, int i) { return {lane / 4, lane % 4 * 2 + i}; }
};

struct Half16x8x16 : details::Pairs<__half, 16> {};
struct Half16x8x8 : details::Pairs<__half, 8> {};
struct Bfloat16x8x16 : details::Pairs<__nv_bfloat16, 16> {};
struct Bfloat16x8x8 : details::Pairs<__nv_bfloat16, 8> {};

struct Tf32_16x8x8 : details::Singles<Tf32, float, 8> {};

/// Double precision, 16 rows. One instruction from Hopper (sm_90) on; on Ampere (sm_80) two or four of
/// Double8x8x4.
struct Double16x8x4 : details::Singles<double, double, 4> {};
struct Double16x8x8 : details::Singles<double, double, 8> {};

/// Sums that leave the range of 32 bits wrap around. On a GPU before sm_80 16 x 8 x 32 is shuffles and
/// __dp4a.
struct Int8_16x8x32 : details::Quads<32> {};
struct Int8_16x8x16 : details::Quads<16> {};

inline __host__ __device__ Tf32::Tf32(float x) {
  std::uint32_t word;
  memcpy(&word, &x, sizeof word);
  const bool finite = (word >> 23 & 0xff) != 0xff;
  bits = finite ? (word + 0x1000u) & 0xffffe000u : word;
}
inline __host__ __device__ float Tf32::value() const {
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

}  // namespace ladder::tensor
