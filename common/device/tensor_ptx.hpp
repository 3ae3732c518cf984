#pragma once
/// @file
/// Tensor-core operations of a GPU, as PTX. Included by tensor.hpp.

#include "common/device/tensor_shapes.hpp"

namespace ladder::tensor::details {

/// The fragment as the 32-bit registers that PTX wants.
template <int Registers, class T, int Count>
__device__ void registers_of(const Fragment<T, Count>& fragment, std::uint32_t (&registers)[Registers]) {
  static_assert(sizeof fragment == sizeof registers);
  memcpy(registers, &fragment, sizeof registers);
}

__device__ inline int lane() {
  unsigned number;
  asm("mov.u32 %0, %%laneid;" : "=r"(number));
  return static_cast<int>(number);
}

__device__ inline void run(Double8x8x4, Fragment<double, 2>& c, const Fragment<double, 1>& a,
                           const Fragment<double, 1>& b) {
#if __CUDA_ARCH__ >= 800
  asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
      : "+d"(c[0]), "+d"(c[1])
      : "d"(a[0]), "d"(b[0]));
#else
  const int row = lane() / 4 * 4, column = lane() % 4 * 8;  // first lanes of a row of A, of a column of B
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const double of_a = __shfl_sync(0xffffffffu, a[0], row + k);
    c[0] += of_a * __shfl_sync(0xffffffffu, b[0], column + k);
    c[1] += of_a * __shfl_sync(0xffffffffu, b[0], column + 4 + k);
  }
#endif
}

__device__ inline void run(Double16x8x4, Double16x8x4::C& c, const Double16x8x4::A& a,
                           const Double16x8x4::B& b) {
#if __CUDA_ARCH__ >= 900
  asm("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
      : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
      : "d"(a[0]), "d"(a[1]), "d"(b[0]));
#else
#pragma unroll
  for (int half = 0; half < 2; ++half) {  // rows 0 to 7, rows 8 to 15
    Double8x8x4::C sums{{c[2 * half], c[2 * half + 1]}};
    run(Double8x8x4{}, sums, {{a[half]}}, b);
    c[2 * half] = sums[0];
    c[2 * half + 1] = sums[1];
  }
#endif
}

__device__ inline void run(Double16x8x8, Double16x8x8::C& c, const Double16x8x8::A& a,
                           const Double16x8x8::B& b) {
#if __CUDA_ARCH__ >= 900
  asm("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
      : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));
#else
  run(Double16x8x4{}, c, {{a[0], a[1]}}, {{b[0]}});
  run(Double16x8x4{}, c, {{a[2], a[3]}}, {{b[1]}});
#endif
}

// A macro a number of registers: the instruction's name is text.
#define LADDER_TENSOR_FOUR_TWO(SHAPE, INSTRUCTION, LETTER)                                                 \
  __device__ inline void run(SHAPE, SHAPE::C& c, const SHAPE::A& a, const SHAPE::B& b) {                   \
    std::uint32_t x[4], y[2];                                                                              \
    registers_of(a, x);                                                                                    \
    registers_of(b, y);                                                                                    \
    asm("mma.sync.aligned." INSTRUCTION " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};" \
        : "+" LETTER(c[0]), "+" LETTER(c[1]), "+" LETTER(c[2]), "+" LETTER(c[3])                           \
        : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));                               \
  }
#define LADDER_TENSOR_TWO_ONE(SHAPE, INSTRUCTION, LETTER)                                      \
  __device__ inline void run(SHAPE, SHAPE::C& c, const SHAPE::A& a, const SHAPE::B& b) {       \
    std::uint32_t x[2], y[1];                                                                  \
    registers_of(a, x);                                                                        \
    registers_of(b, y);                                                                        \
    asm("mma.sync.aligned." INSTRUCTION " {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};" \
        : "+" LETTER(c[0]), "+" LETTER(c[1]), "+" LETTER(c[2]), "+" LETTER(c[3])               \
        : "r"(x[0]), "r"(x[1]), "r"(y[0]));                                                    \
  }
