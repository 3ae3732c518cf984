/// @file
/// Tensor-core operations: products of small integers, which are exact in every format, against loops. Also
/// for nvcc.

#include "common/device/tensor.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

#include "common/base/random.hpp"
#include "common/device/cuda.hpp"

namespace {

namespace tensor = ladder::tensor;
using ladder::check;

void report(const char* name, bool right) {
  std::printf("%s %s\n", right ? "OK" : "WRONG", name);
}

template <class Number>
Number number(int value) {
  if constexpr (std::is_arithmetic_v<Number>)
    return static_cast<Number>(value);
  else
    return Number(static_cast<float>(value));
}

/// C += A B, by one warp.
template <class Shape>
__global__ void product(const typename Shape::Input* A, const typename Shape::Input* B,
                        decltype(Shape::C::x[0] + 0)* C) {
  const auto a = tensor::load_a<Shape>(A, Shape::k);
  const auto b = tensor::load_b<Shape>(B, Shape::n);
  auto c = tensor::load_c<Shape>(C, Shape::n);
  tensor::multiply_add<Shape>(c, a, b);
  tensor::store<Shape>(C, Shape::n, c);
}

template <class T>
ladder::DeviceBuffer<T> on_device(const std::vector<T>& values) {
  ladder::DeviceBuffer<T> buffer(values.size());
  check(cudaMemcpy(buffer.get(), values.data(), buffer.bytes(), cudaMemcpyHostToDevice));
  return buffer;
}

template <class Shape>
void try_product(const char* name) {
  using Input = typename Shape::Input;
  using Sum = decltype(Shape::C::x[0] + 0);
  constexpr int m = Shape::m, n = Shape::n, k = Shape::k;
  std::vector<Input> A(m * k), B(k * n);
  std::vector<Sum> C(m * n), expected(m * n);
  for (int i = 0; i < m * k; ++i) A[i] = number<Input>(i * 7 % 23 - 11);
  for (int i = 0; i < k * n; ++i) B[i] = number<Input>(i * 5 % 19 - 9);
  for (int i = 0; i < m * n; ++i) C[i] = expected[i] = static_cast<Sum>(i % 10);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j)
      for (int p = 0; p < k; ++p)
        expected[i * n + j] += static_cast<Sum>(((i * k + p) * 7 % 23 - 11) * ((p * n + j) * 5 % 19 - 9));
  const auto dA = on_device(A), dB = on_device(B);
  const auto dC = on_device(C);
  product<Shape><<<1, 32>>>(dA.get(), dB.get(), dC.get());
  check(cudaGetLastError());
  check(cudaMemcpy(C.data(), dC.get(), dC.bytes(), cudaMemcpyDeviceToHost));
  report(name, C == expected);
}

/// C += A B with k = steps * Shape::k: the operands change right after each operation.
template <class Shape>
__global__ void long_product(int steps, const double* A, const double* B, double* C) {
  auto c = tensor::load_c<Shape>(C, Shape::n);
  for (int step = 0; step < steps; ++step) {
    const auto a = tensor::load_a<Shape>(A + step * Shape::k, steps * Shape::k);
    const auto b = tensor::load_b<Shape>(B + step * Shape::k * Shape::n, Shape::n);
    tensor::multiply_add<Shape>(c, a, b);
  }
  tensor::store<Shape>(C, Shape::n, c);
}

/// Random doubles against a plain product, whose sums are in another order on some GPUs.
template <class Shape>
void try_random(const char* name, std::uint64_t seed) {
  constexpr int steps = 5, m = Shape::m, n = Shape::n, k = steps * Shape::k;
  ladder::Random random(seed);
  std::vector<double> A(m * k), B(k * n), C(m * n);
  for (auto* matrix : {&A, &B, &C})
    for (double& x : *matrix) x = random.uniform(-1, 1);
  const auto dA = on_device(A), dB = on_device(B), dC = on_device(C);
  long_product<Shape><<<1, 32>>>(steps, dA.get(), dB.get(), dC.get());
  check(cudaGetLastError());
  std::vector<double> got(m * n);
  check(cudaMemcpy(got.data(), dC.get(), dC.bytes(), cudaMemcpyDeviceToHost));
  bool right = true;
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      double sum = C[i * n + j], size = std::abs(sum);
      for (int p = 0; p < k; ++p)
        sum += A[i * k + p] * B[p * n + j], size += std::abs(A[i * k + p] * B[p * n + j]);
      right = right && std::abs(got[i * n + j] - sum) <= (k + 1) * 2.3e-16 * size;
    }
  report(name, right);
  if (!right) std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
}

