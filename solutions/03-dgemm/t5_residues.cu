/// @file
/// t5: products of doubles by tensor cores for 8-bit integers. Rows of A and columns of B become integers of
/// up to 62 bits; these are multiplied modulo up to 16 small numbers, exactly, and the Chinese remainder
/// theorem gives the sums back. Before: t1, which multiplies doubles. Source: none. The idea: K. Ozaki, Y.
/// Uchino, T. Imamura, "Ozaki Scheme II", 2025.

#include <cuda_pipeline.h>

#include "hopper_int8.cuh"
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

/// Where in its row of As or Bs a word is: groups of four words change places, differently from pair of rows
/// to pair of rows.
__device__ int place(int row, int word) {
  // BEGIN SOLUTION A row is 16 words. A copy's 16 bytes stay together; eight lanes copy two rows. And lanes g
  //  = 0 to 7 read the same four words of eight rows: put these into different banks.
  //| return word + 0 * row;
  return word ^ row / 2 % 4 * 4;
  // END SOLUTION
}

/// Bytes for a first, coarse product: seven bits of each magnitude, rounded down.
struct Magnitudes {
  using Integer = int;
  __device__ double scale(const Line& line) const { return line.weight > 0 ? ldexp(1.0, 7 - line.top) : 0; }
  __device__ int integer(double x, double scale) const { return scale > 0 ? int(fabs(x) * scale) : 0; }
  __device__ unsigned byte(int x, int) const { return x; }
};

/// The residues of an element as an integer.
struct Residues {
  System system;
  double range;
  using Integer = unsigned long long;
  __device__ double scale(const Line& line) const { return scale_of(line, range); }
  /// Between -2^62 and 2^62; plus 2^63, so that all its bytes count as positive numbers.
  __device__ Integer integer(double x, double scale) const {
    return Integer(scaled(x, scale)) + (1ull << 63);
  }
  __device__ unsigned byte(Integer x, int z) const {
    const Modulus& modulus = system.modulus[z];
    // BEGIN SOLUTION From start64 on, add each byte of x times its power of 256 modulo m: __dp4a(bytes,
    //  powers, sum) adds four such products. The sum is below 2^20; residue_of makes a byte of it.
    //| return residue_of(modulus.start64 + unsigned(x), modulus);
    const unsigned low = __dp4a(unsigned(x), modulus.powers[0], modulus.start64);
    return residue_of(__dp4a(unsigned(x >> 32), modulus.powers[1], low), modulus);
    // END SOLUTION
  }
};

/// What becomes of the sums of the coarse product: how many moduli does the whole product need?
struct Enough {
  int m, n;
  const Line* of_a;  // m
  const Line* of_b;  // n
  Ranges ranges;
  int* most;  // max_moduli + 1: no number of moduli is enough

  /// @param sum    sum(j, e) is element e of the lane's in 16 x 8 part j of 16 x 64
  /// @param count  enough for the elements of this thread so far
  template <class Sum>
  __device__ void unit(int row0, int col0, int, const Sum& sum, int& count) const {
    const int row = row0 + threadIdx.x % 32 / 4, col = col0 + threadIdx.x % 4 * 2;
    const auto of_row = [&](int e) { return row + e / 2 * 8 < m ? of_a[row + e / 2 * 8] : Line{}; };
    const auto of_col = [&](int j, int e) {
      return col + 8 * j + e % 2 < n ? of_b[col + 8 * j + e % 2] : Line{};
    };
    // |A| |B| of an element in units of the norms, or less: each factor was rounded down to 7 bits.
    const auto magnitude = [&](int j, int e, float a, float b) { return float(sum(j, e)) * a * b; };
    const float weight[2] = {of_row(0).weight, of_row(2).weight};
    float least = INFINITY;
#pragma unroll
    for (int j = 0; j < 8; ++j)
#pragma unroll
      for (int e = 0; e < 4; ++e) least = fminf(least, magnitude(j, e, weight[e / 2], of_col(j, e).weight));
    if (count <= max_moduli && least >= ranges.both[count]) return;  // nearly always
#pragma unroll
    for (int e = 0; e < 4; ++e) {
      const Line a = of_row(e);
#pragma unroll
      for (int j = 0; j < 8; ++j) {
        const Line b = of_col(j, e);
        if (min(a.exact, b.exact) == 0 && max(a.exact, b.exact) <= max_moduli + 1) continue;  // zeros
        const float found = magnitude(j, e, a.weight, b.weight);
        // BEGIN SOLUTION Raise `count` until rounding moves this sum by little of u |A| |B|: until `found` is
        //  at least ranges.both[count], or ranges.one[count] where `count` keeps all bits of a or of b
        //  (`exact`). Where it keeps those of both, nothing moves. `count` ends at max_moduli + 1.
        //| if (max(a.exact, b.exact) > max_moduli + 1) count = max_moduli + 1 + 0 * int(found);
        while (count <= max_moduli && !(found >= ranges.both[count]) &&
               !(found >= ranges.one[count] && count >= min(a.exact, b.exact)) &&
               count < max(a.exact, b.exact))
          ++count;
        // END SOLUTION
      }
    }
  }
  __device__ void finish(int count) const {
    atomicMax(most, count);
  }
};

