#pragma once
/// @file
/// CUDA's half precision: __half, __half2 and their functions.

#include "cuda_runtime.h"
#include "executor/small_float_functions.h"

using __half = ladder::executor::SmallFloat<ladder::executor::HalfFormat>;
using __half2 = ladder::executor::SmallFloatPair<ladder::executor::HalfFormat>;
using half = __half;
using half2 = __half2;
using __half_raw = ladder::executor::SmallFloatBits<ladder::executor::HalfFormat>;
using nv_half = __half;
using nv_half2 = __half2;

#define LADDER_TYPE __half
#define LADDER_TO(OTHER, SUFFIX) __##OTHER##2half##SUFFIX
#define LADDER_FROM(OTHER, SUFFIX) __half2##OTHER##SUFFIX
#include "executor/small_float_conversions.h"

// Bits
constexpr unsigned short __half_as_ushort(__half x) {
  return x.bits();
}
constexpr short __half_as_short(__half x) {
  return static_cast<short>(x.bits());
}
constexpr __half __ushort_as_half(unsigned short bits) {
  return __half_raw{bits};
}
constexpr __half __short_as_half(short bits) {
  return __half_raw{static_cast<unsigned short>(bits)};
}

// Pairs
constexpr __half2 make_half2(__half x, __half y) {
  return {x, y};
}
constexpr __half2 __halves2half2(__half x, __half y) {
  return {x, y};
}
constexpr __half2 __half2half2(__half x) {
  return {x, x};
}
constexpr __half2 __float2half2_rn(float x) {
  return {x, x};
}
constexpr __half2 __floats2half2_rn(float x, float y) {
  return {x, y};
}
constexpr __half2 __float22half2_rn(float2 v) {
  return {v.x, v.y};
}
constexpr float2 __half22float2(__half2 p) {
  return {p.x, p.y};
}
constexpr __half __low2half(__half2 p) {
  return p.x;
}
constexpr __half __high2half(__half2 p) {
  return p.y;
}
constexpr __half2 __low2half2(__half2 p) {
  return {p.x, p.x};
}
constexpr __half2 __high2half2(__half2 p) {
  return {p.y, p.y};
}
constexpr __half2 __lows2half2(__half2 a, __half2 b) {
  return {a.x, b.x};
}
constexpr __half2 __highs2half2(__half2 a, __half2 b) {
  return {a.y, b.y};
}

#define CUDART_INF_FP16 __ushort_as_half(0x7c00)
#define CUDART_NAN_FP16 __ushort_as_half(0x7fff)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half(0x0001)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half(0x7bff)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half(0x8000)
#define CUDART_ZERO_FP16 __ushort_as_half(0x0000)
#define CUDART_ONE_FP16 __ushort_as_half(0x3c00)
