// verdict MISSED
// must sweeps:fft_lines
// must right in all
// not WRONG
// A block has one line, whatever its axis: along y and z each request uses half of its sectors.
#include "passes.cuh"

namespace npb_ft {
namespace {

__global__ void fft_lines(int n, unsigned step, int sign, const Complex* roots, int longest, Complex* grid) {
  __shared__ Complex line[2048];
  size_t first = blockIdx.x + blockIdx.x / step * size_t(step) * (n - 1);
  int j = threadIdx.x;
  line[j] = grid[first + size_t(j) * step];
  line[j + n / 2] = grid[first + size_t(j + n / 2) * step];
  for (int done = 1; done < n; done *= 2) {
    __syncthreads();
    int k = j % done;
    Complex w = roots[k * (longest / (2 * done))];
    w.im *= sign;
    Complex a = line[j], b = w * line[j + n / 2];
    __syncthreads();
    line[2 * j - k] = a + b;
    line[2 * j - k + done] = a - b;
  }
  __syncthreads();
  grid[first + size_t(j) * step] = line[j];
  grid[first + size_t(j + n / 2) * step] = line[j + n / 2];
}

void transform(const Problem& p, int sign, Complex* grid) {
  fft_lines<<<unsigned(p.points() / p.nx), p.nx / 2>>>(p.nx, 1, sign, p.roots, p.longest(), grid);
  fft_lines<<<unsigned(p.points() / p.ny), p.ny / 2>>>(p.ny, p.nx, sign, p.roots, p.longest(), grid);
  fft_lines<<<unsigned(p.points() / p.nz), p.nz / 2>>>(p.nz, p.nx * p.ny, sign, p.roots, p.longest(), grid);
  ladder::check(cudaGetLastError());
}

}  // namespace

void shared_lines(const Problem& p) {
  Complex* spectrum = p.work;
  setup_all(p, spectrum);
  transform(p, 1, spectrum);
  for (int t = 1; t <= p.iterations; t++) {
    decay_to(p, t, spectrum);
    transform(p, -1, p.u);
    checksum<<<checksum_points / threads, threads>>>(p, p.u, p.checksums + t - 1);
    ladder::check(cudaGetLastError());
  }
}

}  // namespace npb_ft