/// What becomes of the sums of products of residues: their residues.
struct Reduce {
  System system;
  Units C;

  template <class Sum>
  __device__ void unit(int row0, int col0, int z, const Sum& sum, int&) const {
    const Modulus modulus = system.modulus[z];
    const auto residue = [&](int x) {  // plus 2^31: all its bytes are positive
      return residue_of(__dp4a(unsigned(x) ^ 1u << 31, modulus.powers[0], modulus.start32), modulus);
    };
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      unsigned word[4];
#pragma unroll
      for (int w = 0; w < 4; ++w)
        word[w] = packed(residue(sum(2 * w, 2 * i)), residue(sum(2 * w, 2 * i + 1)),
                         residue(sum(2 * w + 1, 2 * i)), residue(sum(2 * w + 1, 2 * i + 1)));
      *reinterpret_cast<uint4*>(C.bytes + z * C.plane() + C.place(row0, col0, i, threadIdx.x % 32)) = {
          word[0], word[1], word[2], word[3]};
    }
  }
  __device__ void finish(int) const {}
};

/// One block computes one tile x tile part of a product of int8 in plane blockIdx.z.
template <class Use>
__global__ void __launch_bounds__(threads)
    multiply(int m, int n, int k, Planes A, Planes B,  // lines of both: the columns of B are contiguous
             Use use) {                                // what becomes of the sums
  __shared__ alignas(16) int As[2][tile][words];
  __shared__ alignas(16) int Bs[2][tile][words];

  const int thread = threadIdx.x, warp = thread / 32, lane = thread % 32;
  const int row0 = blockIdx.y * tile, col0 = blockIdx.x * tile, z = blockIdx.z;

  // Begins to copy the terms from p0 on into a buffer, 16 bytes per request.
  const auto copy_part = [&](int p0, int buffer) {
    for (int e = thread; e < tile * depth / 16; e += threads) {
      const int i = e / (depth / 16), p = e % (depth / 16) * 16;
      __pipeline_memcpy_async(&As[buffer][i][place(i, p / 4)], A.place(z, row0 + i, p0 + p), 16);
      __pipeline_memcpy_async(&Bs[buffer][i][place(i, p / 4)], B.place(z, col0 + i, p0 + p), 16);
    }
    __pipeline_commit();
  };

  const int i0 = warp / 2 * (16 * rows), j0 = warp % 2 * (8 * columns);
  const int g = lane / 4, t = lane % 4;
  const bool inside = row0 + i0 < m && col0 + j0 < n;  // the same for the whole warp
  Shape::C sum[rows][columns] = {};
  copy_part(0, 0);
  for (int p0 = 0, now = 0; p0 < k; p0 += depth, now = 1 - now) {
    __pipeline_wait_prior(0);  // this thread's copies have arrived
    __syncthreads();           // so have all others'; and no thread reads the other buffer any more
    if (p0 + depth < k) copy_part(p0 + depth, 1 - now);
    if (!inside) continue;
#pragma unroll
    for (int w = 0; w < words; w += Shape::k / 4) {
      Shape::A a[rows];
      Shape::B b[columns];
      // BEGIN SOLUTION Read the lane's words, from word w of the rows on: of As[now] four for each i, of
      //  Bs[now] two for each j. memcpy(&a[i][4 * e], &word, 4) puts word e into a fragment. Then add the
      //  products.
#pragma unroll
      for (int i = 0; i < rows; ++i)
#pragma unroll
        for (int e = 0; e < 4; ++e) {
          const int row = i0 + 16 * i + g + e % 2 * 8, word = As[now][row][place(row, w + t + e / 2 * 4)];
          memcpy(&a[i][4 * e], &word, 4);
        }
#pragma unroll
      for (int j = 0; j < columns; ++j)
#pragma unroll
        for (int e = 0; e < 2; ++e) {
          const int row = j0 + 8 * j + g, word = Bs[now][row][place(row, w + t + e * 4)];
          memcpy(&b[j][4 * e], &word, 4);
        }
#pragma unroll
      for (int i = 0; i < rows; ++i)
#pragma unroll
        for (int j = 0; j < columns; ++j) tensor::multiply_add<Shape>(sum[i][j], a[i], b[j]);
      // END SOLUTION
    }
  }
  int count = 1;
#pragma unroll
  for (int i = 0; i < rows; ++i)
    if (inside)
      use.unit(
          row0 + i0 + 16 * i, col0 + j0, z, [&](int j, int e) { return sum[i][j][e]; }, count);
  use.finish(count);
}

