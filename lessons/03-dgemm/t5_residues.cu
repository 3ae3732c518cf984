/// @file
/// t5: products of doubles by tensor cores for 8-bit integers. Rows of A and columns of B become integers of up to 62 bits;
/// these are multiplied modulo up to 16 small numbers, exactly, and the Chinese remainder theorem gives the sums back.
/// Before: t1, which multiplies doubles. Source: none. The idea: K. Ozaki, Y. Uchino, T. Imamura, "Ozaki Scheme II", 2025.

#include <cuda_pipeline.h>

#include <algorithm>

#include "residues.cuh"

namespace dgemm {
namespace {

namespace tensor = ladder::tensor;
using Shape = tensor::Int8_16x8x32;  // C, 16 x 8, += A, 16 x 32, times B, 32 x 8

constexpr int tile = 128;  // rows and columns of C of a block
constexpr int depth = 64;  // terms of the sum in one pass
constexpr int threads = 256;
constexpr int rows = 2;  // a warp computes rows x columns parts of 16 x 8: 32 x 64 elements of C
constexpr int columns = 8;
constexpr int words = depth / 4;  // a word is four neighbouring terms

/// Where in its row of As or Bs a word is: groups of four words change places, differently from pair of rows to pair of rows.
__device__ int place(int row, int word) {
  // TASK, 1 line: A row is 16 words. A copy's 16 bytes stay together; eight lanes copy two rows. And lanes g = 0 to 7 read
  //  the same four words of eight rows: put these into different banks.
  return word + 0 * row;
}

/// @return x modulo m, from -m/2 to m/2, for an integer x below 2^52 m.
__device__ double modulo(double x, double m, double fraction) {
  return fma(-m, rint(x * fraction), x);
}

/// Bytes for a first, coarse product: seven bits of each magnitude, rounded down.
struct Magnitudes {
  __device__ double scaled(double x, const Line& line) const {
    return fits(line) ? floor(ldexp(fabs(x), 7 - line.top)) : 0;
  }
  __device__ std::int8_t operator()(double x, int) const { return std::int8_t(x); }
};

/// The residues of an element as an integer.
struct Residues {
  System system;
  double range;
  __device__ double scaled(double x, const Line& line) const {
    // TASK, 1 line: The element times 2^exponent(line, range), rounded to the nearest integer.
    return x;
  }
  __device__ std::int8_t operator()(double x, int z) const {
    const double m = system.modulus[z], fraction = system.fraction[z];
    // TASK, 1 line: x modulo m. |x| may be 2^62: the quotient of one `modulo` is then off by a few.
    return std::int8_t(m * fraction * x);
  }
};

/// What becomes of the sums of the coarse product: how many moduli does the whole product need?
struct Enough {
  const Line* of_a;  // m
  const Line* of_b;  // n
  Ranges ranges;
  int* most;  // most_moduli + 1: no number of moduli is enough

  /// @param count  enough for the elements of this thread so far
  __device__ void element(int row, int col, int, int sum, int& count) const {
    const Line a = of_a[row], b = of_b[col];
    // u |A| |B| of this element, or less: each factor was rounded down to 7 bits.
    const double allowed = ldexp(double(sum), a.top + b.top - 14 - 53);
    if (!fits(a) || !fits(b)) count = most_moduli + 1;
    for (; count <= most_moduli; ++count) {
      const int ea = exponent(a, ranges.log2[count]), eb = exponent(b, ranges.log2[count]);
      // TASK, 2 lines: Twice what rounding may do to the sum. Where a.lowest + ea >= 0, all of a's elements are integers
      //  already. Else each may move by half of 2^-ea, and that times the elements of b reaches the sum; and so for b.
      const double lost = ea + eb;
      if (lost <= allowed) break;
    }
  }
  __device__ void finish(int count) const { atomicMax(most, count); }
};

/// What becomes of the sums of products of residues: their residues.
struct Reduce {
  System system;
  int m, n;
  std::int8_t* C;  // system.count x m x n

