// verdict WRONG
// must right up to element
// must begins with number 1 of the stream
// not Warning
// The state is firstprivate: each thread of the team begins at the seed.
#include <cmath>
#include <utility>
#include <vector>

#include "problem.hpp"

namespace npb_ft {
namespace {

void fft_line(int n, size_t step, int sign, const Complex* roots, Complex* line, std::vector<Complex>& x,
              std::vector<Complex>& y) {
  for (int j = 0; j < n; j++) x[j] = line[j * step];
  for (int done = 1; done < n; done *= 2, std::swap(x, y))
    for (int j = 0; j < n / 2; j++) {
      int k = j % done;
      Complex w = roots[k * (n / (2 * done))];
      w.im *= sign;
      Complex b = w * x[j + n / 2];
      y[2 * j - k] = x[j] + b;
      y[2 * j - k + done] = x[j] - b;
    }
  for (int j = 0; j < n; j++) line[j * step] = x[j];
}

void fft_axis(const Problem& p, int n, size_t step, int sign, Complex* grid) {
  size_t lines = p.points() / n;
#pragma omp parallel
  {
#pragma omp for
    for (int j = 0; j < n; j++) p.roots[j] = {std::cos(2 * pi * j / n), std::sin(2 * pi * j / n)};
    std::vector<Complex> x(n), y(n);
#pragma omp for schedule(static)
    for (size_t i = 0; i < lines; i++)
      fft_line(n, step, sign, p.roots, grid + i / step * step * n + i % step, x, y);
  }
}

void fft3(const Problem& p, int sign, Complex* grid) {
  fft_axis(p, p.nx, 1, sign, grid);
  fft_axis(p, p.ny, p.nx, sign, grid);
  fft_axis(p, p.nz, size_t(p.nx) * p.ny, sign, grid);
}

void first_grid(const Problem& p) {
  size_t plane = size_t(p.nx) * p.ny;
  State x = p.seed;
#pragma omp parallel for firstprivate(x)
  for (int z = 0; z < p.nz; z++)
    for (size_t e = z * plane; e < (z + 1) * plane; e++) {
      State re = x * multiplier & mask;
      x = re * multiplier & mask;
      p.work[e] = {scale * double(re), scale * double(x)};
    }
}

void decay_to(const Problem& p, int t) {
#pragma omp parallel for schedule(static)
  for (int z = 0; z < p.nz; z++)
    for (int y = 0; y < p.ny; y++)
      for (int x = 0; x < p.nx; x++) {
        int kx = frequency(x, p.nx), ky = frequency(y, p.ny), kz = frequency(z, p.nz);
        size_t e = x + p.nx * (y + p.ny * size_t(z));
        p.u[e] = std::exp(decay * t * (kx * kx + ky * ky + kz * kz)) * p.work[e];
      }
}

}  // namespace

void openmp(const Problem& p) {
  first_grid(p);
  fft3(p, 1, p.work);
  for (int t = 1; t <= p.iterations; t++) {
    decay_to(p, t);
    fft3(p, -1, p.u);
    double re = 0, im = 0;
#pragma omp parallel for reduction(+ : re, im)
    for (int q = 1; q <= checksum_points; q++) {
      re += p.u[checksum_element(p, q)].re;
      im += p.u[checksum_element(p, q)].im;
    }
    p.checksums[t - 1] = {re / double(p.points()), im / double(p.points())};
  }
}

}  // namespace npb_ft
