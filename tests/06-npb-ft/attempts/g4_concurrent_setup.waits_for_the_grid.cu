// verdict WRONG
// must squares
// must What happened
// not before the start
// The host waits for the grid, which takes longest; the tables, it seems, must be there by then.
#include <algorithm>
#include <utility>

#include "setup.cuh"

namespace npb_ft {
namespace {

__global__ void setup_initial(size_t points, State seed, Complex* grid) {
  size_t e = blockIdx.x * size_t(blockDim.x) * 16 + threadIdx.x;
  if (e >= points) return;
  State stride = ladder::npb::power(2 * blockDim.x), x = seed * ladder::npb::power(2 * e + 1) & mask;
  for (int i = 0; i < 16 && e < points; ++i, e += blockDim.x) {
    Complex number{scale * double(x), scale * double(x * multiplier & mask)};
    grid[e] = number;
    x = x * stride & mask;
  }
}

__global__ void copy_planes(int width, bool exchange, const Complex* from, Complex* to) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y, rows = gridDim.y;
  if (column >= width) return;
  size_t plane = size_t(blockIdx.z) * rows * width, e = size_t(row) * width + column;
  to[plane + (exchange ? size_t(column) * rows + row : e)] = from[plane + e];
}

__global__ void fft_lines(int n, size_t step, size_t lines, int sign, const Complex* roots, int longest, Complex* x,
                          Complex* y) {
  size_t line = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  if (line >= lines) return;
  size_t first = line / step * step * n + line % step;
  x += first, y += first;
  for (int done = 1; done < n; done *= 2) {
    for (int j = 0; j < n / 2; ++j) {
      int k = j % done;
      Complex root = roots[k * (longest / (2 * done))];
      root.im *= sign;
      Complex a = x[j * step], b = root * x[(j + n / 2) * step];
      y[(2 * j - k) * step] = a + b;
      y[(2 * j - k + done) * step] = a - b;
    }
    Complex* now = y;
    y = x, x = now;
  }
}

void transform_axis(const Problem& p, int n, size_t step, int rows, int sign, Complex*& grid, Complex*& other) {
  size_t lines = p.points() / n;
  auto copy = [&p](int width, int height, bool exchange, const Complex* from, Complex* to) {
    dim3 blocks(blocks_of(width), height, unsigned(p.points() / width / height));
    copy_planes<<<blocks, std::min(width, threads)>>>(width, exchange, from, to);
  };
  copy(p.nx, p.ny, rows > 0, grid, other);
  fft_lines<<<blocks_of(lines), threads>>>(n, step, lines, sign, p.roots, p.longest(), other, grid);
  if (log2_of(n) % 2 == 1) std::swap(grid, other);
  if (rows > 0)
    copy(rows, p.nx, true, other, grid);
  else
    copy(p.nx, p.ny, false, other, grid);
  ladder::check(cudaGetLastError());
}

struct Transform {
  Transform(const Problem& p, Complex* result, Complex* other) : grid(result), other(other) {
    if (log2_of(p.nx) % 2 ^ log2_of(p.ny) % 2 ^ log2_of(p.nz) % 2) std::swap(grid, this->other);
  }
  Complex* start() const { return grid; }
  void run(const Problem& p, int sign) {
    transform_axis(p, p.nx, p.ny, p.ny, sign, grid, other);
    transform_axis(p, p.ny, p.nx, 0, sign, grid, other);
    transform_axis(p, p.nz, size_t(p.nx) * p.ny, 0, sign, grid, other);
  }
  Complex *grid, *other;
};

__global__ void checksum(const Problem p, const Complex* u, Complex* sum) {
  __shared__ Complex terms[threads];
  int q = blockIdx.x * blockDim.x + threadIdx.x + 1;
  terms[threadIdx.x] = (1.0 / double(p.points())) * u[checksum_element(p, q)];
  for (int half = threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) terms[threadIdx.x] = terms[threadIdx.x] + terms[threadIdx.x + half];
  }
  if (threadIdx.x > 0) return;
  atomicAdd(&sum->re, terms[0].re);
  atomicAdd(&sum->im, terms[0].im);
}

}  // namespace

void concurrent_setup(const Problem& p) {
  Complex *spectrum = p.work, *scratch = p.work + p.points();
  size_t count = p.iterations * p.largest_square() + 1;
  int all = p.nx + p.ny + p.nz;
  Transform forward(p, spectrum, scratch);
  cudaStream_t s[4];
  for (cudaStream_t& one : s) ladder::check(cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking));
  setup_roots<<<blocks_of(p.longest()), threads, 0, s[0]>>>(p.longest(), p.roots);
  setup_factors<<<blocks_of(count), threads, 0, s[1]>>>(count, p.factors);
  setup_squares<<<blocks_of(all), threads, 0, s[2]>>>(p.nx, p.ny, p.nz, p.squares);
  setup_initial<<<blocks_of((p.points() + 15) / 16), threads, 0, s[3]>>>(p.points(), p.seed, forward.start());
  ladder::check(cudaGetLastError());
  ladder::check(cudaStreamSynchronize(s[3]));
  for (cudaStream_t one : s) ladder::check(cudaStreamDestroy(one));
  ladder::check(cudaMemsetAsync(p.checksums, 0, p.iterations * sizeof(Complex)));
  forward.run(p, 1);
  PointGrid grid(p);
  for (int t = 1; t <= p.iterations; ++t) {
    Transform inverse(p, p.u, scratch);
    evolve<<<grid.blocks, grid.block>>>(p.nx, t, spectrum, p.factors, p.squares, inverse.start());
    inverse.run(p, -1);
    checksum<<<checksum_points / threads, threads>>>(p, p.u, p.checksums + t - 1);
    ladder::check(cudaGetLastError());
  }
}

}  // namespace npb_ft