/// A warp computes 16 x 64 elements of C from their residues: the numbers between -M/2 and M/2 that have
/// them.
__global__ void __launch_bounds__(threads)
    combine(int m, int n, Units residues, const __grid_constant__ System system,
            const Scale* __restrict__ of_a, const Scale* __restrict__ of_b,  // m, n
            double* __restrict__ C, std::size_t ldc) {                       // m x n, ldc
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int unit = blockIdx.x * (threads / 32) + warp, across = (n + 63) / 64;
  const int row0 = unit / across * 16, col0 = unit % across * 64;
  if (row0 >= m) return;
  const bool aligned = ldc % 2 == 0 && reinterpret_cast<std::uintptr_t>(C) % sizeof(double2) == 0;
  for (int half = 0; half < 2; ++half) {
    const int row = row0 + 8 * half + lane / 4;
    const std::int8_t* const from = residues.bytes + residues.place(row0, col0, half, lane);
    unsigned loaded[max_moduli][4];
#pragma unroll
    for (int z = 0; z < max_moduli; ++z) {
      uint4 next{};
      if (z < system.count) next = *reinterpret_cast<const uint4*>(from + z * residues.plane());
      loaded[z][0] = next.x, loaded[z][1] = next.y, loaded[z][2] = next.z, loaded[z][3] = next.w;
    }
    if (row >= m) continue;
    const Scale scale = of_a[row];
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      const int col = col0 + 8 * j + lane % 4 * 2;
      long long sum[2][4] = {}, quotient[2] = {1ll << 31, 1ll << 31};
#pragma unroll
      for (int l = 0; l < max_moduli / 2; ++l) {
        if (2 * l >= system.count) break;
        const Pair& pair = system.pair[l];
        // The residues of two neighbours, each for two moduli.
        const auto bytes =
            int(__byte_perm(loaded[2 * l][j / 2], loaded[2 * l + 1][j / 2], j % 2 ? 0x7362 : 0x5140));
#pragma unroll
        for (int e = 0; e < 2; ++e) {
          const int both =
              e ? __dp2a_hi(pair.first_second, bytes, 0) : __dp2a_lo(pair.first_second, bytes, 0);
          // BEGIN SOLUTION The number is the sum of both * weight, but for a multiple of M. Add to sum[e][i]
          //  what word i of the weight gives, and to quotient[e] the fraction of M. A product has up to 55
          //  bits.
          quotient[e] += (long long)both * pair.fraction;
#pragma unroll
          for (int i = 0; i < 4; ++i) sum[e][i] += (long long)both * pair.weight.word[i];
          // END SOLUTION
        }
      }
      double value[2] = {};
#pragma unroll
      for (int e = 0; e < 2; ++e) {
        const auto multiple = int(quotient[e] >> 32);  // rounded: 2^31 more are in it
#pragma unroll
        for (int i = 0; i < 4; ++i) sum[e][i] -= (long long)multiple * system.product.word[i];
        if (col + e < n) value[e] = unscaled(sum[e], scale, of_b[col + e]);
      }
      double* const to = C + row * ldc + col;
      if (aligned && col + 1 < n) {
        *reinterpret_cast<double2*>(to) = {value[0], value[1]};
      } else {
        if (col < n) to[0] = value[0];
        if (col + 1 < n) to[1] = value[1];
      }
    }
  }
}

