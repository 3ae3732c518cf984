#pragma once
/// @file
/// The machinery of t5: a system of moduli, what is known of the rows of A and the columns of B, and the product in doubles
/// for matrices that residues are not good for. Given: t5 says how many moduli are enough, and computes with them.

#include <climits>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "common/device/cuda.hpp"
#include "common/device/tensor.hpp"
#include "dgemm.hpp"

namespace dgemm {

/// Pairwise coprime; a residue, from -m/2 to m/2, is an int8.
inline constexpr int moduli[] = {256, 255, 253, 251, 247, 241, 239, 233,
                                 229, 227, 223, 217, 211, 199, 197, 193};
inline constexpr int most_moduli = sizeof moduli / sizeof *moduli;
/// Terms of the sums that are computed at once. 2^12 products of 2^14 are far from the 2^31 of an int, and 16 moduli are
/// enough for rows and columns whose elements are of one size.
inline constexpr int most_terms = 4096;

/// The product of 16 moduli is below 2^126: twice a sum fits. Wraps around, so negative numbers need no care.
using Wide = unsigned __int128;

/// What is needed to compute with the first `count` moduli.
struct System {
  int count;
  Wide product;                  ///< M, of all moduli
  Wide cofactor[most_moduli];    ///< M / m
  double modulus[most_moduli];   ///< m
  double fraction[most_moduli];  ///< 1 / m
  int inverse[most_moduli];      ///< (M / m) inverse = 1 modulo m
};

inline System system_of(int count) {
  System s{};
  s.count = count, s.product = 1;
  for (int l = 0; l < count; ++l) s.product *= moduli[l];
  for (int l = 0; l < count; ++l) {
    const int m = moduli[l];
    s.modulus[l] = m, s.fraction[l] = 1.0 / m;
    s.cofactor[l] = s.product / m;
    while (int(s.cofactor[l] % m) * s.inverse[l] % m != 1) ++s.inverse[l];
  }
  return s;
}

/// log2 of the largest sum that so many moduli can tell from all others, by their number: half their product.
struct Ranges {
  double log2[most_moduli + 1];
};

inline Ranges ranges() {
  Ranges r{};
  r.log2[0] = -1;
  for (int l = 0; l < most_moduli; ++l) r.log2[l + 1] = r.log2[l] + std::log2(moduli[l]);
  return r;
}

/// What is known of a row of A, or of a column of B.
struct Line {
  double sum;   ///< of all magnitudes
  double norm;  ///< log2 of the 2-norm
  int top;      ///< all magnitudes are below 2^top
  int lowest;   ///< all elements are multiples of 2^lowest
};

/// @return whether the line can be scaled without overflow or underflow. NaN and infinity cannot.
__device__ inline bool fits(const Line& line) {
  return line.sum == 0 || (line.sum >= 0x1p-400 && line.sum <= 0x1p400);
}

/// @return e: times 2^e, the line's 2-norm is at most the square root of 2^range. So is then each sum of products, at most
/// 2^range (Cauchy, Schwarz).
__device__ inline int exponent(const Line& line, double range) {
  return int(
      floor(range / 2 - line.norm - 1e-9));  // more than the norm and the rounding of elements may be off
}

/// @return the exponent of the lowest bit that is set in x, which is not 0.
__device__ inline int lowest_bit(double x) {
  const long long bits = __double_as_longlong(x), fraction = bits & ((1ll << 52) - 1);
  const int biased = int(bits >> 52 & 0x7ff);
  return biased > 0 ? biased - 1076 + __ffsll(fraction | 1ll << 52) : __ffsll(fraction) - 1075;
}

/// One line per 32 or 8 threads: neighbouring threads read neighbouring doubles, of one row of A or of one row of B.
[[maybe_unused]] static __global__ void __launch_bounds__(256)
    measure(int lines, int terms, const double* __restrict__ X, std::size_t line_step, std::size_t term_step,
            Line* __restrict__ result) {
  __shared__ double largest[8][32], sum[8][32], squares[8][32];
  __shared__ int lowest[8][32];
  const int x = threadIdx.x, y = threadIdx.y;
  const bool row = term_step == 1;
  const int line = row ? blockIdx.x * 8 + y : blockIdx.x * 32 + x, first = row ? x : y, step = row ? 32 : 8;
  double own_largest = 0, own_sum = 0, own_squares = 0;
  int own_lowest = INT_MAX / 2;  // zeros are multiples of any power
  for (int p = first; line < lines && p < terms; p += step) {
    const double value = X[line * line_step + p * term_step];
    own_largest = fmax(own_largest, fabs(value));
    own_sum += fabs(value);
    own_squares += value * value;
    if (value != 0) own_lowest = min(own_lowest, lowest_bit(value));
  }
  largest[y][x] = own_largest, sum[y][x] = own_sum, squares[y][x] = own_squares, lowest[y][x] = own_lowest;
  __syncthreads();
  if (first > 0 || line >= lines) return;
  for (int q = 1; q < step; ++q) {
    const int i = row ? y : q, j = row ? q : x;
    own_largest = fmax(own_largest, largest[i][j]);
    own_sum += sum[i][j];
    own_squares += squares[i][j];
    own_lowest = min(own_lowest, lowest[i][j]);
  }
  const bool known = own_sum >= 0x1p-400 && own_sum <= 0x1p400;  // the squares, too
  result[line] = {own_sum, known ? log2(own_squares) / 2 : 0, known ? ilogb(own_largest) + 1 : 0, own_lowest};
}

/// Writes each line as `count` lines of int8, one after another in planes[z][lines][terms], where terms is k rounded up and
/// the rest is 0. A thread has 16 neighbouring terms. Digit::scaled(x, line) prepares an element, Digit()(x, z) is its byte
/// in plane z.
template <class Digit>
__global__ void __launch_bounds__(256)
    convert(int lines, int k, int terms, const double* __restrict__ X, std::size_t line_step,
            std::size_t term_step, const Line* __restrict__ of_lines, int count, Digit digit,
            std::int8_t* __restrict__ planes) {
  const bool row = term_step == 1;
  const int line = row ? blockIdx.x * 8 + threadIdx.y : blockIdx.x * 32 + threadIdx.x;
  const int first = 16 * (row ? blockIdx.y * 32 + threadIdx.x : blockIdx.y * 8 + threadIdx.y);
  if (line >= lines || first >= terms) return;
  const Line known = of_lines[line];
  double x[16];
#pragma unroll
  for (int p = 0; p < 16; ++p)
    x[p] = first + p < k ? digit.scaled(X[line * line_step + (first + p) * term_step], known) : 0;
  for (int z = 0; z < count; ++z) {
    unsigned word[4] = {};
#pragma unroll
    for (int p = 0; p < 16; ++p) word[p / 4] |= unsigned(std::uint8_t(digit(x[p], z))) << 8 * (p % 4);
    std::int8_t* const to = planes + (std::size_t(z) * lines + line) * terms + first;
    *reinterpret_cast<uint4*>(to) = {word[0], word[1], word[2], word[3]};
  }
}

/// Launches `measure` for lines of so many terms, each line_step doubles after the one before it.
inline void measure_lines(int lines, int terms, const double* X, std::size_t line_step, std::size_t term_step,
                          Line* result) {
  const int per_block = term_step == 1 ? 8 : 32;
  measure<<<(lines + per_block - 1) / per_block, dim3(32, 8)>>>(lines, terms, X, line_step, term_step,
                                                                result);
  ladder::check(cudaGetLastError());
}

/// Launches `convert`.
template <class Digit>
void convert_lines(int lines, int k, int terms, const double* X, std::size_t line_step, std::size_t term_step,
                   const Line* of_lines, int count, Digit digit, std::int8_t* planes) {
  const int per_block = term_step == 1 ? 8 : 32, terms_per_block = term_step == 1 ? 512 : 128;
  const dim3 grid((lines + per_block - 1) / per_block, (terms + terms_per_block - 1) / terms_per_block);
  convert<<<grid, dim3(32, 8)>>>(lines, k, terms, X, line_step, term_step, of_lines, count, digit, planes);
  ladder::check(cudaGetLastError());
}

/// C = A B in doubles, one block per 128 x 128 elements: t1's kernel without pairs and asynchronous copies.
[[maybe_unused]] static __global__ void __launch_bounds__(256) double_product(Problem p) {
  using Shape = ladder::tensor::Double16x8x8;
  constexpr int tile = 128, depth = 8, pad = 4;
  __shared__ double As[tile][depth + pad], Bs[depth][tile + pad];
  const int thread = threadIdx.x, warp = thread / 32, lane = thread % 32;
  const int row0 = blockIdx.y * tile, col0 = blockIdx.x * tile, i0 = warp / 2 * 32, j0 = warp % 2 * 64;
  Shape::C sum[2][8] = {};
  for (int p0 = 0; p0 < p.k; p0 += depth) {
    for (int e = thread; e < tile * depth; e += 256) {
      const int i = e / depth, of_a = p0 + e % depth, of_b = p0 + e / tile, j = e % tile;
      As[i][e % depth] = row0 + i < p.m && of_a < p.k ? p.A[std::size_t(row0 + i) * p.lda + of_a] : 0;
      Bs[e / tile][j] = of_b < p.k && col0 + j < p.n ? p.B[std::size_t(of_b) * p.ldb + col0 + j] : 0;
    }
    __syncthreads();
    Shape::A a[2];
#pragma unroll
    for (int i = 0; i < 2; ++i) a[i] = ladder::tensor::load_a<Shape>(&As[i0 + 16 * i][0], depth + pad);
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      const Shape::B b = ladder::tensor::load_b<Shape>(&Bs[0][j0 + 8 * j], tile + pad);
#pragma unroll
      for (int i = 0; i < 2; ++i) ladder::tensor::multiply_add<Shape>(sum[i][j], a[i], b);
    }
    __syncthreads();
  }
#pragma unroll
  for (int part = 0; part < 64; ++part) {
    const int i = part / 32, j = part / 4 % 8, e = part % 4;
    const ladder::tensor::Place place = Shape::place_c(lane, e);
    const int row = row0 + i0 + 16 * i + place.row, col = col0 + j0 + 8 * j + place.column;
    if (row < p.m && col < p.n) p.C[std::size_t(row) * p.ldc + col] = sum[i][j][e];
  }
}

}  // namespace dgemm
