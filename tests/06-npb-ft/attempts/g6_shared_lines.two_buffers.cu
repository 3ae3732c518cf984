// verdict CRASHED
// must cudaErrorInvalidValue
// must shared memory
// not race
// Two buffers in turn, so that one barrier per stage is enough: 64 KB of dynamic shared memory, which nobody asked for.
#include "passes.cuh"

namespace npb_ft {
namespace {

__global__ void fft_lines(int n, unsigned step, int lines, int sign, const Complex* roots, int longest,
                          Complex* grid) {
  extern __shared__ Complex buffers[];
  Complex *x = buffers, *y = buffers + n * lines;
  int half = n / 2;
  int j = step == 1 ? threadIdx.x % half : threadIdx.x / lines;
  int l = step == 1 ? threadIdx.x / half : threadIdx.x % lines;
  int apart = step == 1 ? 1 : lines, begin = step == 1 ? l * n : l;
  unsigned line = blockIdx.x * lines + l;
  Complex* g = grid + line + line / step * size_t(step) * (n - 1);
  Complex a = g[size_t(j) * step], b = g[size_t(j + half) * step];
  for (int done = 1; done < n; done *= 2) {
    int k = j % done;
    Complex w = roots[k * (longest / (2 * done))];
    w.im *= sign;
    Complex wb = w * b;
    y[begin + (2 * j - k) * apart] = a + wb;
    y[begin + (2 * j - k + done) * apart] = a - wb;
    __syncthreads();
    a = y[begin + j * apart];
    b = y[begin + (j + half) * apart];
    Complex* kept = x;
    x = y;
    y = kept;
  }
  g[size_t(j) * step] = a;
  g[size_t(j + half) * step] = b;
}

void fft(const Problem& p, int n, unsigned step, int sign, Complex* grid) {
  unsigned all = unsigned(p.points() / n), lines = 2048 / n;
  if (lines > all) lines = all;
  fft_lines<<<all / lines, lines * n / 2, 2 * lines * n * sizeof(Complex)>>>(n, step, int(lines), sign, p.roots,
                                                                            p.longest(), grid);
  ladder::check(cudaGetLastError());
}

void fft3(const Problem& p, int sign, Complex* grid) {
  fft(p, p.nx, 1, sign, grid);
  fft(p, p.ny, p.nx, sign, grid);
  fft(p, p.nz, p.nx * p.ny, sign, grid);
}

}  // namespace

void shared_lines(const Problem& p) {
  setup_all(p, p.work);
  fft3(p, 1, p.work);
  for (int t = 1; t <= p.iterations; t++) {
    decay_to(p, t, p.work);
    fft3(p, -1, p.u);
    checksum<<<checksum_points / threads, threads>>>(p, p.u, p.checksums + t - 1);
    ladder::check(cudaGetLastError());
  }
}

}  // namespace npb_ft
