// verdict PASS
// must path:initial
// must right in all
// not findings
// The source's own generator, in doubles, and a grid of fixed size: a thread takes every 2048th point.
#include <algorithm>
#include <utility>

#include "setup.cuh"

namespace npb_ft {
namespace {

// randlc of NPB: x = a x mod 2^46, in parts of 23 bits
__device__ double randlc(double* x, double a) {
  const double r23 = 1.0 / 8388608, t23 = 8388608, r46 = r23 * r23, t46 = t23 * t23;
  double a1 = trunc(r23 * a), a2 = a - t23 * a1;
  double x1 = trunc(r23 * *x), x2 = *x - t23 * x1;
  double t1 = a1 * x2 + a2 * x1;
  double z = t1 - t23 * trunc(r23 * t1);
  double t3 = t23 * z + a2 * x2;
  *x = t3 - t46 * trunc(r46 * t3);
  return r46 * *x;
}

// a^n, as ipow46 of NPB
__device__ double ipow46(double a, size_t n) {
  double result = 1;
  for (; n > 0; n /= 2) {
    if (n % 2) randlc(&result, a);
    double square = a;
    randlc(&square, a);
    a = square;
  }
  return result;
}

__global__ void initial(size_t points, double seed, Complex* grid) {
  const double a = 1220703125.0;
  size_t all = size_t(gridDim.x) * blockDim.x, e = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  double start = seed, jump = ipow46(a, 2 * all);
  randlc(&start, ipow46(a, 2 * e));
  for (; e < points; e += all) {
    double x = start;
    Complex c;
    c.re = randlc(&x, a);
    c.im = randlc(&x, a);
    grid[e] = c;
    randlc(&start, jump);
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
  int q = blockIdx.x * blockDim.x + threadIdx.x + 1;
  Complex term = (1.0 / double(p.points())) * u[checksum_element(p, q)];
  atomicAdd(&sum->re, term.re);
  atomicAdd(&sum->im, term.im);
}

}  // namespace

void jump_ahead(const Problem& p) {
  Complex *spectrum = p.work, *scratch = p.work + p.points();
  size_t factors = p.iterations * p.largest_square() + 1;
  Transform forward(p, spectrum, scratch);
  setup_roots<<<blocks_of(p.longest()), threads>>>(p.longest(), p.roots);
  setup_factors<<<blocks_of(factors), threads>>>(factors, p.factors);
  setup_squares<<<blocks_of(p.nx + p.ny + p.nz), threads>>>(p.nx, p.ny, p.nz, p.squares);
  initial<<<16, threads>>>(p.points(), double(p.seed), forward.start());
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