  __device__ void element(int row, int col, int z, int sum, int&) const {
    C[(std::size_t(z) * m + row) * n + col] =
        std::int8_t(int(modulo(sum, system.modulus[z], system.fraction[z])));
  }
  __device__ void finish(int) const {}
};

/// One block computes one tile x tile part of a product of int8 in plane blockIdx.z.
template <class Use>
__global__ void __launch_bounds__(threads)
    multiply(int m, int n, int terms,            // a multiple of depth
             const std::int8_t* __restrict__ A,  // planes of m x terms
             const std::int8_t* __restrict__ B,  // planes of n x terms: the columns of B are contiguous
             Use use) {                          // what becomes of the sums
  __shared__ alignas(16) int As[2][tile][words];
  __shared__ alignas(16) int Bs[2][tile][words];

  const int thread = threadIdx.x, warp = thread / 32, lane = thread % 32;
  const int row0 = blockIdx.y * tile, col0 = blockIdx.x * tile, z = blockIdx.z;
  A += std::size_t(z) * m * terms;
  B += std::size_t(z) * n * terms;

  // Begins to copy the terms from p0 on into a buffer, 16 bytes per request.
  const auto copy_part = [&](int p0, int buffer) {
    for (int e = thread; e < tile * depth / 16; e += threads) {
      const int i = e / (depth / 16), p = e % (depth / 16) * 16;
      const bool inside_a = row0 + i < m, inside_b = col0 + i < n;
      const std::int8_t* from_a = A + std::size_t(row0 + i) * terms + p0 + p;
      const std::int8_t* from_b = B + std::size_t(col0 + i) * terms + p0 + p;
      __pipeline_memcpy_async(&As[buffer][i][place(i, p / 4)], from_a, 16, inside_a ? 0 : 16);
      __pipeline_memcpy_async(&Bs[buffer][i][place(i, p / 4)], from_b, 16, inside_b ? 0 : 16);
    }
    __pipeline_commit();
  };

  const int i0 = warp / 2 * (16 * rows), j0 = warp % 2 * (8 * columns);
  const int g = lane / 4, t = lane % 4;
  const bool inside = row0 + i0 < m && col0 + j0 < n;  // the same for the whole warp
  Shape::C sum[rows][columns] = {};
  copy_part(0, 0);
  for (int p0 = 0, now = 0; p0 < terms; p0 += depth, now = 1 - now) {
    __pipeline_wait_prior(0);  // this thread's copies have arrived
    __syncthreads();           // so have all others'; and no thread reads the other buffer any more
    if (p0 + depth < terms) copy_part(p0 + depth, 1 - now);
    if (!inside) continue;
#pragma unroll
    for (int w = 0; w < words; w += Shape::k / 4) {
      Shape::A a[rows];
      Shape::B b[columns];
      // TASK, 18 lines: Read the lane's words, from word w of the rows on: of As[now] four for each i, of Bs[now] two for each
      //  j. memcpy(&a[i][4 * e], &word, 4) puts word e into a fragment. Then add the products.
    }
  }
  int count = 1;
#pragma unroll
  for (int i = 0; i < rows; ++i)
#pragma unroll
    for (int j = 0; j < columns; ++j)
#pragma unroll
      for (int e = 0; e < 4; ++e) {
        const int row = row0 + i0 + 16 * i + g + e / 2 * 8, col = col0 + j0 + 8 * j + 2 * t + e % 2;
        if (row < m && col < n) use.element(row, col, z, sum[i][j][e], count);
      }
  use.finish(count);
}

/// One thread computes one element of C from its residues: the number between -M/2 and M/2 that has them.
__global__ void __launch_bounds__(threads)
    combine(int m, int n, const std::int8_t* __restrict__ residues,  // system.count x m x n
            System system, double range, const Line* __restrict__ of_a, const Line* __restrict__ of_b,
            double* __restrict__ C, std::size_t ldc, bool first) {  // m x n, ldc; first: C holds nothing yet
  const std::size_t at = std::size_t(blockIdx.x) * threads + threadIdx.x, elements = std::size_t(m) * n;
  if (at >= elements) return;
  const std::size_t row = at / n, col = at % n;
  Wide sum = 0;
  double quotient = 0;
  for (int z = 0; z < system.count; ++z) {
    const int residue = residues[z * elements + at];
    // TASK, 3 lines: With y = residue * inverse, the number is the sum of y (M / m), but for a multiple of M. Add to `sum`;
    //  and to `quotient` y / m: the multiple is then the integer nearest to it.
  }
  sum -= Wide(__int128(rint(quotient))) * system.product;
  const double value = ldexp(double(__int128(sum)), -exponent(of_a[row], range) - exponent(of_b[col], range));
  double* const to = C + row * ldc + col;
  *to = first ? value : *to + value;
}

/// C = A B in parts of at most most_terms terms.
/// @return false: no number of moduli is enough, and C holds anything.
bool by_residues(const Problem& p) {
  const auto padded = [](int k) { return std::size_t(k + depth - 1) / depth * depth; };
  const std::size_t m = p.m, n = p.n, most = padded(std::min(p.k, most_terms));
  const ladder::DeviceBuffer<Line> of_a(m), of_b(n);
  const ladder::DeviceBuffer<std::int8_t> A(most_moduli * m * most), B(most_moduli * n * most);
  const ladder::DeviceBuffer<std::int8_t> C(most_moduli * m * n);
  const ladder::DeviceBuffer<int> enough(1);
  const dim3 grid((p.n + tile - 1) / tile, (p.m + tile - 1) / tile);
  const Ranges known = ranges();
  for (int p0 = 0; p0 < p.k; p0 += most_terms) {
    const int k = std::min(p.k - p0, most_terms), terms = int(padded(k));
    const double* const from_a = p.A + p0;
    const double* const from_b = p.B + std::size_t(p0) * p.ldb;
    const auto convert_both = [&](int planes, auto digit) {
      convert_lines(p.m, k, terms, from_a, p.lda, 1, of_a.get(), planes, digit, A.get());
      convert_lines(p.n, k, terms, from_b, 1, p.ldb, of_b.get(), planes, digit, B.get());
    };
    measure_lines(p.m, k, from_a, p.lda, 1, of_a.get());
    measure_lines(p.n, k, from_b, 1, p.ldb, of_b.get());
    convert_both(1, Magnitudes{});
    int count = 1;
    ladder::check(cudaMemcpy(enough.get(), &count, sizeof count, cudaMemcpyHostToDevice));
    multiply<<<grid, threads>>>(p.m, p.n, terms, A.get(), B.get(),
                                Enough{of_a.get(), of_b.get(), known, enough.get()});
    ladder::check(cudaGetLastError());
    ladder::check(cudaMemcpy(&count, enough.get(), sizeof count, cudaMemcpyDeviceToHost));
    if (count > most_moduli) return false;
    // TASK, 9 lines: Convert A and B into residues of `count` moduli, multiply all planes (they are the grid's z), combine.
    ladder::task();  // Delete this line when you start.
  }
  return true;
}

}  // namespace

/// C = A B, by integers; in doubles where that would not be as accurate.
/// @throws ladder::Error when the device refuses a launch or has not enough memory.
void residues(const Problem& p) {
  if (p.m == 0 || p.n == 0) return;  // a grid must not be empty
  if (p.k > 0 && by_residues(p)) return;
  double_product<<<dim3((p.n + tile - 1) / tile, (p.m + tile - 1) / tile), threads>>>(p);
  ladder::check(cudaGetLastError());
}

}  // namespace dgemm
