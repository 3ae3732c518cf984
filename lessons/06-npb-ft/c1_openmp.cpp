/// @file
/// c1: OpenMP. In the baseline one core does everything. No line of the grid needs another one, and no point
/// of the decay; numbers need the ones before them, unless one jumps ahead in their stream. Source: none;
/// NPB's OpenMP version shares the same loops.

#include <algorithm>
#include <cmath>
#include <vector>

#include "problem.hpp"

namespace npb_ft {
namespace {

constexpr int lanes = 8;  // lines that are transformed together

/// Numbers of a block of lines: element j of line l is at j * lanes + l.
struct Block {
  explicit Block(int n) : re(std::size_t(n) * lanes), im(std::size_t(n) * lanes) {}
  std::vector<double> re, im;
};

/// The lines along one axis.
struct Axis {
  int n;             ///< elements of a line
  std::size_t step;  ///< from one element to the next
  std::size_t first(std::size_t line) const { return line / step * step * n + line % step; }
};

/// One stage of Stockham's method: transforms of length `done` become transforms of twice that length.
void stage_of_two(int n, int done, int sign, const Complex* roots,  // n
                  const Block& from, Block& to) {
  for (int j = 0; j < n / 2; ++j) {
    const int k = j % done;
    const double wr = roots[k * (n / (2 * done))].re, wi = sign * roots[k * (n / (2 * done))].im;
    const double *ar = &from.re[j * lanes], *ai = &from.im[j * lanes];
    const double *br = ar + n / 2 * lanes, *bi = ai + n / 2 * lanes;
    double* __restrict yr = &to.re[(2 * j - k) * lanes], * __restrict yi = &to.im[(2 * j - k) * lanes];
    for (int l = 0; l < lanes; ++l) {
      const double cr = wr * br[l] - wi * bi[l], ci = wr * bi[l] + wi * br[l];
      yr[l] = ar[l] + cr, yi[l] = ai[l] + ci;
      yr[l + done * lanes] = ar[l] - cr, yi[l + done * lanes] = ai[l] - ci;
    }
  }
}

/// Two stages in one: half as many times through the cache.
void stage_of_four(int n, int done, int sign, const Complex* roots,  // n
                   const Block& from, Block& to) {
  const int quarter = n / 4 * lanes, out = done * lanes;
  for (int j = 0; j < n / 4; ++j) {
    const int k = j % done, root = k * (n / (4 * done));
    const double w1r = roots[root].re, w1i = sign * roots[root].im;
    const double w2r = roots[2 * root].re, w2i = sign * roots[2 * root].im;
    const double w3r = roots[3 * root].re, w3i = sign * roots[3 * root].im;
    const double *xr = &from.re[j * lanes], *xi = &from.im[j * lanes];
    double* __restrict yr = &to.re[(4 * j - 3 * k) * lanes], * __restrict yi =
                                                                 &to.im[(4 * j - 3 * k) * lanes];
    for (int l = 0; l < lanes; ++l) {
      const double ar = xr[l], ai = xi[l];
      const double br = xr[l + quarter], bi = xi[l + quarter];
      const double cr = xr[l + 2 * quarter], ci = xi[l + 2 * quarter];
      const double dr = xr[l + 3 * quarter], di = xi[l + 3 * quarter];
      const double pr = w1r * br - w1i * bi, pi = w1r * bi + w1i * br;
      const double qr = w2r * cr - w2i * ci, qi = w2r * ci + w2i * cr;
      const double sr = w3r * dr - w3i * di, si = w3r * di + w3i * dr;
      const double er = ar + qr, ei = ai + qi, fr = ar - qr, fi = ai - qi;
      const double gr = pr + sr, gi = pi + si, hr = -sign * (pi - si),
                   hi = sign * (pr - sr);  // i times p - s
      yr[l] = er + gr, yi[l] = ei + gi;
      yr[l + out] = fr + hr, yi[l + out] = fi + hi;
      yr[l + 2 * out] = er - gr, yi[l + 2 * out] = ei - gi;
      yr[l + 3 * out] = fr - hr, yi[l + 3 * out] = fi - hi;
    }
  }
}

/// Transforms the lines from `first` on, `lanes` of them or what is left.
void transform_block(const Axis& axis, std::size_t first, std::size_t lines, int sign, const Complex* roots,
                     Block& x, Block& y, Complex* grid) {
  const int count = int(std::min<std::size_t>(lanes, lines - first));
  std::size_t begin[lanes];
  for (int l = 0; l < count; ++l) begin[l] = axis.first(first + l);
  for (int j = 0; j < axis.n; ++j)
    for (int l = 0; l < count; ++l) {
      x.re[j * lanes + l] = grid[begin[l] + j * axis.step].re;
      x.im[j * lanes + l] = grid[begin[l] + j * axis.step].im;
    }
  int done = 1;
  for (; 4 * done <= axis.n; done *= 4, std::swap(x, y)) stage_of_four(axis.n, done, sign, roots, x, y);
  if (done < axis.n) stage_of_two(axis.n, done, sign, roots, x, y), std::swap(x, y);
  for (int j = 0; j < axis.n; ++j)
    for (int l = 0; l < count; ++l)
      grid[begin[l] + j * axis.step] = {x.re[j * lanes + l], x.im[j * lanes + l]};
}

/// Transforms all lines along one axis, in place.
void transform_axis(const Problem& p, const Axis& axis, int sign, Complex* grid) {
  for (int j = 0; j < axis.n; ++j)
    p.roots[j] = {std::cos(2 * pi * j / axis.n), std::sin(2 * pi * j / axis.n)};
  const std::size_t lines = p.points() / axis.n;
  // TASK, 7 lines: Share the blocks of lines. What does each thread need for itself?
  Block x(axis.n), y(axis.n);
  for (std::size_t line = 0; line < lines; line += lanes)
    transform_block(axis, line, lines, sign, p.roots, x, y, grid);
}

void transform(const Problem& p, int sign, Complex* grid) {
  transform_axis(p, {p.nx, 1}, sign, grid);
  transform_axis(p, {p.ny, std::size_t(p.nx)}, sign, grid);
  transform_axis(p, {p.nz, std::size_t(p.nx) * p.ny}, sign, grid);
}

/// The grid at time 0.
void make_grid(const Problem& p, Complex* grid) {
  const std::size_t plane = std::size_t(p.nx) * p.ny;
  // TASK, 9 lines: Share the planes. State n of the stream is p.seed power(n) mod 2^46 (ladder::npb::power),
  //  and a point takes two numbers.
  ladder::task();  // Delete this line when you start.
  State state = p.seed;
  for (int z = 0; z < p.nz; ++z)
    for (std::size_t e = z * plane; e < (z + 1) * plane; ++e) {
      const State first = state * multiplier & mask;
      state = first * multiplier & mask;
      grid[e] = {scale * double(first), scale * double(state)};
    }
}

/// u = spectrum after time t. The factor of a frequency is a product of three, one for each axis.
void evolve(const Problem& p, int t, const Complex* spectrum) {
  double *fx = p.factors, *fy = fx + p.nx, *fz = fy + p.ny;
  const auto fill = [t](double* f, int n) {
    for (int i = 0; i < n; ++i) f[i] = std::exp(decay * t * frequency(i, n) * frequency(i, n));
  };
  fill(fx, p.nx), fill(fy, p.ny), fill(fz, p.nz);
  // TASK, 6 lines: Share the rows: there are ny nz of them.
  for (int row = 0; row < p.ny * p.nz; ++row)
    for (int x = 0; x < p.nx; ++x) {
      const std::size_t e = std::size_t(row) * p.nx + x;
      p.u[e] = fz[row / p.ny] * fy[row % p.ny] * fx[x] * spectrum[e];
    }
}

Complex checksum(const Problem& p) {
  Complex sum{};
  for (int q = 1; q <= checksum_points; ++q) sum = sum + p.u[checksum_element(p, q)];
  return 1.0 / double(p.points()) * sum;
}

}  // namespace

/// The checksums of all times, and the grid at the last one, with all threads of the team.
void openmp(const Problem& p) {
  make_grid(p, p.work);
  transform(p, 1, p.work);
  for (int t = 1; t <= p.iterations; ++t) {
    evolve(p, t, p.work);
    transform(p, -1, p.u);
    p.checksums[t - 1] = checksum(p);
  }
}

}  // namespace npb_ft