// ---------------------------------------------------------------- layouts as the PTX ISA states them

using Places = tensor::Place (*)(int group, int lane_of_group, int i);

/// Compares a layout with the formulas of the PTX ISA (section "Matrix fragments for mma"), which know
/// nothing of ours.
template <class Ours>
void try_layout(const char* name, int count, Ours ours, Places isa) {
  bool right = true;
  for (int lane = 0; lane < 32; ++lane)
    for (int i = 0; i < count; ++i) {
      const tensor::Place mine = ours(lane, i), stated = isa(lane / 4, lane % 4, i);
      right = right && mine.row == stated.row && mine.column == stated.column;
    }
  report(name, right);
}

void layouts() {
  using tensor::Place;
  const auto a = [](auto shape) { return [](int lane, int i) { return decltype(shape)::place_a(lane, i); }; };
  const auto b = [](auto shape) { return [](int lane, int i) { return decltype(shape)::place_b(lane, i); }; };
  const auto c = [](auto shape) { return [](int lane, int i) { return decltype(shape)::place_c(lane, i); }; };
  const tensor::Half16x8x8 half8;
  const tensor::Half16x8x16 half16;
  const tensor::Tf32_16x8x8 tf32;
  const tensor::Double16x8x4 double4;
  const tensor::Double16x8x8 double8;
  const tensor::Int8_16x8x16 int8_16;
  const tensor::Int8_16x8x32 int8_32;
  try_layout("half 8, A", 4, a(half8), [](int g, int t, int i) {
    return Place{i < 2 ? g : g + 8, t * 2 + (i & 1)};
  });
  try_layout("half 8, B", 2, b(half8), [](int g, int t, int i) { return Place{t * 2 + i, g}; });
  try_layout("half 16, A", 8, a(half16), [](int g, int t, int i) {
    return Place{i < 2 || (i >= 4 && i < 6) ? g : g + 8, t * 2 + (i & 1) + (i >= 4 ? 8 : 0)};
  });
  try_layout("half 16, B", 4, b(half16), [](int g, int t, int i) {
    return Place{t * 2 + (i & 1) + (i >= 2 ? 8 : 0), g};
  });
  try_layout("16 x 8, C", 4, c(half16), [](int g, int t, int i) {
    return Place{i < 2 ? g : g + 8, t * 2 + (i & 1)};
  });
  try_layout("tf32, A", 4, a(tf32), [](int g, int t, int i) {
    return Place{i == 0 || i == 2 ? g : g + 8, i < 2 ? t : t + 4};
  });
  try_layout("tf32, B", 2, b(tf32), [](int g, int t, int i) { return Place{i == 0 ? t : t + 4, g}; });
  try_layout("double 4, A", 2, a(double4), [](int g, int t, int i) { return Place{i == 0 ? g : g + 8, t}; });
  try_layout("double 4, B", 1, b(double4), [](int g, int t, int) { return Place{t, g}; });
  try_layout("double 8, A", 4, a(double8), [](int g, int t, int i) {
    return Place{i % 2 == 0 ? g : g + 8, i < 2 ? t : t + 4};
  });
  try_layout("double 8, B", 2, b(double8), [](int g, int t, int i) { return Place{i < 1 ? t : t + 4, g}; });
  try_layout("double, C", 4, c(double8), [](int g, int t, int i) {
    return Place{i < 2 ? g : g + 8, t * 2 + (i & 1)};
  });
  try_layout("int8 16, A", 8, a(int8_16), [](int g, int t, int i) {
    return Place{i < 4 ? g : g + 8, t * 4 + (i & 3)};
  });
  try_layout("int8 16, B", 4, b(int8_16), [](int g, int t, int i) { return Place{t * 4 + (i & 3), g}; });
  try_layout("int8 32, A", 16, a(int8_32), [](int g, int t, int i) {
    return Place{i < 4 || (i >= 8 && i < 12) ? g : g + 8, t * 4 + (i & 3) + (i >= 8 ? 16 : 0)};
  });
  try_layout("int8 32, B", 8, b(int8_32), [](int g, int t, int i) {
    return Place{t * 4 + (i & 3) + (i >= 4 ? 16 : 0), g};
  });
}

