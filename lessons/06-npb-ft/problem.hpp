#pragma once
/// @file
/// Contract of lesson 06: NPB FT, a diffusion equation solved by three-dimensional Fourier transforms.
/// Source: work E, which runs it on a GPU; NPB defines numbers, classes and verification.

#include <cstddef>
#include <cstdint>

#include "common/lesson/lesson.hpp"
#include "common/npb/jump.hpp"
#include "complex.hpp"
#include "frequencies.hpp"
#include "official_classes.hpp"

namespace npb_ft {

using ladder::npb::mask;
using ladder::npb::multiplier;
using ladder::npb::scale;
using ladder::npb::State;
constexpr State official_seed = 314159265;  ///< NPB's, for its classes

constexpr int checksum_points = 1024;

/// Solves du/dt = alpha laplace(u) on a periodic grid.
///
/// - The grid has nx x ny x nz points, powers of two from 2 to 2048. Point (x, y, z) is element
///   e = x + nx (y + ny z).
/// - At time 0 element e is r(2e + 1) + i r(2e + 2), with r(k) number k of NPB's stream.
/// - F is its three-dimensional Fourier transform, sum of u exp(±2 pi i (jx/nx + …)), with either sign.
/// - At time t = 1 … iterations: u is the transform with the other sign, not divided by anything, of
///   F exp(decay t (kx^2 + ky^2 + kz^2)). kx is x for x < nx / 2, and x - nx for the others; ky and kz
///   likewise.
/// - checksums[t - 1] is the sum over q = 1 … 1024 of element (q mod nx, 3q mod ny, 5q mod nz) of u, divided
///   by nx ny nz.
/// - In the end u holds the whole grid at the last time.
/// - All of it in double precision. seed is odd and below 2^46. iterations >= 1.
/// - The results and the arrays for the step's own use hold anything before the call. What is in the latter
///   after it does not matter, and a step allocates no grid of its own: with u they are three grids.
/// - Resident steps (`data` in rungs.toml): all arrays are in device memory.
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

/// The element that term q = 1 … 1024 of a checksum is.
constexpr std::size_t checksum_element(const Problem& p, int q) {
  return q % p.nx + std::size_t(p.nx) * (3 * q % p.ny + std::size_t(p.ny) * (5 * q % p.nz));
}

}  // namespace npb_ft
