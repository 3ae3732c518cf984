// verdict PASS
// must sweeps:fft_lines
// must right in all
// not findings
// Bit reversal into shared memory, then butterflies in place; a block always has 1024 threads, and those without a
// butterfly return early. The first transform has the sign -1.
#include "passes.cuh"

namespace npb_ft {
namespace {

__global__ void fft_lines(int n, unsigned step, int lines, int sign, const Complex* roots, int longest,
                          Complex* grid) {
  __shared__ Complex s[2048];
  int half = n / 2, m = log2_of(n), tid = threadIdx.x;
  if (tid >= lines * half) return;
  int t = step == 1 ? tid % half : tid / lines, l = step == 1 ? tid / half : tid % lines;
  unsigned line = blockIdx.x * lines + l;
  Complex* g = grid + line + line / step * size_t(step) * (n - 1);
  auto at = [&](int e) { return step == 1 ? l * n + e : e * lines + l; };
  for (int e = t; e < n; e += half) s[at(__brev(e) >> (32 - m))] = g[size_t(e) * step];
  for (int len = 2; len <= n; len *= 2) {
    __syncthreads();
    int k = t % (len / 2), i = t / (len / 2) * len + k;
    Complex w = roots[longest / len * k];
    if (sign < 0) w.im = -w.im;
    Complex a = s[at(i)], b = w * s[at(i + len / 2)];
    s[at(i)] = a + b;
    s[at(i + len / 2)] = a - b;
  }
  __syncthreads();
  for (int e = t; e < n; e += half) g[size_t(e) * step] = s[at(e)];
}

void fft(const Problem& p, int n, unsigned step, int sign, Complex* grid) {
  unsigned all = unsigned(p.points() / n), lines = 2048 / n;
  if (lines > all) lines = all;
  fft_lines<<<all / lines, 1024>>>(n, step, int(lines), sign, p.roots, p.longest(), grid);
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
  fft3(p, -1, p.work);
  for (int t = 1; t <= p.iterations; t++) {
    decay_to(p, t, p.work);
    fft3(p, 1, p.u);
    checksum<<<checksum_points / threads, threads>>>(p, p.u, p.checksums + t - 1);
    ladder::check(cudaGetLastError());
  }
}

}  // namespace npb_ft