// ---------------------------------------------------------------- fragments by hand

/// The layout as the PTX ISA writes it, without this project's functions.
__global__ void by_hand(double* C) {
  const int lane = threadIdx.x, g = lane / 4, t = lane % 4;
  tensor::Double8x8x4::A a;
  tensor::Double8x8x4::B b;
  tensor::Double8x8x4::C c;
  a[0] = g * 10 + t;   // A[i][k] = 10 i + k
  b[0] = t + g * 100;  // B[k][j] = k + 100 j
  c[0] = c[1] = 1;
  tensor::multiply_add<tensor::Double8x8x4>(c, a, b);
  C[g * 8 + 2 * t] = c[0];
  C[g * 8 + 2 * t + 1] = c[1];
}

void fragments_by_hand() {
  ladder::DeviceBuffer<double> dC(64);
  by_hand<<<1, 32>>>(dC.get());
  std::vector<double> C(64);
  check(cudaMemcpy(C.data(), dC.get(), dC.bytes(), cudaMemcpyDeviceToHost));
  bool right = true;
  for (int i = 0; i < 8; ++i) {
    for (int j = 0; j < 8; ++j) {
      double expected = 1;
      for (int k = 0; k < 4; ++k) expected += (10 * i + k) * (k + 100.0 * j);
      right = right && C[i * 8 + j] == expected;
    }
  }
  report("fragments by hand", right);
}

// ---------------------------------------------------------------- ldmatrix

template <bool Transposed>
__global__ void matrices(unsigned* out) {
  __shared__ alignas(16) unsigned short rows[32][8];
  for (int j = 0; j < 8; ++j) rows[threadIdx.x][j] = static_cast<unsigned short>(threadIdx.x * 8 + j);
  __syncwarp();
  std::uint32_t registers[4];
  tensor::load_matrices<Transposed>(registers, rows[threadIdx.x]);
  for (int i = 0; i < 4; ++i) out[threadIdx.x * 4 + i] = registers[i];
}

template <bool Transposed>
void try_matrices(const char* name) {
  ladder::DeviceBuffer<unsigned> out(128);
  matrices<Transposed><<<1, 32>>>(out.get());
  std::vector<unsigned> values(128);
  check(cudaMemcpy(values.data(), out.get(), out.bytes(), cudaMemcpyDeviceToHost));
  bool right = true;
  for (unsigned lane = 0; lane < 32; ++lane) {
    for (unsigned i = 0; i < 4; ++i) {
      const unsigned r = lane / 4, c = lane % 4 * 2;
      const unsigned low = Transposed ? (8 * i + c) * 8 + r : (8 * i + r) * 8 + c;
      const unsigned high = Transposed ? (8 * i + c + 1) * 8 + r : low + 1;
      right = right && values[lane * 4 + i] == (low | high << 16);
    }
  }
  report(name, right);
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t seed =
      argc > 1 ? std::strtoull(argv[1], nullptr, 10) : static_cast<std::uint64_t>(std::time(nullptr));
  try_random<tensor::Double8x8x4>("random double 8 x 8 x 4", seed);
  try_random<tensor::Double16x8x4>("random double 16 x 8 x 4", seed);
  try_random<tensor::Double16x8x8>("random double 16 x 8 x 8", seed);
  try_product<tensor::Double8x8x4>("double");
  try_product<tensor::Double16x8x4>("double 16 x 8 x 4");
  try_product<tensor::Double16x8x8>("double 16 x 8 x 8");
  try_product<tensor::Half16x8x16>("half 16");
  try_product<tensor::Half16x8x8>("half 8");
  try_product<tensor::Bfloat16x8x16>("bfloat16 16");
  try_product<tensor::Bfloat16x8x8>("bfloat16 8");
  try_product<tensor::Tf32_16x8x8>("tf32");
  try_product<tensor::Int8_16x8x32>("int8 32");
  try_product<tensor::Int8_16x8x16>("int8 16");
  layouts();
  fragments_by_hand();
  try_matrices<false>("matrices");
  try_matrices<true>("transposed matrices");
}
