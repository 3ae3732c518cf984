#pragma once
/// @file
/// A grid of nx x ny x nz points: what follows from its sides, and which of its elements are in a checksum.

#include <cstddef>

#include "frequencies.hpp"

namespace npb_ft {

constexpr int longest_side(int nx, int ny, int nz) {
  return nx > ny ? (nx > nz ? nx : nz) : (ny > nz ? ny : nz);
}

/// kx^2 + ky^2 + kz^2 is at most this.
constexpr std::size_t largest_square_of(int nx, int ny, int nz) {
  return (std::size_t(nx) * nx + std::size_t(ny) * ny + std::size_t(nz) * nz) / 4;
}

/// Room for one factor for each t (kx^2 + ky^2 + kz^2), or one for each time and each of kx, ky and kz.
constexpr std::size_t room_for_factors(int nx, int ny, int nz, int iterations) {
  return iterations * (largest_square_of(nx, ny, nz) + std::size_t(nx) + ny + nz) + 1;
}

constexpr int checksum_points = 1024;

/// The element that term q = 1 … 1024 of a checksum is: (q mod nx, 3q mod ny, 5q mod nz).
/// @param p  the problem
template <class Grid>
constexpr std::size_t checksum_element(const Grid& p, int q) {
  return q % p.nx + std::size_t(p.nx) * (3 * q % p.ny + std::size_t(p.ny) * (5 * q % p.nz));
}

}  // namespace npb_ft
