/// @file
/// Numbers of 16 bits, intrinsics of integers and floating point numbers, atomics with few users: results by
/// hand or from the host's wider types. Also for nvcc.

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cmath>
#include <cstdio>
#include <vector>

#include "common/device/cuda.hpp"

namespace {

using ladder::check;

void report(const char* name, bool right) {
  std::printf("%s %s\n", right ? "OK" : "WRONG", name);
}

constexpr int most = 40;

/// Runs the kernel in one thread. @return what it wrote
template <class T>
std::vector<T> run(void (*kernel)(T*)) {
  ladder::DeviceBuffer<T> out(most);
  check(cudaMemset(out.get(), 0, out.bytes()));
  kernel<<<1, 1>>>(out.get());
  check(cudaGetLastError());
  std::vector<T> values(most);
  check(cudaMemcpy(values.data(), out.get(), out.bytes(), cudaMemcpyDeviceToHost));
  return values;
}

template <class T>
void compare(const char* name, void (*kernel)(T*), const std::vector<T>& expected) {
  const std::vector<T> values = run(kernel);
  bool right = true;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (values[i] == expected[i]) continue;
    std::printf("%s, number %d: %.9g, expected %.9g\n", name, static_cast<int>(i),
                static_cast<double>(values[i]), static_cast<double>(expected[i]));
    right = false;
  }
  report(name, right);
}

// ---------------------------------------------------------------- 16 bits

__global__ void halves(float* out) {
  const __half one = 1, third = __float2half(1.0f / 3), big = 65504;
  int i = 0;
  out[i++] = __half2float(third);
  out[i++] = __half2float(__hadd(one, __float2half(0x1p-11f)));          // a tie: to even
  out[i++] = __half2float(__hadd(one, __float2half(0x1.8p-10f)));        // a tie: to even, upwards
  out[i++] = __half2float(big * __half(2.0f));                           // infinity
  out[i++] = __half2float(__hfma(third, third, __hneg(third * third)));  // what the product was rounded by
  out[i++] = __half2float(__hmul(__float2half(0x1p-14f), __float2half(0.5f)));  // below the normal numbers
  out[i++] = __half2float(__double2half(1.0 + 0x1p-11 + 0x1p-40));              // not by way of float
  out[i++] = __half2float(__float2half_rz(1.0f + 0x1.fp-11f));
  out[i++] = __half2float(__float2half_ru(1.0f + 0x1p-20f));
  out[i++] = static_cast<float>(__half2int_rn(__float2half(2.5f)));
  out[i++] = static_cast<float>(__half2int_rd(__float2half(-2.5f)));
  out[i++] = __half2float(__hmax(__float2half(NAN), one));
  out[i++] = __hlt(__float2half(NAN), one) + 2 * __hltu(__float2half(NAN), one);
  out[i++] = __half2float(hsqrt(__float2half(2.0f)));
  const __half2 pair = __hfma2(__floats2half2_rn(1, 2), __float2half2_rn(3), __halves2half2(one, third));
  out[i++] = __low2float(pair);
  out[i++] = __high2float(pair);
  out[i++] = static_cast<float>(__half_as_ushort(__float2half(-1.5f)));
  __half sum = 0;
  sum += one;
  sum = sum + one;
  out[i++] = __half2float(sum);
  out[i++] = __half2float(__int2half_rn(2049));
}

__global__ void bfloats(float* out) {
  const __nv_bfloat16 one = 1.0f, third = __float2bfloat16(1.0f / 3);
  int i = 0;
  out[i++] = __bfloat162float(third);
  out[i++] = __bfloat162float(one + __float2bfloat16(0x1p-8f));
  out[i++] = __bfloat162float(one + __float2bfloat16(0x1.8p-7f));
  out[i++] = __bfloat162float(__hfma(third, third, -(third * third)));
  out[i++] = __bfloat162float(__float2bfloat16(3.0e38f) * __nv_bfloat16(2.0f));
  out[i++] = __bfloat162float(__ushort_as_bfloat16(0x3f80));
  const __nv_bfloat162 pair = __hadd2(__floats2bfloat162_rn(1, 2), __float2bfloat162_rn(0.5f));
  out[i++] = __low2float(pair) * 100 + __high2float(pair);
}

