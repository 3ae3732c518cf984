#pragma once
/// @file
/// The machinery of t5: a system of moduli, what is known of the rows of A and the columns of B, planes of
/// bytes and where an element is in them, and the product in doubles for matrices that residues are not good
/// for. Given: t5 says how many moduli are enough, and computes with them.

#include <array>
#include <climits>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "common/device/cuda.hpp"
#include "common/device/tensor.hpp"
#include "problem.hpp"

namespace dgemm {

/// Pairwise coprime; a residue, from -m/2 to m/2, is an int8.
inline constexpr int moduli[] = {256, 255, 253, 251, 247, 241, 239, 233,
                                 229, 227, 223, 217, 211, 199, 197, 193};
inline constexpr int max_moduli = sizeof moduli / sizeof *moduli;
/// Terms of a sum: 2^16 products of 2^14 stay below the 2^31 of an int.
inline constexpr int max_terms = 1 << 16;
static_assert(std::int64_t{max_terms} * 128 * 128 < INT_MAX);

/// The product of 16 moduli is below 2^126: twice a sum fits. Wraps around, so negative numbers need no care.
using Wide = unsigned __int128;

/// A number in words of 32 bits, the lowest first, each from -2^31 to 2^31: sums of products of these and of
/// small numbers fit into 64 bits, and become one number at the end.
struct Words {
  int word[4];
};
constexpr Words words_of(__int128 x) {
  Words w{};
  for (int& word : w.word) {
    word = int(unsigned(Wide(x)));
    x = (x - word) >> 32;
  }
  return w;
}

/// By what a line is multiplied before it is rounded.
struct Scale {
  double value, inverse;
};

/// What is needed to compute modulo m with bytes: x = sum of x_i 256^i has the residue of the sum of x_i
/// (256^i modulo m).
struct Modulus {
  unsigned powers[2];         ///< 256^i modulo m, a byte each: i = 0 to 3, 4 to 7
  unsigned start32, start64;  ///< the bits of a float, 2^23 and more, that is -2^31, -2^63 modulo m
  float m, inverse, shift;
};

/// @param bits  of a float x, an integer from 2^23 to 2^23 + 2^20
/// @return a number whose lowest byte is x modulo m, from -m/2 to m/2
__device__ inline unsigned residue_of(unsigned bits, const Modulus& modulus) {
  const float x = __uint_as_float(bits);
  // Near 2^23 a float is an integer: adding 1.5 * 2^23 rounds x / m. `shift` takes it away again, and a
  // multiple of 256 more so that what is left of x is near 2^23, too: its last bits are then the residue.
  const float quotient = fmaf(x, modulus.inverse, 0x1.8p23f) - modulus.shift;
  return __float_as_uint(fmaf(-modulus.m, quotient, x));
}

/// The lowest bytes of four words, in one.
__device__ inline unsigned packed(unsigned a, unsigned b, unsigned c, unsigned d) {
  return __byte_perm(__byte_perm(a, b, 0x0040), __byte_perm(c, d, 0x0040), 0x5410);
}

/// @param sum  words of 32 bits and more of an integer x, the lowest first
/// @return x over both scales, rounded once where the scales have few bits
__device__ inline double unscaled(const long long (&sum)[4], Scale a, Scale b) {
  const Wide x = (Wide(sum[3]) << 96) + (Wide(sum[2]) << 64) + (Wide(sum[1]) << 32) + Wide(sum[0]);
  const auto low = (long long)x, high = (long long)(x >> 64) + (low < 0);  // x = 2^64 high + low
  const double upper = double(high), top = upper * 0x1p64;
  const double rest = double(high - (long long)upper) * 0x1p64 + double(low);
  const double whole = top + rest, lost = rest - (whole - top);
  const double divisor = a.value * b.value, inverse = a.inverse * b.inverse, first = whole * inverse;
  return fma(fma(-first, divisor, whole) + lost, inverse, first);
}

/// Two moduli, m and m', and the way back: r and r' are the residues of r * first + r' * second, a number
/// below 2^23. This times `weight` has the same residues, and residue 0 for all other moduli.
struct Pair {
  int first_second;  ///< 16 bits each, the first in the lower
  Words weight;
  int fraction;  ///< 2^32 weight / M, rounded
};

/// What is needed to compute with the first `count` moduli, and to come back from their residues.
struct System {
  int count;
  Modulus modulus[max_moduli];
  Pair pair[max_moduli / 2];
  Words product;  ///< M, of all moduli
};

/// std::lrint, for a table that the compiler makes.
constexpr int rounded(double x) {
  return x < 0 ? -int(0.5 - x) : int(x + 0.5);
}

constexpr System computed_system(int count) {
  System s{};
  s.count = count;
  Wide product = 1;
  for (int l = 0; l < count; ++l) product *= moduli[l];
  s.product = words_of(__int128(product));
  const auto centred = [](auto x, auto m) { return x > m / 2 ? x - m : x; };
  const auto one_of = [](Wide others, int m) {  // a multiple of `others` that has residue 1 modulo m
    int factor = 1;
    while (int(others % m) * factor % m != 1 % m) ++factor;
    return others * factor;
  };
  for (int l = 0; l < count; ++l) {
    const unsigned m = moduli[l];
    Modulus& modulus = s.modulus[l];
    unsigned power = 1;
    for (int i = 0; i < 8; ++i, power = power * 256 % m) modulus.powers[i / 4] |= power << 8 * (i % 4);
    const auto start = [m](Wide bias) { return 0x4b000000u + unsigned((m - (bias + 0x800000) % m) % m); };
    modulus.start32 = start(Wide(1) << 31), modulus.start64 = start(Wide(1) << 63);
    const unsigned quotient = 0xc00000 / (256 * m) * 256;
    modulus.m = float(m), modulus.inverse = 1.0f / float(m), modulus.shift = 0x1.8p23f + float(quotient);
  }
  for (int l = 0; l < count; l += 2) {
    const int m = moduli[l], other = l + 1 < count ? moduli[l + 1] : 1;
    const int first = centred(int(one_of(other, m)), m * other);
    const int second = centred(int(one_of(m, other)) % (m * other), m * other);
    const Wide weight = (one_of(product / m, m) + (other > 1 ? one_of(product / other, other) : 0)) % product;
    const auto centre = centred(__int128(weight), __int128(product));
    s.pair[l / 2] = {int(unsigned(first) & 0xffffu | unsigned(second) << 16), words_of(centre),
                     rounded(double(centre) / double(product) * 0x1p32)};
  }
  return s;
}

/// The systems of 0 to max_moduli moduli.
inline constexpr auto systems = [] {
  std::array<System, max_moduli + 1> all{};
  for (int count = 0; count <= max_moduli; ++count) all[count] = computed_system(count);
  return all;
}();

/// For each number of moduli, what sums they can tell from all others and how accurate that is.
struct Ranges {
  /// log2 of the largest sum: half the product, and a little less, so that `combine` finds the multiple of M
  /// surely.
  double log2[max_moduli + 1];
  /// The least |A| |B|, in units of the norms, for which rounding moves a sum, in the root mean square, by u
  /// |A| |B| / 4, or by u |A| |B| / 32 where there are fewer than 1024 terms: sums of few doubles are more
  /// accurate if neighbours cancel. With the norms N: a scaled element moves by 1 / sqrt(12), the sum by N(b)
  /// / scale(a) / sqrt(12), and 1 / scale(a) is at most N(a) 2^(-range / 2) 17 / 16; where B is rounded, too,
  /// by sqrt(2) times as much.
  float one[max_moduli + 1], both[max_moduli + 1];
};

inline Ranges ranges(int terms) {
  Ranges r{};
  r.log2[0] = -1.05;
  for (int l = 0; l < max_moduli; ++l) r.log2[l + 1] = r.log2[l] + std::log2(moduli[l]);
  for (int l = 0; l <= max_moduli; ++l) {
    const double least = std::exp2(53 - r.log2[l] / 2) * 17 / 16 * (terms < 1024 ? 32 : 4) / std::sqrt(12);
    r.one[l] = float(least), r.both[l] = float(std::sqrt(2) * least);
  }
  return r;
}

/// What is known of a row of A, or of a column of B.
struct Line {
  double norm;   ///< log2 of the 2-norm
  int top;       ///< all magnitudes are below 2^top
  int lowest;    ///< all elements are multiples of 2^lowest
  float weight;  ///< 2^(top - 7) over the 2-norm; 0 where there is none
  /// So many moduli keep all bits of all elements; 0: all are zero; above max_moduli + 1: NaN, too large …
  int exact;
};

/// @return e: times 2^e, the line's 2-norm is at most the square root of 2^range. So is then each sum of
/// products, at most 2^range (Cauchy, Schwarz).
__device__ inline int exponent(const Line& line, double range) {
  return int(
      floor(range / 2 - line.norm - 1e-9));  // more than the norm and the rounding of elements may be off
}

/// What the elements of a line are multiplied by. Where 2^exponent makes them all integers, that; else more
/// bits are kept by a number of five bits, so that the quotient by two scales is easily rounded.
__device__ inline double scale_of(const Line& line, double range) {
  const int e = exponent(line, range);
  const double largest = exp2(range / 2 - line.norm - 1e-9);
  return line.lowest + e >= 0 ? ldexp(1.0, e)
                              : __longlong_as_double(__double_as_longlong(largest) & ~((1ll << 48) - 1));
}

/// @return the integer nearest to x * scale, below 2^62, with no rounding in between.
__device__ inline long long scaled(double x, double scale) {
  const double product = x * scale, rest = fma(x, scale, -product), nearest = rint(product);
  return __double2ll_rn(nearest) + __double2int_rn(product - nearest + rest);
}

/// @return the exponent of the lowest bit that is set in x, which is not 0.
__device__ inline int lowest_bit(double x) {
  const long long bits = __double_as_longlong(x);
  const int low = int(bits), high = int(bits >> 32), biased = high >> 20 & 0x7ff;
  const int lowest = low ? __ffs(low) - 1 : __ffs(high & 0xfffff | 1 << 20) + 31;
  return biased > 0 ? biased - 1075 + lowest : __ffsll(bits & (1ll << 52) - 1) - 1075;
}

/// 32 lines per block, 32 threads per line: neighbouring threads read neighbouring doubles, of one row of A
/// or of one row of B.
[[maybe_unused]] static __global__ void __launch_bounds__(1024)
    measure(int lines, int terms, const double* __restrict__ X, std::size_t line_step, std::size_t term_step,
            Ranges ranges, Line* __restrict__ result) {
  __shared__ double largest[32][33], sums[32][33], squares[32][33];
  __shared__ int lowest[32][33];
  const int x = threadIdx.x, y = threadIdx.y;
  const bool row = term_step == 1;
  const int line0 = blockIdx.x * 32, own = line0 + (row ? y : x);
  double own_largest = 0, own_sum = 0, own_squares = 0;
  int own_lowest = INT_MAX / 2;  // zeros are multiples of any power
  if (own < lines) {
    const double* const from = X + own * line_step;
#pragma unroll 8
    for (int p = row ? x : y; p < terms; p += 32) {
      const double value = from[p * term_step];
      own_largest = fmax(own_largest, fabs(value));
      own_sum += fabs(value);
      own_squares = fma(value, value, own_squares);
      if (value != 0) own_lowest = min(own_lowest, lowest_bit(value));
    }
  }
  const int i = row ? y : x, j = row ? x : y;  // line, part
  largest[i][j] = own_largest, sums[i][j] = own_sum, squares[i][j] = own_squares, lowest[i][j] = own_lowest;
  __syncthreads();
  if (y > 0 || line0 + x >= lines) return;
  own_largest = own_sum = own_squares = 0;
  for (int q = 0; q < 32; ++q) {
    own_largest = fmax(own_largest, largest[x][q]);
    own_sum += sums[x][q];
    own_squares += squares[x][q];
    own_lowest = q == 0 ? lowest[x][0] : min(own_lowest, lowest[x][q]);
  }
  Line line{0, 0, own_lowest, 0, 0};
  if (own_sum != 0) {
    // Without overflow and underflow of squares and scales. NaN and infinity fail, too.
    const bool good = own_sum >= 0x1p-400 && own_sum <= 0x1p400;
    line.norm = good ? log2(own_squares) / 2 : 0;
    line.top = good ? ilogb(own_largest) + 1 : 0;
    line.weight = good ? float(exp2(line.top - 7 - line.norm)) : 0;
    line.exact = good ? 1 : max_moduli + 2;
    while (line.exact <= max_moduli && line.lowest + exponent(line, ranges.log2[line.exact]) < 0)
      ++line.exact;
  }
  result[line0 + x] = line;
}

/// Planes of bytes, one after another: `lines` x `terms`, both rounded up, in tiles of 128 lines x 128 bytes.
/// In a tile the groups of 16 bytes change places from line to line, as Hopper's `wgmma` wants it in shared
/// memory ("128-byte swizzle"): so one plain copy brings a tile.
struct Planes {
  std::int8_t* bytes;
  int lines, terms;  // multiples of 256 and 128

