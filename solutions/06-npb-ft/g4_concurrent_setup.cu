/// @file
/// g4: the source's whole design. Four threads of the host fill four arrays at the same time, each in a
/// stream of its own, and a checksum is reduced in shared memory before it goes to the result. Before: g3,
/// where each array of the setup waits for the one before it, and 1,024 threads add to one number. Source:
/// work E: the setup by four CPU threads; the checksum's reduction in shared memory, then atomics.

#include <algorithm>
#include <array>
#include <future>
#include <utility>

#include "setup.cuh"

namespace npb_ft {
namespace {

constexpr int of_thread = 16;  // points that a thread makes

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

/// sum += the 1,024 elements, divided by the number of points.
__global__ void checksum(const Problem p, const Complex* u,  // nz x ny x nx
                         Complex* sum) {                     // 1
  const int q = blockIdx.x * blockDim.x + threadIdx.x + 1;
  const Complex term = (1.0 / double(p.points())) * u[checksum_element(p, q)];
  // BEGIN SOLUTION The terms of a block into shared memory, their sum by halves, and one addition to each
  //  part of `sum`.
  //| atomicAdd(&sum->re, term.re);
  //| atomicAdd(&sum->im, term.im);
  __shared__ Complex terms[threads];
  terms[threadIdx.x] = term;
  for (int half = threads / 2; half > 0; half /= 2) {
    __syncthreads();  // what the others have left is there
    if (threadIdx.x < half) terms[threadIdx.x] = terms[threadIdx.x] + terms[threadIdx.x + half];
  }
  if (threadIdx.x > 0) return;
  atomicAdd(&sum->re, terms[0].re);
  atomicAdd(&sum->im, terms[0].im);
  // END SOLUTION
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

/// Fills roots, factors, squares and the grid at time 0. What is launched to the default stream afterwards
/// finds all of it.
void setup(const Problem& p, Complex* grid) {
  const std::size_t count = p.iterations * p.largest_square() + 1;
  const int all = p.nx + p.ny + p.nz;
  // Streams that do not wait for the default one, nor it for them.
  const std::array<ladder::Stream, 4> streams{
      ladder::Stream(cudaStreamNonBlocking), ladder::Stream(cudaStreamNonBlocking),
      ladder::Stream(cudaStreamNonBlocking), ladder::Stream(cudaStreamNonBlocking)};
  const std::array<ladder::Event, 4> filled;
  const auto launch = [&](int i) {
    const cudaStream_t stream = streams[i].get();
    // BEGIN SOLUTION Array i in its stream, and an event after it.
    //| if (i == 0) setup_roots<<<blocks_of(p.longest()), threads>>>(p.longest(), p.roots);
    //| if (i == 1) setup_factors<<<blocks_of(count), threads>>>(count, p.factors);
    //| if (i == 2) setup_squares<<<blocks_of(all), threads>>>(p.nx, p.ny, p.nz, p.squares);
    //| const unsigned blocks = blocks_of((p.points() + of_thread - 1) / of_thread);
    //| if (i == 3) setup_initial<<<blocks, threads>>>(p.points(), p.seed, grid);
    //| (void)stream;
    if (i == 0) setup_roots<<<blocks_of(p.longest()), threads, 0, stream>>>(p.longest(), p.roots);
    if (i == 1) setup_factors<<<blocks_of(count), threads, 0, stream>>>(count, p.factors);
    if (i == 2) setup_squares<<<blocks_of(all), threads, 0, stream>>>(p.nx, p.ny, p.nz, p.squares);
    if (i == 3)
      setup_initial<<<blocks_of((p.points() + of_thread - 1) / of_thread), threads, 0, stream>>>(
          p.points(), p.seed, grid);
    ladder::check(cudaEventRecord(filled[i].get(), stream));
    // END SOLUTION
    ladder::check(cudaGetLastError());
  };
  // BEGIN SOLUTION Four threads of the host, one per array (std::async hands their errors on). Then the
  //  default stream waits for the four events: the transforms run there.
  //| ladder::task();  // Delete this line when you start.
  //| for (int i = 0; i < 4; ++i) launch(i);
  std::array<std::future<void>, 4> team;
  for (int i = 0; i < 4; ++i) team[i] = std::async(std::launch::async, launch, i);
  for (std::future<void>& one : team) one.get();
  for (const ladder::Event& event : filled) ladder::check(cudaStreamWaitEvent(cudaStreamLegacy, event.get()));
  // END SOLUTION
}

}  // namespace

/// The checksums of all times, and the grid at the last one.
/// @throws ladder::Error when the device refuses a launch.
void concurrent_setup(const Problem& p) {
  Complex *spectrum = p.work, *scratch = p.work + p.points();
  Transform forward(p, spectrum, scratch);
  setup(p, forward.start());
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
