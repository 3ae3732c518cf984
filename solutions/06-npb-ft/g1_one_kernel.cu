/// @file
/// g1: one kernel for the transforms along an axis. One thread per line: it goes through all stages by
/// itself, to and fro between its line in the grid and workspace of its own, where its n elements are next to
/// each other. Source: work E's account of the versions that it compares with: one kernel per transform,
/// each thread in workspace of its own.

#include <utility>

#include "setup.cuh"

namespace npb_ft {
namespace {

/// A plane of the grid at time 0. One thread: a number follows from the one before it.
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

/// Transforms a line by Stockham's method: transforms of length `done` become transforms of twice that
/// length.
__global__ void fft_lines(int n, std::size_t step, std::size_t lines,
                          int sign,                           // elements of a line are `step` apart
                          const Complex* roots, int longest,  // longest
                          Complex* grid, Complex* scratch) {  // lines x n, both
  const std::size_t line = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x;
  if (line >= lines) return;
  Complex *x = grid + line / step * step * n + line % step, *y = scratch + line * n;
  std::size_t step_x = step, step_y = 1;
  for (int done = 1; done < n; done *= 2) {
    for (int j = 0; j < n / 2; ++j) {
      const int k = j % done;
      Complex root = roots[k * (longest / (2 * done))];
      root.im *= sign;
      const Complex a = x[j * step_x], b = root * x[(j + n / 2) * step_x];
      y[(2 * j - k) * step_y] = a + b;
      y[(2 * j - k + done) * step_y] = a - b;
    }
    Complex* const now = y;
    y = x, x = now;
    const std::size_t step_now = step_y;
    step_y = step_x, step_x = step_now;
  }
  if (x == scratch + line * n)  // after an odd number of stages
    for (int j = 0; j < n; ++j) y[j * step_y] = x[j * step_x];
}

/// sum += the 1,024 elements, divided by the number of points.
__global__ void checksum(const Problem p, const Complex* u,  // nz x ny x nx
                         Complex* sum) {                     // 1
  const int q = blockIdx.x * blockDim.x + threadIdx.x + 1;
  const Complex term = (1.0 / double(p.points())) * u[checksum_element(p, q)];
  atomicAdd(&sum->re, term.re);
  atomicAdd(&sum->im, term.im);
}

void transform_axis(const Problem& p, int n, std::size_t step, int sign, Complex* grid, Complex* scratch) {
  const std::size_t lines = p.points() / n;
  fft_lines<<<blocks_of(lines), threads>>>(n, step, lines, sign, p.roots, p.longest(), grid, scratch);
  ladder::check(cudaGetLastError());
}

void transform(const Problem& p, int sign, Complex* grid, Complex* scratch) {
  transform_axis(p, p.nx, 1, sign, grid, scratch);
  transform_axis(p, p.ny, p.nx, sign, grid, scratch);
  transform_axis(p, p.nz, std::size_t(p.nx) * p.ny, sign, grid, scratch);
}

}  // namespace

/// The checksums of all times, and the grid at the last one.
/// @throws ladder::Error when the device refuses a launch.
void one_kernel(const Problem& p) {
  Complex *spectrum = p.work, *scratch = p.work + p.points();
  const std::size_t factors = p.iterations * p.largest_square() + 1, plane = std::size_t(p.nx) * p.ny;
  setup_roots<<<blocks_of(p.longest()), threads>>>(p.longest(), p.roots);
  setup_factors<<<blocks_of(factors), threads>>>(factors, p.factors);
  setup_squares<<<blocks_of(p.nx + p.ny + p.nz), threads>>>(p.nx, p.ny, p.nz, p.squares);
  for (int z = 0; z < p.nz; ++z) plane_of_numbers<<<1, 1>>>(z, plane, p.seed, p.state, spectrum + z * plane);
  ladder::check(cudaMemsetAsync(p.checksums, 0, p.iterations * sizeof *p.checksums));

  transform(p, 1, spectrum, scratch);
  const PointGrid grid(p);
  for (int t = 1; t <= p.iterations; ++t) {
    evolve<<<grid.blocks, grid.block>>>(p.nx, t, spectrum, p.factors, p.squares, p.u);
    transform(p, -1, p.u, scratch);
    checksum<<<checksum_points / threads, threads>>>(p, p.u, p.checksums + t - 1);
    ladder::check(cudaGetLastError());
  }
}

}  // namespace npb_ft
