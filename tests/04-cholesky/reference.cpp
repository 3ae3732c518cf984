#include "reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "common/base/text/numbers.hpp"
#include "tiles.hpp"

namespace cholesky::test {
namespace {

std::vector<double> tiles_of(const Problem& p) {
  std::vector<double> content(p.L, p.L + std::size_t(p.tiles) * p.s * p.s);
  for (int k = 0; k < p.tile_columns; ++k) {
    double* const diagonal = content.data() + std::size_t(p.column_start[k]) * p.s * p.s;
    for (int c = 1; c < p.s; ++c) std::fill_n(diagonal + std::size_t(c) * p.s, c, 0.0);  // may be NaN
  }
  return content;
}

}  // namespace

int factorise(const Problem& p) {
  for (int k = 0; k < p.tile_columns; ++k) {
    const int diagonal = p.column_start[k], end = p.column_start[k + 1];
    if (const int row = factorise_tile(tile(p, diagonal), p.s)) return info_of(p, k, row);
    for (int t = diagonal + 1; t < end; ++t) solve_tile(tile(p, diagonal), tile(p, t), p.s);
    for (int u = diagonal + 1; u < end; ++u)
      for (int t = u; t < end; ++t)
        update_tile(tile(p, t), tile(p, u), tile(p, find(p, p.tile_row[t], p.tile_row[u])), p.s);
  }
  return 0;
}

std::string check_residual(const Problem& given, const Problem& got) {
  const int s = given.s;
  std::vector<double> content = tiles_of(got), rest = tiles_of(given), scale(given.n);
  Problem L = given, R = given;
  L.L = content.data(), R.L = rest.data();
  for (int k = 0; k < given.tile_columns; ++k)
    for (int c = 0; c < s; ++c)
      scale[k * s + c] = std::sqrt(tile(given, given.column_start[k])[std::size_t(c) * s + c]);
  for (int k = 0; k < given.tile_columns; ++k)
    for (int u = given.column_start[k]; u < given.column_start[k + 1]; ++u)
      for (int t = u; t < given.column_start[k + 1]; ++t)
        update_tile(tile(L, t), tile(L, u), tile(R, find(R, R.tile_row[t], R.tile_row[u])), s);
  for (int k = 0; k < given.tile_columns; ++k)
    for (int t = given.column_start[k]; t < given.column_start[k + 1]; ++t)
      for (int c = 0; c < s; ++c) {
        const int i = given.tile_row[t];
        for (int r = i == k ? c : 0; r < s; ++r) {
          const int row = i * s + r, column = k * s + c;
          const double error = std::abs(tile(R, t)[c * s + r]) / (scale[row] * scale[column]);
          if (!(error <= largest_residual))
            return fmt::format(
                "tile ({}, {}) of L: |A - L L^T| / sqrt(A[{}][{}] A[{}][{}]) is {} in row {} and "
                "column {}, at most {:g}",
                i, k, row, row, column, column, ladder::number(error, 3), row, column, largest_residual);
        }
      }
  return "";
}

}  // namespace cholesky::test
