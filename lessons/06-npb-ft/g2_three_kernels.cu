/// @file
/// g2: the source's three kernels per transform. Copy in, the stages, copy out; between the copies the
/// elements that neighbouring threads touch are neighbours: [z][x][y] for lines along x, [z][y][x] for
/// those along y, and for those along z. Before: g1, where each thread works in workspace of its own and
/// neighbouring threads are a line apart. Source: work E: three kernels per FFT, and the access patterns of
/// fft1, fft2 and fft3.

#include <algorithm>
#include <utility>

#include "setup.cuh"

namespace npb_ft {
namespace {

/// As in g1: a plane of the grid at time 0. One thread: a number follows from the one before it.
__global__ void plane_of_numbers(int z, std::size_t points, State seed, State* state,  // 1
                                 Complex* plane) {                                     // points
  State x = z == 0 ? seed : *state;
  for (std::size_t e = 0; e < points; ++e) {
    const State first = x * multiplier & mask;
    x = first * multiplier & mask;
    const Complex number{scale * double(first), scale * double(x)};
    plane[e] = number;
  }
  *state = x;
}

/// Copies planes of `width` columns, as they are or with rows and columns exchanged.
__global__ void copy_planes(int width, bool exchange, const Complex* from,  // planes x rows x width
                            Complex* to) {  // the same, or planes x width x rows
  const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y, rows = gridDim.y;
  if (column >= width) return;
  const std::size_t plane = std::size_t(blockIdx.z) * rows * width;
  // TASK, 2 lines: Which element of `to` is it?
  to[plane + std::size_t(row) * width + column] = from[plane + std::size_t(row) * width + column];
}

/// Transforms lines by Stockham's method, to and fro between x and y. One thread per line.
__global__ void fft_lines(int n, std::size_t step, std::size_t lines, int sign, const Complex* roots,
                          int longest,               // longest
                          Complex* x, Complex* y) {  // groups of lines x n x step, both
  const std::size_t line = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x;
  if (line >= lines) return;
  // TASK, 14 lines: Where is element 0 of this line? Element j is j * step after it, in x and in y. Then the
  //  stages: after each one x and y change places. Butterfly j of a stage takes elements j and j + n / 2, the
  //  second times roots[k * (longest / (2 * done))] with k = j % done (its conjugate for sign -1), and leaves
  //  sum and difference at 2 j - k and 2 j - k + done. `done` is 1, 2, 4, …, n / 2.
  (void)n, (void)step, (void)sign, (void)roots, (void)longest, (void)x, (void)y;
}

/// As in g1: sum += the 1,024 elements, divided by the number of points.
__global__ void checksum(const Problem p, const Complex* u,  // nz x ny x nx
                         Complex* sum) {                     // 1
  const int q = blockIdx.x * blockDim.x + threadIdx.x + 1;
  const Complex term = (1.0 / double(p.points())) * u[checksum_element(p, q)];
  atomicAdd(&sum->re, term.re);
  atomicAdd(&sum->im, term.im);
}

/// Transforms along an axis, to and fro between two grids. `grid` becomes the one with the result.
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

/// Transforms along all axes. The result is in `result`, and `start` says where the grid must be before.
struct Transform {
  Transform(const Problem& p, Complex* result, Complex* other) : grid(result), other(other) {
    if (log2_of(p.nx) % 2 ^ log2_of(p.ny) % 2 ^ log2_of(p.nz) % 2) std::swap(grid, this->other);
  }
  Complex* start() const { return grid; }
  void run(const Problem& p, int sign) {
    // TASK, 3 lines: The three axes. Between two elements of a line there are, in the order that each
    //  transform wants, …?
    ladder::task();  // Delete this line when you start.
    transform_axis(p, p.nx, 1, 0, sign, grid, other);
  }
  Complex *grid, *other;
};

}  // namespace

/// The checksums of all times, and the grid at the last one.
/// @throws ladder::Error when the device refuses a launch.
void three_kernels(const Problem& p) {
  Complex *spectrum = p.work, *scratch = p.work + p.points();
  const std::size_t factors = p.iterations * p.largest_square() + 1, plane = std::size_t(p.nx) * p.ny;
  Transform forward(p, spectrum, scratch);
  setup_roots<<<blocks_of(p.longest()), threads>>>(p.longest(), p.roots);
  setup_factors<<<blocks_of(factors), threads>>>(factors, p.factors);
  setup_squares<<<blocks_of(p.nx + p.ny + p.nz), threads>>>(p.nx, p.ny, p.nz, p.squares);
  for (int z = 0; z < p.nz; ++z)
    plane_of_numbers<<<1, 1>>>(z, plane, p.seed, p.state, forward.start() + z * plane);
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
