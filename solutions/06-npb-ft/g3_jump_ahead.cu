/// @file
/// g3: the grid at time 0 by many threads. A thread that can find its place in the stream waits for no other
/// one. Before: g2, where one thread makes all numbers, one launch per plane. The source goes half of the
/// way: it steps from plane to plane, and then lets one thread make each plane. Source: work E's setup (u1);
/// NPB's way to jump ahead in the stream.

#include <algorithm>
#include <utility>

#include "setup.cuh"

namespace npb_ft {
namespace {

constexpr int of_thread = 16;  // points that a thread makes

/// The grid at time 0.
__global__ void initial([[maybe_unused]] std::size_t points, [[maybe_unused]] State seed,
                        [[maybe_unused]] Complex* grid) {  // points
  // BEGIN SOLUTION A thread makes of_thread points, and neighbouring threads make neighbouring points, so
  //  that what a warp writes is contiguous. State k of the stream is seed * power(k) mod 2^46
  //  (ladder::npb::power: some 30 multiplications), and number k is scale times state k. Point e takes
  //  numbers 2e + 1 and 2e + 2. How does a thread come from one of its points to the next? Assign a point as
  //  a whole, not its two parts: 16 bytes are then one access.
  //| ladder::task();  // Delete this line when you start.
  std::size_t e = blockIdx.x * std::size_t(blockDim.x) * of_thread + threadIdx.x;
  if (e >= points) return;
  const State stride = ladder::npb::power(2 * blockDim.x);
  State x = seed * ladder::npb::power(2 * e + 1) & mask;
  for (int i = 0; i < of_thread && e < points; ++i, e += blockDim.x) {
    const Complex number{scale * double(x), scale * double(x * multiplier & mask)};
    grid[e] = number;
    x = x * stride & mask;
  }
  // END SOLUTION
}

/// As in g2: copies planes of `width` columns, as they are or with rows and columns exchanged.
__global__ void copy_planes(int width, bool exchange, const Complex* from,  // planes x rows x width
                            Complex* to) {  // the same, or planes x width x rows
  const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y, rows = gridDim.y;
  if (column >= width) return;
  const std::size_t plane = std::size_t(blockIdx.z) * rows * width;
  const std::size_t e = std::size_t(row) * width + column;
  to[plane + (exchange ? std::size_t(column) * rows + row : e)] = from[plane + e];
}

/// As in g2: transforms lines by Stockham's method, to and fro between x and y. One thread per line.
__global__ void fft_lines(int n, std::size_t step, std::size_t lines, int sign, const Complex* roots,
                          int longest,               // longest
                          Complex* x, Complex* y) {  // groups of lines x n x step, both
  const std::size_t line = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x;
  if (line >= lines) return;
  const std::size_t first = line / step * step * n + line % step;
  x += first, y += first;
  for (int done = 1; done < n; done *= 2) {
    for (int j = 0; j < n / 2; ++j) {
      const int k = j % done;
      Complex root = roots[k * (longest / (2 * done))];
      root.im *= sign;
      const Complex a = x[j * step], b = root * x[(j + n / 2) * step];
      y[(2 * j - k) * step] = a + b;
      y[(2 * j - k + done) * step] = a - b;
    }
    Complex* const now = y;
    y = x, x = now;
  }
}

/// As in g1: sum += the 1,024 elements, divided by the number of points.
__global__ void checksum(const Problem p, const Complex* u,  // nz x ny x nx
                         Complex* sum) {                     // 1
  const int q = blockIdx.x * blockDim.x + threadIdx.x + 1;
  const Complex term = (1.0 / double(p.points())) * u[checksum_element(p, q)];
  atomicAdd(&sum->re, term.re);
  atomicAdd(&sum->im, term.im);
}

/// As in g2: transforms along an axis, to and fro between two grids. `grid` becomes the one with the result.
/// @param rows  of a plane, where rows and columns are to be exchanged for the stages; else 0
void transform_axis(const Problem& p, int n, std::size_t step, int rows, int sign, Complex*& grid,
                    Complex*& other) {
  const std::size_t lines = p.points() / n;
  const auto copy = [&p](int width, int height, bool exchange, const Complex* from, Complex* to) {
    const dim3 blocks(blocks_of(width), height, unsigned(p.points() / width / height));
    copy_planes<<<blocks, std::min(width, threads)>>>(width, exchange, from, to);
  };
  copy(p.nx, p.ny, rows > 0, grid, other);
  fft_lines<<<blocks_of(lines), threads>>>(n, step, lines, sign, p.roots, p.longest(), other, grid);
  if (log2_of(n) % 2 == 1) std::swap(grid, other);  // after an odd number of stages the result is in `grid`
  if (rows > 0)
    copy(rows, p.nx, true, other, grid);
  else
    copy(p.nx, p.ny, false, other, grid);
  ladder::check(cudaGetLastError());
}

/// As in g2: transforms along all axes. The result is in `result`, and `start` says where the grid must be
/// before.
struct Transform {
  Transform(const Problem& p, Complex* result, Complex* other) : grid(result), other(other) {
    if (log2_of(p.nx) % 2 ^ log2_of(p.ny) % 2 ^ log2_of(p.nz) % 2) std::swap(grid, this->other);
  }
  Complex* start() const { return grid; }
  void run(const Problem& p, int sign) {
    transform_axis(p, p.nx, p.ny, p.ny, sign, grid, other);                   // [z][x][y]
    transform_axis(p, p.ny, p.nx, 0, sign, grid, other);                      // [z][y][x]
    transform_axis(p, p.nz, std::size_t(p.nx) * p.ny, 0, sign, grid, other);  // [z][y][x]
  }
  Complex *grid, *other;
};

}  // namespace

/// The checksums of all times, and the grid at the last one.
/// @throws ladder::Error when the device refuses a launch.
void jump_ahead(const Problem& p) {
  Complex *spectrum = p.work, *scratch = p.work + p.points();
  const std::size_t factors = p.iterations * p.largest_square() + 1;
  Transform forward(p, spectrum, scratch);
  setup_roots<<<blocks_of(p.longest()), threads>>>(p.longest(), p.roots);
  setup_factors<<<blocks_of(factors), threads>>>(factors, p.factors);
  setup_squares<<<blocks_of(p.nx + p.ny + p.nz), threads>>>(p.nx, p.ny, p.nz, p.squares);
  initial<<<blocks_of((p.points() + of_thread - 1) / of_thread), threads>>>(p.points(), p.seed,
                                                                            forward.start());
  ladder::check(cudaMemsetAsync(p.checksums, 0, p.iterations * sizeof *p.checksums));

  forward.run(p, 1);
  const PointGrid grid(p);
  for (int t = 1; t <= p.iterations; ++t) {
    Transform inverse(p, p.u, scratch);
    evolve<<<grid.blocks, grid.block>>>(p.nx, t, spectrum, p.factors, p.squares, inverse.start());
    inverse.run(p, -1);
    checksum<<<checksum_points / threads, threads>>>(p, p.u, p.checksums + t - 1);
    ladder::check(cudaGetLastError());
  }
}

}  // namespace npb_ft
