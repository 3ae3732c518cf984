/// @file
/// g5: setup and decay by short tables. exp(a + b + c) is a product of three factors, one for each axis, so
/// nx + ny + nz exponentials per time are enough, and a thread that walks along z reads two of its three
/// factors once. Before: g4, with a table of all t k^2, where each lane of a warp reads another sector. With
/// that table gone only the first grid takes time to set up, so there is nothing left to overlap: no streams,
/// no team. Source: none; the baseline's decay is a product of factors too.

#include <algorithm>
#include <utility>

#include "setup.cuh"

namespace npb_ft {
namespace {

constexpr int of_thread = 16;  // points that a thread makes, or lets decay

/// As in g3: the grid at time 0.
__global__ void setup_initial(std::size_t points, State seed, Complex* grid) {  // points
  std::size_t e = blockIdx.x * std::size_t(blockDim.x) * of_thread + threadIdx.x;
  if (e >= points) return;
  const State stride = ladder::npb::power(2 * blockDim.x);
  State x = seed * ladder::npb::power(2 * e + 1) & mask;
  for (int i = 0; i < of_thread && e < points; ++i, e += blockDim.x) {
    const Complex number{scale * double(x), scale * double(x * multiplier & mask)};
    grid[e] = number;  // as a whole: 16 bytes in one access
    x = x * stride & mask;
  }
}

/// factors[t - 1][i] = exp(decay t k^2), for kx of each x, then ky of each y, then kz of each z.
__global__ void setup_axis_factors(int nx, int ny, int nz, int iterations,
                                   double* factors) {  // iterations x (nx + ny + nz)
  [[maybe_unused]] const int all = nx + ny + nz, e = blockIdx.x * blockDim.x + threadIdx.x, t = e / all + 1,
                             i = e % all;
  if (t > iterations) return;
  // BEGIN SOLUTION Which axis is i on, and which frequency is it there (frequency(place, length))? One
  //  exponential.
  //| factors[e] = 1;
  const int k = i < nx ? frequency(i, nx) : i < nx + ny ? frequency(i - nx, ny) : frequency(i - nx - ny, nz);
  factors[e] = exp(decay * t * k * k);
  // END SOLUTION
}

/// u = spectrum after a time. A thread has one x and y, and of_thread planes.
__global__ void decay_lines(int nx, int nz, [[maybe_unused]] const Complex* spectrum,  // nz x ny x nx
                            [[maybe_unused]] const double* factors,  // of this time: nx + ny + nz
                            [[maybe_unused]] Complex* u) {           // nz x ny x nx
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  [[maybe_unused]] const int ny = gridDim.y, first = blockIdx.z * of_thread,
                             last = min(first + of_thread, nz);
  if (x >= nx) return;
  // BEGIN SOLUTION Planes first to last - 1. Which two factors does the thread need once, and which one for
  //  each plane?
  //| (void)y;
  const double factor = factors[x] * factors[nx + y];
#pragma unroll 4
  for (int z = first; z < last; ++z) {
    const std::size_t e = x + nx * (y + std::size_t(ny) * z);
    u[e] = factor * factors[nx + ny + z] * spectrum[e];
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

/// As in g4: sum += the 1,024 elements, divided by the number of points.
__global__ void checksum(const Problem p, const Complex* u,  // nz x ny x nx
                         Complex* sum) {                     // 1
  const int q = blockIdx.x * blockDim.x + threadIdx.x + 1;
  const Complex term = (1.0 / double(p.points())) * u[checksum_element(p, q)];
  __shared__ Complex terms[threads];
  terms[threadIdx.x] = term;
  for (int half = threads / 2; half > 0; half /= 2) {
    __syncthreads();  // what the others have left is there
    if (threadIdx.x < half) terms[threadIdx.x] = terms[threadIdx.x] + terms[threadIdx.x + half];
  }
  if (threadIdx.x > 0) return;
  atomicAdd(&sum->re, terms[0].re);
  atomicAdd(&sum->im, terms[0].im);
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

/// Roots, factors and the grid at time 0.
void setup(const Problem& p, Complex* grid) {
  const int factors = p.iterations * (p.nx + p.ny + p.nz);
  setup_roots<<<blocks_of(p.longest()), threads>>>(p.longest(), p.roots);
  setup_axis_factors<<<blocks_of(factors), threads>>>(p.nx, p.ny, p.nz, p.iterations, p.factors);
  setup_initial<<<blocks_of((p.points() + of_thread - 1) / of_thread), threads>>>(p.points(), p.seed, grid);
  ladder::check(cudaGetLastError());
}

/// u = spectrum after time t.
void decay_to(const Problem& p, int t, const Complex* spectrum, Complex* u) {
  const int block = std::min(p.nx, threads), all = p.nx + p.ny + p.nz;
  const dim3 blocks((p.nx + block - 1) / block, p.ny, (p.nz + of_thread - 1) / of_thread);
  // BEGIN SOLUTION Which part of p.factors belongs to time t = 1, 2, …?
  //| ladder::task();  // Delete this line when you start.
  //| const double* const factors = p.factors;
  //| (void)t, (void)all;
  const double* const factors = p.factors + (t - 1) * all;
  // END SOLUTION
  decay_lines<<<blocks, block>>>(p.nx, p.nz, spectrum, factors, u);
  ladder::check(cudaGetLastError());
}

}  // namespace

/// The checksums of all times, and the grid at the last one.
/// @throws ladder::Error when the device refuses a launch.
void short_tables(const Problem& p) {
  Complex *spectrum = p.work, *scratch = p.work + p.points();
  Transform forward(p, spectrum, scratch);
  setup(p, forward.start());
  ladder::check(cudaMemsetAsync(p.checksums, 0, p.iterations * sizeof *p.checksums));

  forward.run(p, 1);
  for (int t = 1; t <= p.iterations; ++t) {
    Transform inverse(p, p.u, scratch);
    decay_to(p, t, spectrum, inverse.start());
    inverse.run(p, -1);
    checksum<<<checksum_points / threads, threads>>>(p, p.u, p.checksums + t - 1);
    ladder::check(cudaGetLastError());
  }
}

}  // namespace npb_ft
