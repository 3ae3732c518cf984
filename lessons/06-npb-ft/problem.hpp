#pragma once
/// @file
/// Contract of lesson 06, its problem: NPB FT, a diffusion equation solved by three-dimensional Fourier transforms.
/// Source: work E, which runs it on a GPU; NPB defines numbers, classes and verification.

#include <cstddef>
#include <cstdint>

#include "common/lesson/lesson.hpp"
#include "common/npb/jump.hpp"

namespace npb_ft {

using ladder::npb::mask;
using ladder::npb::multiplier;
using ladder::npb::scale;
using ladder::npb::State;
constexpr State official_seed = 314159265;  ///< NPB's, for its classes

/// A complex number: 16 bytes that a GPU moves in one access, since they are aligned to 16.
struct alignas(16) Complex {
  double re, im;
};
constexpr Complex operator+(Complex a, Complex b) {
  return {a.re + b.re, a.im + b.im};
}
constexpr Complex operator-(Complex a, Complex b) {
  return {a.re - b.re, a.im - b.im};
}
constexpr Complex operator*(Complex a, Complex b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
constexpr Complex operator*(double s, Complex a) {
  return {s * a.re, s * a.im};
}

/// A class of NPB: its grid and how many iterations.
struct OfficialClass {
  const char* name;
  int size;  ///< log2 of the points of the grid
  int nx, ny, nz, iterations;
};
constexpr OfficialClass official_classes[] = {
    {"S", 18, 64, 64, 64, 6},     {"W", 19, 128, 128, 32, 6},   {"A", 23, 256, 256, 128, 6},
    {"B", 25, 512, 256, 256, 20}, {"C", 27, 512, 512, 512, 20}, {"D", 31, 2048, 1024, 1024, 25},
};

constexpr double pi = 3.14159265358979323846;
constexpr double decay = -4e-6 * pi * pi;  ///< -4 alpha pi^2, the exponent for one unit of k^2 and of time
constexpr int checksum_points = 1024;

/// Solves du/dt = alpha laplace(u) on a periodic grid.
///
/// - The grid has nx x ny x nz points, powers of two from 2 to 2048. Point (x, y, z) is element
///   e = x + nx (y + ny z).
/// - At time 0 element e is r(2e + 1) + i r(2e + 2), with r(k) number k of NPB's stream.
/// - F is its three-dimensional Fourier transform, sum of u exp(±2 pi i (jx/nx + …)), with either sign.
/// - At time t = 1 … iterations: u is the transform with the other sign, not divided by anything, of
///   F exp(decay t (kx^2 + ky^2 + kz^2)). kx is x for x < nx / 2, and x - nx for the others; ky and kz likewise.
/// - checksums[t - 1] is the sum over q = 1 … 1024 of element (q mod nx, 3q mod ny, 5q mod nz) of u, divided
///   by nx ny nz.
/// - In the end u holds the whole grid at the last time.
/// - All of it in double precision. seed is odd and below 2^46. iterations >= 1.
/// - The results and the arrays for the step's own use hold anything before the call. What is in the latter after it
///   does not matter, and a step allocates no grid of its own: with u they are three grids.
/// - Resident steps (field `data` of the row): all arrays are in device memory.
/// - A grid may have more than 2^31 points: an element's number is 64 bits wide.
struct Problem {
  int nx = 2, ny = 2, nz = 2, iterations = 1;
  State seed = official_seed;    ///< state 0 of the stream
  bool shows_grid = true;        ///< whether u is looked at; not in a class whose grid the host cannot hold
  Complex* checksums = nullptr;  ///< iterations
  Complex* u = nullptr;          ///< nz x ny x nx

  Complex* work = nullptr;    ///< 2 x nz x ny x nx, for the step's own use; so are those below
  Complex* roots = nullptr;   ///< longest(): roots of unity
  double* factors = nullptr;  ///< factor_count(): how much of each frequency is left
  int* squares = nullptr;     ///< nx + ny + nz: kx^2, ky^2, kz^2
  State* state = nullptr;     ///< 1: a place in the stream

  constexpr std::size_t points() const { return std::size_t(nx) * ny * nz; }
  constexpr int longest() const { return nx > ny ? (nx > nz ? nx : nz) : (ny > nz ? ny : nz); }
  /// kx^2 + ky^2 + kz^2 is at most this.
  constexpr std::size_t largest_square() const {
    return (std::size_t(nx) * nx + std::size_t(ny) * ny + std::size_t(nz) * nz) / 4;
  }
  /// Room for one factor for each t (kx^2 + ky^2 + kz^2), or one for each time and each of kx, ky and kz.
  constexpr std::size_t factor_count() const {
    return iterations * (largest_square() + std::size_t(nx) + ny + nz) + 1;
  }

  static constexpr auto& classes = official_classes;  ///< the sizes that have names: `run 06 --class A`

  /// Shows each array to `visit(name, role, pointer, elements)`.
  template <class Visitor>
  void arrays(Visitor&& visit) {
    using ladder::Role;
    visit("checksums", Role::out, checksums, std::size_t(iterations));
    visit("u", shows_grid ? Role::out : Role::work, u, points());
    visit("work", Role::work, work, 2 * points());
    visit("roots", Role::work, roots, std::size_t(longest()));
    visit("factors", Role::work, factors, factor_count());
    visit("squares", Role::work, squares, std::size_t(nx) + ny + nz);
    visit("state", Role::work, state, std::size_t(1));
  }
};

/// What every step of this lesson is.
using Function = void(const Problem&);

/// The frequency that belongs to place i of n.
constexpr int frequency(int i, int n) {
  return i < n / 2 ? i : i - n;
}

/// The element that term q = 1 … 1024 of a checksum is.
constexpr std::size_t checksum_element(const Problem& p, int q) {
  return q % p.nx + std::size_t(p.nx) * (3 * q % p.ny + std::size_t(p.ny) * (5 * q % p.nz));
}

constexpr int log2_of(int n) {
  int m = 0;
  while (n >> (m + 1) != 0) ++m;
  return m;
}

/// @name Necessary amounts
/// Sectors (32 bytes, two numbers) and other things that the algorithm of a rung cannot do without. README.md
/// derives them.
/// @{

/// A sweep: the grid is read and written once, one sector per point.
constexpr double sweep(const Problem& p) {
  return double(p.points());
}

/// The first grid is written, and for each time a grid decays into another one.
constexpr double sectors_beside_transforms(const Problem& p) {
  return (0.5 + p.iterations) * sweep(p);
}

/// g1: log2(n) stages per axis, one more to come back after an odd number. In its own place a thread is alone in each
/// sector, in the grid too along x.
constexpr double strided_sectors(const Problem& p, int) {
  const auto stages = [](int n) { return (log2_of(n) + 1) / 2 * 2; };
  const double a_transform = 2.0 * stages(p.nx) + 1.5 * stages(p.ny) + 1.5 * stages(p.nz);
  return (1 + p.iterations) * a_transform * sweep(p) + sectors_beside_transforms(p);
}

/// g2: log2(n) stages and two copies per axis.
constexpr double staged_sectors(const Problem& p, int) {
  const double sweeps = log2_of(p.nx) + log2_of(p.ny) + log2_of(p.nz) + 6;
  return (1 + p.iterations) * sweeps * sweep(p) + sectors_beside_transforms(p);
}

/// What the exchanges of rows and columns add: one side of two copies along x is strided, half a sector per number.
constexpr double strided_copy_sectors(const Problem& p) {
  return (1 + p.iterations) * 2 * 0.5 * sweep(p);
}

/// g3: one launch, by stated costs.
constexpr double launch_seconds(const Problem&, int) {
  return 4e-6;
}

/// g3: the first grid is written once.
constexpr double first_grid_sectors(const Problem& p, int) {
  return sweep(p) / 2;
}

/// g4: four arrays, of which none waits for another.
constexpr double setup_share(const Problem&, int) {
  return 0.25;
}

/// g4: two for each block of 128 terms of a checksum.
constexpr double checksum_atomics(const Problem& p, int) {
  return 2.0 * checksum_points / 128 * p.iterations;
}

/// g5: for each time the grid decays in one sweep.
constexpr double decay_sectors(const Problem& p, int) {
  return p.iterations * sweep(p);
}

/// Sectors per point of a warp's decay: read and write, and the tables. With one factor for each t k^2 nearly each lane
/// reads another sector, and four squares of 8 neighbouring x, one of y and one of z are read for 32 lanes.
constexpr double decay_by_squares() {
  return 1 + 1 + (4 + 1 + 1) / 32.0;
}
/// With one factor per axis 8 sectors for 32 x and one for y are read once for so many planes, one for z each time.
constexpr double decay_by_axes(int planes) {
  return 1 + 1 / 32.0 + (8 + 1) / 32.0 / planes;
}

/// Sweeps of a transform along an axis of n points by g2 to g5: the stages and two copies.
constexpr int staged_sweeps(int n) {
  return log2_of(n) + 2;
}

/// Bytes of all transforms, with so many sweeps per axis.
constexpr double transform_bytes(const Problem& p, double sweeps) {
  return (1 + p.iterations) * 3 * sweeps * 32 * double(p.points());
}

/// g6: one sweep per axis, in the transforms.
constexpr double line_sectors(const Problem& p, int) {
  return (1 + p.iterations) * 3 * sweep(p);
}

/// g6: all of its sectors.
constexpr double swept_sectors(const Problem& p, int ranks) {
  return line_sectors(p, ranks) + sectors_beside_transforms(p);
}

/// Exchanges of one line of n numbers: between its stages of 2, and of 8.
constexpr int exchanges_of_2(int n) {
  return log2_of(n) - 1;
}
constexpr int exchanges_of_8(int n) {
  return (log2_of(n) + 2) / 3 - 1;
}

/// g7: exchanges of all transforms, one line of each axis.
constexpr double exchanges(const Problem& p, int) {
  return (1 + p.iterations) * (exchanges_of_8(p.nx) + exchanges_of_8(p.ny) + exchanges_of_8(p.nz));
}

/// g8: in each of these exchanges all numbers are written to shared memory and read from it, 128 bytes per pass.
constexpr double exchange_wavefronts(const Problem& p, int ranks) {
  return exchanges(p, ranks) * 2 * double(p.points()) * sizeof(Complex) / 128;
}
/// @}

/// Operations of all transforms by radix 2: 10 for each of N/2 butterflies of each level.
constexpr double transform_operations(const Problem& p) {
  const double levels = log2_of(p.nx) + log2_of(p.ny) + log2_of(p.nz);
  return (1 + p.iterations) * 5 * double(p.points()) * levels;
}

/// What no step can do without: the operations of a split-radix transform, and the grid once for each transform.
constexpr ladder::Work work(const Problem& p) {
  const double N = double(p.points()), levels = log2_of(p.nx) + log2_of(p.ny) + log2_of(p.nz);
  return {.fp64 = (1 + p.iterations) * 4 * N * levels,
          .bytes = 32 * N,
          .passes = 1.0 + p.iterations,
          .formula = "4 N log2(N) FP64 operations and 32 N bytes for each of the 1 + iterations transforms"};
}

}  // namespace npb_ft
