// verdict MISSED
// must sectors
// must right in all
// not WRONG
// Bit reversal on the way into the workspace, then butterflies in place as in most books, with computed roots.
#include "setup.cuh"

namespace npb_ft {
namespace {

__global__ void first_plane(int z, size_t plane, State seed, Complex* grid) {
  State x = seed * ladder::npb::power(2 * plane * z) & mask;
  for (size_t e = 0; e < plane; e++) {
    State re = x * multiplier & mask;
    x = re * multiplier & mask;
    grid[z * plane + e] = Complex{scale * double(re), scale * double(x)};
  }
}

__global__ void fft(int n, size_t step, size_t lines, int sign, Complex* grid, Complex* workspace) {
  size_t line = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  if (line >= lines) return;
  int bits = log2_of(n);
  Complex* x = grid + line / step * step * n + line % step;
  Complex* y = workspace + line * n;
  for (int j = 0; j < n; j++) y[__brev(j) >> (32 - bits)] = x[j * step];
  for (int half = 1; half < n; half *= 2)
    for (int k = 0; k < half; k++) {
      Complex w;
      sincospi(double(sign * k) / half, &w.im, &w.re);
      for (int j = k; j < n; j += 2 * half) {
        Complex a = y[j], b = w * y[j + half];
        bool last = 2 * half == n;
        (last ? x[j * step] : y[j]) = a + b;
        (last ? x[(j + half) * step] : y[j + half]) = a - b;
      }
    }
}

__global__ void checksum(const Problem p, Complex* sum) {
  int q = blockIdx.x * blockDim.x + threadIdx.x + 1;
  Complex c = p.u[checksum_element(p, q)];
  atomicAdd(&sum->re, c.re / double(p.points()));
  atomicAdd(&sum->im, c.im / double(p.points()));
}

void fft3(const Problem& p, int sign, Complex* grid, Complex* workspace) {
  int length[3] = {p.nx, p.ny, p.nz};
  size_t step = 1;
  for (int n : length) {
    size_t lines = p.points() / n;
    fft<<<blocks_of(lines), threads>>>(n, step, lines, sign, grid, workspace);
    ladder::check(cudaGetLastError());
    step *= n;
  }
}

}  // namespace

void one_kernel(const Problem& p) {
  Complex *spectrum = p.work, *workspace = p.work + p.points();
  size_t factors = p.iterations * p.largest_square() + 1;
  setup_factors<<<blocks_of(factors), threads>>>(factors, p.factors);
  setup_squares<<<blocks_of(p.nx + p.ny + p.nz), threads>>>(p.nx, p.ny, p.nz, p.squares);
  for (int z = 0; z < p.nz; z++) first_plane<<<1, 1>>>(z, size_t(p.nx) * p.ny, p.seed, spectrum);
  ladder::check(cudaMemset(p.checksums, 0, p.iterations * sizeof(Complex)));
  fft3(p, -1, spectrum, workspace);
  PointGrid grid(p);
  for (int t = 1; t <= p.iterations; t++) {
    evolve<<<grid.blocks, grid.block>>>(p.nx, t, spectrum, p.factors, p.squares, p.u);
    fft3(p, 1, p.u, workspace);
    checksum<<<checksum_points / threads, threads>>>(p, p.checksums + t - 1);
    ladder::check(cudaGetLastError());
  }
}

}  // namespace npb_ft
