#pragma once
/// @file
/// Contract of lesson 06: NPB FT, a diffusion equation solved by three-dimensional Fourier transforms.
/// Source: work E, which runs it on a GPU; NPB defines numbers, classes and verification.

#include "common/lesson/lesson.hpp"
#include "complex.hpp"
#include "grid.hpp"
#include "official_classes.hpp"
#include "uniform_numbers.hpp"

namespace npb_ft {

/// Solves du/dt = alpha laplace(u) on a periodic grid.
///
/// - nx, ny, nz are powers of two, 2 to 2048. Point (x, y, z) is element e = x + nx (y + ny z), of 64 bits.
/// - At time 0 element e is r(2e + 1) + i r(2e + 2), with r(k) number k of NPB's stream.
/// - F is its three-dimensional Fourier transform, sum of u exp(±2 pi i (jx/nx + …)), with either sign.
/// - At time t = 1 … iterations: u is the transform with the other sign, not divided by anything, of
///   F exp(decay t (kx^2 + ky^2 + kz^2)). kx is frequency(x, nx); ky and kz likewise (frequencies.hpp).
/// - checksums[t - 1] is the sum of u[checksum_element(p, q)] over q = 1 … 1024, divided by nx ny nz.
/// - In the end u holds the whole grid at the last time. All of it in double precision.
/// - All arrays hold anything before the call. A rung allocates no grid of its own: u and work are three.
/// - Resident rungs (`data` in rungs.toml): all arrays are in device memory.
struct Problem {
  int nx = 2, ny = 2, nz = 2, iterations = 1;  ///< iterations >= 1
  State seed = official_seed;                  ///< state 0 of the stream: odd, and below 2^46
  bool shows_grid = true;        ///< whether u is looked at; not in a class whose grid the host cannot hold
  Complex* checksums = nullptr;  ///< iterations
  Complex* u = nullptr;          ///< nz x ny x nx
  Complex* work = nullptr;       ///< 2 x nz x ny x nx; the rung's own, left as it likes; so are those below
  Complex* roots = nullptr;      ///< longest(): roots of unity
  double* factors = nullptr;     ///< factor_count(): how much of each frequency is left
  int* squares = nullptr;        ///< nx + ny + nz: kx^2, ky^2, kz^2
  State* state = nullptr;        ///< 1: a place in the stream

  constexpr std::size_t points() const { return std::size_t(nx) * ny * nz; }
  constexpr int longest() const { return longest_side(nx, ny, nz); }
  constexpr std::size_t largest_square() const { return largest_square_of(nx, ny, nz); }
  constexpr std::size_t factor_count() const { return room_for_factors(nx, ny, nz, iterations); }
  static constexpr auto& classes = official_classes;  ///< the sizes that have names: `run 06 --class A`
  bool operator==(const Problem&) const = default;  ///< axes, times, seed and addresses, no array's contents

  /// Shows each array to `visit(name, role, pointer, elements)`.
  template <class Visitor>
  void arrays(Visitor&& visit) {
    visit("checksums", ladder::Role::out, checksums, std::size_t(iterations));
    visit("u", shows_grid ? ladder::Role::out : ladder::Role::work, u, points());
    visit("work", ladder::Role::work, work, 2 * points());
    visit("roots", ladder::Role::work, roots, std::size_t(longest()));
    visit("factors", ladder::Role::work, factors, factor_count());
    visit("squares", ladder::Role::work, squares, std::size_t(nx) + ny + nz);
    visit("state", ladder::Role::work, state, std::size_t(1));
  }
};

/// What every rung of this lesson is.
using Function = void(const Problem&);

}  // namespace npb_ft