// ---------------------------------------------------------------- one memory, two types

/// What the C++ standard does not promise, but programs for GPUs take for granted: eight halves in a float4.
__global__ void other_types(float* out) {
  for (int i = 0; i < 4; ++i)
    reinterpret_cast<__half2*>(out)[i] = __float2half2_rn(static_cast<float>(i + 1));
  float4 eight = reinterpret_cast<const float4*>(out)[0], doubled;
  const __half2* from = reinterpret_cast<__half2*>(&eight);
  __half2* to = reinterpret_cast<__half2*>(&doubled);
  for (int i = 0; i < 4; ++i) to[i] = __hadd2(from[i], from[i]);
  reinterpret_cast<float4*>(out)[1] = doubled;
  const __half2* result = reinterpret_cast<const __half2*>(out + 4);
  for (int i = 0; i < 4; ++i) out[i] = __low2float(result[i]);
}

// ---------------------------------------------------------------- rounding

__global__ void rounding(double* out) {
  int i = 0;
  out[i++] = __fadd_ru(1.0f, 1e-10f);
  out[i++] = __fadd_rd(1.0f, 1e-10f);
  out[i++] = __fmul_rz(-1.1f, 1.1f);
  out[i++] = __fdiv_rd(2.0f, 3.0f);
  out[i++] = __fsqrt_ru(2.0f);
  out[i++] = __dadd_ru(1.0, 1e-20);
  out[i++] = __dmul_rd(1.1, 1.1);
  out[i++] = __double2float_ru(1.0 + 1e-12);
  out[i++] = __int2float_rz(16777217 + 2);
  out[i++] = __float2int_rn(2.5f) * 10 + __float2int_ru(2.1f);
  out[i++] = __float2uint_rz(-3.0f);
  out[i++] = __float2int_rz(1e20f);
  out[i++] = static_cast<double>(__double2ll_rd(-0.5));
}

double rounded(double exact, float nearest, int direction) {
  if (direction > 0 && nearest < exact) return std::nextafter(nearest, INFINITY);
  if (direction < 0 && nearest > exact) return std::nextafter(nearest, -INFINITY);
  return nearest;
}

double square_down() {
  const double nearest = 1.1 * 1.1;
  return std::fma(1.1, 1.1, -nearest) < 0 ? std::nextafter(nearest, 0.0) : nearest;
}

// ---------------------------------------------------------------- bits

__global__ void bits(unsigned* out) {
  int i = 0;
  out[i++] = __popc(0xf0f0u) + 100 * __clz(1) + 10000 * __ffs(8);
  out[i++] = __brev(1u);
  out[i++] = __byte_perm(0x33221100u, 0x77665544u, 0x7160);
  out[i++] = __funnelshift_l(0x80000000u, 1u, 1);
  out[i++] = __funnelshift_r(0x80000000u, 1u, 31);
  out[i++] = static_cast<unsigned>(__dp4a(0x01020304, 0x01ff0101, 5));
  out[i++] = __vadd4(0x01ff02ffu, 0x01010101u);
  out[i++] = __vmaxs2(0x0001ffffu, 0x00020000u);
  out[i++] = __vabsdiffu4(0x05000102u, 0x01020304u);
  out[i++] = __umulhi(0xffffffffu, 3u);
  out[i++] = static_cast<unsigned>(__mul24(-3, 5));
  out[i++] = __sad(3, -4, 10);
  out[i++] = static_cast<unsigned>(__hadd(7, 8) + __rhadd(7, 8));
  out[i++] = static_cast<unsigned>(__popcll(~0ull) + __clzll(1));
  out[i++] = max(3u, 5) + min(-1, 4);
  out[i++] = __float_as_uint(1.0f);
}

// ---------------------------------------------------------------- functions

