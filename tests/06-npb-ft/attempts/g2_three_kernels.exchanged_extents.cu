// verdict WRONG
// must same length
// must general 3 of 3
// not race
// The copy back takes the extents in the same order as the copy before it: right as long as nx is ny.
#include "setup.cuh"

namespace npb_ft {
namespace {

__global__ void numbers(int z, size_t plane, State seed, State* state, Complex* grid) {
  State x = z == 0 ? seed : *state;
  for (size_t e = z * plane; e < (z + 1) * plane; e++) {
    State re = x * multiplier & mask;
    x = re * multiplier & mask;
    grid[e] = Complex{scale * double(re), scale * double(x)};
  }
  *state = x;
}

// [z][a][b] -> [z][b][a]
__global__ void transpose(int a, int b, const Complex* from, Complex* to) {
  int i = blockIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j >= b) return;
  size_t plane = size_t(blockIdx.z) * a * b;
  to[plane + size_t(j) * a + i] = from[plane + size_t(i) * b + j];
}

__global__ void stages(int n, size_t step, size_t lines, int sign, const Complex* roots, int longest, Complex* x,
                       Complex* y) {
  size_t line = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  if (line >= lines) return;
  x += line / step * step * n + line % step;
  y += line / step * step * n + line % step;
  int m = log2_of(n);
  for (int s = 0; s < m; s++) {
    int done = 1 << s;
    Complex *from = s % 2 ? y : x, *to = s % 2 ? x : y;
    for (int j = 0; j < n / 2; j++) {
      int k = j & (done - 1);
      Complex w = roots[k * (longest / (2 * done))];
      w.im *= sign;
      Complex a = from[j * step], b = w * from[(j + n / 2) * step];
      to[(2 * j - k) * step] = a + b;
      to[(2 * j - k + done) * step] = a - b;
    }
  }
  if (m % 2)
    for (int j = 0; j < n; j++) x[j * step] = y[j * step];
}

void fft3(const Problem& p, int sign, Complex* grid, Complex* other) {
  dim3 blocks(blocks_of(p.nx), p.ny, p.nz);
  size_t N = p.points();
  transpose<<<blocks, threads>>>(p.ny, p.nx, grid, other);
  stages<<<blocks_of(N / p.nx), threads>>>(p.nx, p.ny, N / p.nx, sign, p.roots, p.longest(), other, grid);
  transpose<<<blocks, threads>>>(p.ny, p.nx, other, grid);
  stages<<<blocks_of(N / p.ny), threads>>>(p.ny, p.nx, N / p.ny, sign, p.roots, p.longest(), grid, other);
  stages<<<blocks_of(N / p.nz), threads>>>(p.nz, size_t(p.nx) * p.ny, N / p.nz, sign, p.roots, p.longest(), grid,
                                           other);
  ladder::check(cudaGetLastError());
}

__global__ void checksum(const Problem p, Complex* sum) {
  int q = blockIdx.x * blockDim.x + threadIdx.x + 1;
  Complex c = (1.0 / double(p.points())) * p.u[checksum_element(p, q)];
  atomicAdd(&sum->re, c.re);
  atomicAdd(&sum->im, c.im);
}

}  // namespace

void three_kernels(const Problem& p) {
  Complex *spectrum = p.work, *other = p.work + p.points();
  size_t factors = p.iterations * p.largest_square() + 1;
  setup_roots<<<blocks_of(p.longest()), threads>>>(p.longest(), p.roots);
  setup_factors<<<blocks_of(factors), threads>>>(factors, p.factors);
  setup_squares<<<blocks_of(p.nx + p.ny + p.nz), threads>>>(p.nx, p.ny, p.nz, p.squares);
  for (int z = 0; z < p.nz; z++) numbers<<<1, 1>>>(z, size_t(p.nx) * p.ny, p.seed, p.state, spectrum);
  ladder::check(cudaMemset(p.checksums, 0, p.iterations * sizeof(Complex)));
  fft3(p, 1, spectrum, other);
  PointGrid grid(p);
  for (int t = 1; t <= p.iterations; t++) {
    evolve<<<grid.blocks, grid.block>>>(p.nx, t, spectrum, p.factors, p.squares, p.u);
    fft3(p, -1, p.u, other);
    checksum<<<checksum_points / threads, threads>>>(p, p.checksums + t - 1);
    ladder::check(cudaGetLastError());
  }
}

}  // namespace npb_ft
