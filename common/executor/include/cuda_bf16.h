#pragma once
/// @file
/// CUDA's bfloat16: __nv_bfloat16, __nv_bfloat162 and their functions.

#include "cuda_runtime.h"
#include "executor/small_float_functions.h"

using __nv_bfloat16 = ladder::executor::SmallFloat<ladder::executor::BfloatFormat>;
using __nv_bfloat162 = ladder::executor::SmallFloatPair<ladder::executor::BfloatFormat>;
using nv_bfloat16 = __nv_bfloat16;
using nv_bfloat162 = __nv_bfloat162;
using __nv_bfloat16_raw = ladder::executor::SmallFloatBits<ladder::executor::BfloatFormat>;

#define LADDER_TYPE __nv_bfloat16
#define LADDER_TO(OTHER, SUFFIX) __##OTHER##2bfloat16##SUFFIX
#define LADDER_FROM(OTHER, SUFFIX) __bfloat162##OTHER##SUFFIX
#include "executor/small_float_conversions.h"

// Bits
constexpr unsigned short __bfloat16_as_ushort(__nv_bfloat16 x) {
  return x.bits();
}
constexpr short __bfloat16_as_short(__nv_bfloat16 x) {
  return static_cast<short>(x.bits());
}
constexpr __nv_bfloat16 __ushort_as_bfloat16(unsigned short bits) {
  return __nv_bfloat16_raw{bits};
}
constexpr __nv_bfloat16 __short_as_bfloat16(short bits) {
  return __nv_bfloat16_raw{static_cast<unsigned short>(bits)};
}

// Pairs
constexpr __nv_bfloat162 make_bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) {
  return {x, y};
}
constexpr __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) {
  return {x, y};
}
constexpr __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 x) {
  return {x, x};
}
constexpr __nv_bfloat162 __float2bfloat162_rn(float x) {
  return {x, x};
}
constexpr __nv_bfloat162 __floats2bfloat162_rn(float x, float y) {
  return {x, y};
}
constexpr __nv_bfloat162 __float22bfloat162_rn(float2 v) {
  return {v.x, v.y};
}
constexpr float2 __bfloat1622float2(__nv_bfloat162 p) {
  return {p.x, p.y};
}
constexpr __nv_bfloat16 __low2bfloat16(__nv_bfloat162 p) {
  return p.x;
}
constexpr __nv_bfloat16 __high2bfloat16(__nv_bfloat162 p) {
  return p.y;
}
constexpr __nv_bfloat162 __low2bfloat162(__nv_bfloat162 p) {
  return {p.x, p.x};
}
constexpr __nv_bfloat162 __high2bfloat162(__nv_bfloat162 p) {
  return {p.y, p.y};
}
constexpr __nv_bfloat162 __lows2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) {
  return {a.x, b.x};
}
constexpr __nv_bfloat162 __highs2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) {
  return {a.y, b.y};
}

#define CUDART_INF_BF16 __ushort_as_bfloat16(0x7f80)
#define CUDART_NAN_BF16 __ushort_as_bfloat16(0x7fff)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16(0x0000)
#define CUDART_ONE_BF16 __ushort_as_bfloat16(0x3f80)
