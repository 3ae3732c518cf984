// verdict PASS
// must wavefronts
// must right in all
// not findings
// Padding instead of a swizzle: one place after every eight.
#include "passes.cuh"

namespace npb_ft {
namespace {

__device__ Complex times_i(Complex a, int sign) {
  return sign > 0 ? Complex{-a.im, a.re} : Complex{a.im, -a.re};
}

__device__ void fft2(Complex& a, Complex& b) {
  Complex c = a;
  a = c + b;
  b = c - b;
}

__device__ void fft4(Complex& a, Complex& b, Complex& c, Complex& d, int sign) {
  fft2(a, c);
  fft2(b, d);
  d = times_i(d, sign);
  fft2(a, b);
  fft2(c, d);
  Complex e = b;
  b = c;
  c = e;
}

template <int R>
__device__ void butterfly(Complex* v, int sign) {
  if (R == 2) fft2(v[0], v[1]);
  if (R == 4) fft4(v[0], v[1], v[2], v[3], sign);
  if (R == 8) {
    const double h = sqrt(0.5);
    fft4(v[0], v[2], v[4], v[6], sign);
    fft4(v[1], v[3], v[5], v[7], sign);
    v[3] = Complex{h, sign * h} * v[3];
    v[5] = times_i(v[5], sign);
    v[7] = Complex{-h, sign * h} * v[7];
    Complex e[4] = {v[0], v[2], v[4], v[6]}, o[4] = {v[1], v[3], v[5], v[7]};
    for (int k = 0; k < 4; k++) v[k] = e[k] + o[k], v[k + 4] = e[k] - o[k];
  }
}

template <int R, int E>
__device__ void stage(Complex* v, int t, int n, int done, int sign, const Complex* roots, int longest) {
  for (int q = 0; q < E / R; q++) {
    int k = (t + q * (n / E)) % done;
    Complex w = roots[k * (longest / (R * done))], turn{1, 0};
    w.im *= sign;
    Complex x[R];
    for (int r = 0; r < R; r++, turn = turn * w) x[r] = turn * v[q + r * (E / R)];
    butterfly<R>(x, sign);
    for (int r = 0; r < R; r++) v[q + r * (E / R)] = x[r];
  }
}

template <int First, int E>
__global__ void fft_lines(int n, unsigned step, int lines, int sign, const Complex* roots, int longest,
                          Complex* grid) {
  __shared__ Complex s[2304];
  int of_line = n / E;
  if (threadIdx.x >= lines * of_line) return;
  int t = step == 1 ? threadIdx.x % of_line : threadIdx.x / lines;
  int l = step == 1 ? threadIdx.x / of_line : threadIdx.x % lines;
  unsigned line = blockIdx.x * lines + l;
  Complex* g = grid + line + line / step * size_t(step) * (n - 1);
  auto at = [&](int e) {
    int place = step == 1 ? l * n + e : e * lines + l;
    return place + place / 8;
  };
  Complex v[E];
  for (int i = 0; i < E; i++) v[i] = g[size_t(t + i * of_line) * step];
  stage<First, E>(v, t, n, 1, sign, roots, longest);
  int radix = First;
  for (int done = First; done < n; done *= E) {
    int before = done / radix;
    for (int q = 0; q < E / radix; q++) {
      int j = t + q * of_line, k = j % before;
      for (int r = 0; r < radix; r++) s[at((j - k) * radix + k + r * before)] = v[q + r * (E / radix)];
    }
    __syncthreads();
    for (int i = 0; i < E; i++) v[i] = s[at(t + i * of_line)];
    __syncthreads();
    stage<E, E>(v, t, n, done, sign, roots, longest);
    radix = E;
  }
  for (int i = 0; i < E; i++) g[size_t(t + i * of_line) * step] = v[i];
}

template <int First, int E>
void launch(const Problem& p, int n, unsigned step, int sign, Complex* grid) {
  unsigned all = unsigned(p.points() / n), lines = 256 * E / n;
  if (lines > all) lines = all;
  fft_lines<First, E><<<all / lines, 256>>>(n, step, int(lines), sign, p.roots, p.longest(), grid);
  ladder::check(cudaGetLastError());
}

void fft(const Problem& p, int n, unsigned step, int sign, Complex* grid) {
  if (n == 2) return launch<2, 2>(p, n, step, sign, grid);
  if (n == 4) return launch<4, 4>(p, n, step, sign, grid);
  int first = log2_of(n) % 3;
  if (first == 0) launch<8, 8>(p, n, step, sign, grid);
  if (first == 1) launch<2, 8>(p, n, step, sign, grid);
  if (first == 2) launch<4, 8>(p, n, step, sign, grid);
}

void fft3(const Problem& p, int sign, Complex* grid) {
  fft(p, p.nx, 1, sign, grid);
  fft(p, p.ny, p.nx, sign, grid);
  fft(p, p.nz, p.nx * p.ny, sign, grid);
}

}  // namespace

void swizzle(const Problem& p) {
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