__global__ void functions(double* out) {
  int i = 0;
  out[i++] = fmax(1.0, NAN) + max(NAN, 2.0);
  out[i++] = isfinite(1.0) + 2 * isnan(NAN) + 4 * isinf(INFINITY) + 8 * signbit(-1.0);
  out[i++] = sinpi(0.5) + cospi(1.0);
  out[i++] = __saturatef(1.5f) + __saturatef(-1.0f);
  out[i++] = norm3d(2.0, 3.0, 6.0);
  out[i++] = rint(1000 * rsqrt(4.0)) + rint(100 * rsqrtf(4.0f));
  out[i++] = rint(1e6 * normcdf(0.0)) + rint(1e6 * normcdfinv(0.5));
  out[i++] = rint(1e6 * erfcinv(erfc(0.75)));
  out[i++] = rint(1e6 * erfinv(erf(0.25)));
  double sine, cosine;
  sincos(0.0, &sine, &cosine);
  out[i++] = sine + 2 * cosine;
  out[i++] = rint(1e6 * exp10(-1.0));
  out[i++] = __fdividef(6.0f, 3.0f) + fdividef(1.0f, 4.0f);
}

__global__ void hints(float* out) {
  out[0] = 4;
  float4* four = reinterpret_cast<float4*>(out + 4);
  __stcs(four, make_float4(1, 2, 3, 4));
  __stcg(out + 1, __ldcs(out) + __ldcg(out + 7));
  out[2] = __ldg(four).y;
  const uchar4 bytes = make_uchar4(1, 2, 3, 255);
  out[3] = static_cast<float>(bytes.w + make_short3(1, 2, 3).z);
}

// ---------------------------------------------------------------- atomics

__global__ void atomics(unsigned* out) {
  if (threadIdx.x == 0) {
    out[1] = 2;
    atomicInc(&out[0], 5);
    atomicInc(&out[0], 0);  // wraps
    atomicDec(&out[1], 7);
    atomicDec(&out[2], 7);  // of 0: the bound
    atomicMax(&out[3], 9u);
    atomicXor(&out[4], 0xffu);
    atomicAdd_system(&out[5], 3u);
    out[6] = atomicCAS(&out[5], 3u, 8u) + out[5];
    __half2* pair = reinterpret_cast<__half2*>(&out[7]);
    atomicAdd(pair, __floats2half2_rn(1, 2));
    atomicAdd(pair, __floats2half2_rn(1, 2));
  }
}

}  // namespace

int main() {
  const float third = 0x1.554p-2f;
  compare("half", halves,
          {third, 1.0f, 1.0f + 0x1p-9f, INFINITY, third * third - 0x1.c7p-4f, 0x1p-15f, 1.0f + 0x1p-10f, 1.0f,
           1.0f + 0x1p-10f, 2, -3, 1, 2, 1.4140625f, 4, 6.33203125f, 0xbe00, 2, 2048});
  const float bthird = 0.333984375f;
  compare("bfloat16", bfloats,
          {bthird, 1.0f, 1.0f + 0x1p-6f, bthird * bthird - 0.111328125f, INFINITY, 1.0f, 152.5f});
  compare("other types", other_types, {2, 4, 6, 8});
  const double product = -static_cast<double>(1.1f) * 1.1f;
  compare(
      "rounding", rounding,
      {std::nextafter(1.0f, 2.0f), 1.0, rounded(product, static_cast<float>(product), 1),
       rounded(2.0 / 3, 2.0f / 3, -1), rounded(std::sqrt(2.0), std::sqrt(2.0f), 1), std::nextafter(1.0, 2.0),
       square_down(), std::nextafter(1.0f, 2.0f), 16777218, 23, 0, 2147483647.0, -1});
  compare("bits", bits,
          {8 + 3100 + 40000, 0x80000000u, 0x77116600u, 3u, 3u, 11u, 0x02000300u, 0x00020000u, 0x04020202u, 2u,
           static_cast<unsigned>(-15), 17u, 15u, 64u + 63u, 4u, 0x3f800000u});
  compare("functions", functions,
          {3.0, 15.0, 0.0, 1.0, 7.0, 550.0, 500000.0, 750000.0, 250000.0, 2.0, 100000.0, 2.25});
  compare("hints", hints, {4, 8, 2, 258, 1, 2, 3, 4});
  compare("atomics", atomics, {0, 1, 7, 9, 255, 8, 3 + 8, 0x44004000});
}