LADDER_TENSOR_FOUR_TWO(Half16x8x16, "m16n8k16.row.col.f32.f16.f16.f32", "f")
LADDER_TENSOR_FOUR_TWO(Bfloat16x8x16, "m16n8k16.row.col.f32.bf16.bf16.f32", "f")
LADDER_TENSOR_FOUR_TWO(Tf32_16x8x8, "m16n8k8.row.col.f32.tf32.tf32.f32", "f")
#if __CUDA_ARCH__ >= 800 || !defined __CUDA_ARCH__
LADDER_TENSOR_FOUR_TWO(Int8_16x8x32, "m16n8k32.row.col.s32.s8.s8.s32", "r")
#endif
LADDER_TENSOR_TWO_ONE(Half16x8x8, "m16n8k8.row.col.f32.f16.f16.f32", "f")
LADDER_TENSOR_TWO_ONE(Bfloat16x8x8, "m16n8k8.row.col.f32.bf16.bf16.f32", "f")
LADDER_TENSOR_TWO_ONE(Int8_16x8x16, "m16n8k16.row.col.s32.s8.s8.s32", "r")
#undef LADDER_TENSOR_FOUR_TWO
#if __CUDA_ARCH__ < 800 && defined __CUDA_ARCH__
__device__ inline void run(Int8_16x8x32, Int8_16x8x32::C& c, const Int8_16x8x32::A& a,
                           const Int8_16x8x32::B& b) {
  std::uint32_t x[4], y[2];
  registers_of(a, x);
  registers_of(b, y);
  const int row = lane() / 4 * 4, column = lane() % 4 * 8;  // first lanes of a row of A, of a column of B
#pragma unroll
  for (int word = 0; word < 8; ++word) {
    const int at = word % 4, half = word / 4;  // four terms: in the registers of lane `at` of four
    const int upper = __shfl_sync(0xffffffffu, x[2 * half], row + at);
    const int lower = __shfl_sync(0xffffffffu, x[2 * half + 1], row + at);
    const int left = __shfl_sync(0xffffffffu, y[half], column + at);
    const int right = __shfl_sync(0xffffffffu, y[half], column + 4 + at);
    c[0] = __dp4a(upper, left, c[0]), c[1] = __dp4a(upper, right, c[1]);
    c[2] = __dp4a(lower, left, c[2]), c[3] = __dp4a(lower, right, c[3]);
  }
}
#endif
#undef LADDER_TENSOR_TWO_ONE

/// `ldmatrix`: 8 x 8 matrices of 16-bit elements from shared memory.
template <bool Transposed>
__device__ void load(std::uint32_t (&r)[1], const void* row) {
  const auto address = static_cast<std::uint32_t>(__cvta_generic_to_shared(row));
  if constexpr (Transposed)
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];"
                 : "=r"(r[0])
                 : "r"(address)
                 : "memory");
  else
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"
                 : "=r"(r[0])
                 : "r"(address)
                 : "memory");
}
template <bool Transposed>
__device__ void load(std::uint32_t (&r)[2], const void* row) {
  const auto address = static_cast<std::uint32_t>(__cvta_generic_to_shared(row));
  if constexpr (Transposed)
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
                 : "=r"(r[0]), "=r"(r[1])
                 : "r"(address)
                 : "memory");
  else
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                 : "=r"(r[0]), "=r"(r[1])
                 : "r"(address)
                 : "memory");
}
template <bool Transposed>
__device__ void load(std::uint32_t (&r)[4], const void* row) {
  const auto address = static_cast<std::uint32_t>(__cvta_generic_to_shared(row));
  if constexpr (Transposed)
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(address)
                 : "memory");
  else
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(address)
                 : "memory");
}

}  // namespace ladder::tensor::details