  static int lines_of(int lines) { return (lines + 255) / 256 * 256; }
  static int terms_of(int terms) { return (terms + 127) / 128 * 128; }
  __host__ __device__ std::size_t plane() const { return std::size_t(lines) * terms; }
  /// @param term  a multiple of 16
  /// @return where in plane z 16 terms of a line are
  __device__ std::int8_t* place(int z, int line, int term) const {
    const std::size_t tile = std::size_t(line / 128) * (terms / 128) + term / 128;
    return bytes + z * plane() + tile * 16384 + line % 128 * 128 + (term / 16 % 8 ^ line % 8) * 16;
  }
};

/// Writes each line as `count` lines of int8; what is not in X is 0. A block has 32 lines and 128 terms.
/// Digits::scale(line) is what its elements are multiplied by, Digits::integer(x, scale) such an element, and
/// the lowest bits of Digits::byte(integer, z) its byte in plane z.
/// @param scales  gets the scales; may be null
template <class Digits>
__global__ void __launch_bounds__(256)
    convert(int lines, int terms, const double* __restrict__ X, std::size_t line_step, std::size_t term_step,
            const Line* __restrict__ of_lines, int count, Digits digits, Planes to, Scale* scales) {
  __shared__ double
      part[32][137];  // a gap after 16 terms: neighbouring groups of 16, and lines, are in different banks
  __shared__ double scale[32];
  const int thread = threadIdx.x, line0 = blockIdx.x * 32, term0 = blockIdx.y * 128;
  const bool row = term_step == 1;
#pragma unroll
  for (int e = 0; e < 16; ++e) {
    const int x = thread % 32, y = thread / 32;
    const int line = row ? y + e / 4 * 8 : x, term = row ? x + e % 4 * 32 : y + e * 8;
    const bool inside = line0 + line < lines && term0 + term < terms;
    part[line][term + term / 16] = inside ? X[(line0 + line) * line_step + (term0 + term) * term_step] : 0;
  }
  if (thread < 32) {
    scale[thread] = line0 + thread < lines ? digits.scale(of_lines[line0 + thread]) : 0;
    if (scales && blockIdx.y == 0 && line0 + thread < lines)
      scales[line0 + thread] = {scale[thread], 1 / scale[thread]};
  }
  __syncthreads();
  const int line = thread / 8, group = thread % 8;
  typename Digits::Integer x[16];
#pragma unroll
  for (int p = 0; p < 16; ++p) x[p] = digits.integer(part[line][group * 17 + p], scale[line]);
  std::int8_t* own = to.place(0, line0 + line, term0 + 16 * group);
  for (int z = 0; z < count; ++z, own += to.plane()) {
    unsigned word[4];
#pragma unroll
    for (int w = 0; w < 4; ++w)
      word[w] = packed(digits.byte(x[4 * w], z), digits.byte(x[4 * w + 1], z), digits.byte(x[4 * w + 2], z),
                       digits.byte(x[4 * w + 3], z));
    *reinterpret_cast<uint4*>(own) = {word[0], word[1], word[2], word[3]};
  }
}

/// Launches `measure` for lines of that many terms, each line_step doubles after the one before it.
inline void measure_lines(int lines, int terms, const double* X, std::size_t line_step, std::size_t term_step,
                          const Ranges& ranges, Line* result) {
  measure<<<(lines + 31) / 32, dim3(32, 32)>>>(lines, terms, X, line_step, term_step, ranges, result);
  ladder::check(cudaGetLastError());
}

/// Launches `convert`.
template <class Digits>
void convert_lines(int lines, int terms, const double* X, std::size_t line_step, std::size_t term_step,
                   const Line* of_lines, int count, Digits digits, Planes to, Scale* scales = nullptr) {
  convert<<<dim3(to.lines / 32, to.terms / 128), 256>>>(lines, terms, X, line_step, term_step, of_lines,
                                                        count, digits, to, scales);
  ladder::check(cudaGetLastError());
}

/// Where the residues of C are, in units of 16 x 64 elements: what a warp has of a row of tensor-core
/// operations. Of a unit, rows g and g + 8 are two halves, and in each half a lane's 16 bytes are neighbours:
/// byte b is of row lane / 4, column 8 (b / 2) + 2 (lane % 4) + b % 2.
struct Units {
  std::int8_t* bytes;
  int m, n;  // rounded up: multiples of 256

  __host__ __device__ std::size_t plane() const { return std::size_t(m) * n; }
  __device__ std::size_t place(int row0, int col0, int half, int lane) const {
    return (std::size_t(row0 / 16) * (n / 64) + col0 / 64) * 1024 + half * 512 + lane * 16;
  }
};

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
