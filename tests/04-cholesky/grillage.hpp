#pragma once
/// @file
/// A stiffness matrix as engineers have them, like the BCSSTK matrices of the SuiteSparse collection: for
/// tests of what reads a user's matrix.

#include <fmt/format.h>

#include <map>
#include <string>
#include <utility>

namespace cholesky::test {

/// A Matrix Market file: steel beams along x and y, joined at nx by ny points, clamped at x = 0. Three
/// unknowns a free point: its height, in metres, and the two slopes of the beams. Of 29 by 7 points n is 588,
/// and the condition is above 10^6, as bending is much softer than a single beam.
inline std::string grillage(int nx, int ny) {
  // metres, pascals, fourth powers of metres: bars of 18 mm, joined every 100 mm
  constexpr double length = 0.1, young = 2.1e11, inertia = 1e-8, shear = 8e10, torsion = 2e-8;
  constexpr double bend = young * inertia / (length * length * length), twist = shear * torsion / length;
  constexpr double l = length;
  constexpr double beam[4][4] = {{12, 6 * l, -12, 6 * l},
                                 {6 * l, 4 * l * l, -6 * l, 2 * l * l},
                                 {-12, -6 * l, 12, -6 * l},
                                 {6 * l, 2 * l * l, -6 * l, 4 * l * l}};
  std::map<std::pair<int, int>, double> lower;  // by column and row
  const auto unknown = [&](int point, int which) {
    return point % nx == 0 ? -1 : 3 * ((nx - 1) * (point / nx) + point % nx - 1) + which;
  };
  const auto add = [&](int i, int j, double value) {
    if (j >= 0 && i >= j) lower[{j, i}] += value;
  };
  const auto join = [&](int from, int to, int slope, int turn) {
    const int bent[] = {unknown(from, 0), unknown(from, slope), unknown(to, 0), unknown(to, slope)};
    const int twisted[] = {unknown(from, turn), unknown(to, turn)};
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < 4; ++b) add(bent[a], bent[b], bend * beam[a][b]);
    for (int a = 0; a < 2; ++a)
      for (int b = 0; b < 2; ++b) add(twisted[a], twisted[b], a == b ? twist : -twist);
  };
  for (int point = 0; point < nx * ny; ++point) {
    if (point % nx + 1 < nx) join(point, point + 1, 1, 2);
    if (point + nx < nx * ny) join(point, point + nx, 2, 1);
  }
  const int n = 3 * (nx - 1) * ny;
  std::string text = fmt::format("%%MatrixMarket matrix coordinate real symmetric\n% a grillage\n{} {} {}\n",
                                 n, n, lower.size());
  for (const auto& [place, value] : lower)
    text += fmt::format("{} {} {}\n", place.second + 1, place.first + 1, value);
  return text;
}

}  // namespace cholesky::test