/// C = A B.
/// @return false: no number of moduli is enough, and C holds anything.
bool by_residues(const Problem& p) {
  const int m = Planes::lines_of(p.m), n = Planes::lines_of(p.n), terms = Planes::terms_of(p.k);
  const std::size_t of_a = std::size_t(m) * terms, of_b = std::size_t(n) * terms;
  const ladder::PooledBuffer<Line> lines(p.m + p.n);
  const ladder::PooledBuffer<Scale> scales(p.m + p.n);
  const ladder::PooledBuffer<int> enough(1);
  Line *const lines_a = lines.get(), *const lines_b = lines_a + p.m;
  const dim3 grid((p.n + tile - 1) / tile, (p.m + tile - 1) / tile);
  const Ranges known = ranges(p.k);
  const auto convert_both = [&](int planes, auto digits, std::int8_t* bytes, auto use) {
    const Planes A{bytes, m, terms}, B{bytes + planes * of_a, n, terms};
    convert_lines(p.m, p.k, p.A, p.lda, 1, lines_a, planes, digits, A, scales.get());
    convert_lines(p.n, p.k, p.B, 1, p.ldb, lines_b, planes, digits, B, scales.get() + p.m);
    if (hopper::multiply(planes, A, B, use)) return;
    multiply<<<dim3(grid.x, grid.y, planes), threads>>>(p.m, p.n, p.k, A, B, use);
    ladder::check(cudaGetLastError());
  };
  measure_lines(p.m, p.k, p.A, p.lda, 1, known, lines_a);
  measure_lines(p.n, p.k, p.B, 1, p.ldb, known, lines_b);
  ladder::check(cudaMemsetAsync(enough.get(), 0, sizeof(int)));
  {
    const ladder::PooledBuffer<std::int8_t> coarse(of_a + of_b);
    convert_both(1, Magnitudes{}, coarse.get(), Enough{p.m, p.n, lines_a, lines_b, known, enough.get()});
  }
  int count = 0;
  // The host waits for the number of moduli: memory and grids depend on it.
  ladder::check(cudaMemcpy(&count, enough.get(), sizeof count, cudaMemcpyDeviceToHost));
  if (count > max_moduli) return false;
  // BEGIN SOLUTION Convert A and B into residues of `count` moduli, multiply all planes (they are the grid's
  //  z), combine.
  //| ladder::task();  // Delete this line when you start.
  const System& system = systems[count];
  const ladder::PooledBuffer<std::int8_t> planes(count * (of_a + of_b)), residues(count * std::size_t(m) * n);
  const Units C{residues.get(), m, n};
  convert_both(count, Residues{system, known.log2[count]}, planes.get(), Reduce{system, C});
  const int units = (p.m + 15) / 16 * ((p.n + 63) / 64), per_block = threads / 32;
  combine<<<(units + per_block - 1) / per_block, threads>>>(p.m, p.n, C, system, scales.get(),
                                                            scales.get() + p.m, p.C, p.ldc);
  ladder::check(cudaGetLastError());
  // END SOLUTION
  return true;
}

}  // namespace

/// C = A B, by integers; in doubles where that would not be as accurate.
/// @throws ladder::Error when the device refuses a launch or has not enough memory.
void residues(const Problem& p) {
  if (p.m == 0 || p.n == 0) return;  // a grid must not be empty
  if (p.k > 0 && p.k <= max_terms && by_residues(p)) return;
  double_product<<<dim3((p.n + tile - 1) / tile, (p.m + tile - 1) / tile), threads>>>(p);
  ladder::check(cudaGetLastError());
}

}  // namespace dgemm
