/// @file
/// Necessary amounts that take more than arithmetic.

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "amounts.hpp"

namespace cholesky {
namespace {

/// For each level of columns, whether it has tiles below its diagonal tiles.
std::vector<bool> levels_of(const Problem& p) {
  std::vector<int> level(p.tile_columns, 0);
  std::vector<bool> below;
  for (int k = 0; k < p.tile_columns; ++k) {
    if (std::size_t(level[k]) >= below.size()) below.resize(level[k] + 1, false);
    for (int t = p.column_start[k] + 1; t < p.column_start[k + 1]; ++t) {
      below[level[k]] = true;
      level[p.tile_row[t]] = std::max(level[p.tile_row[t]], level[k] + 1);
    }
  }
  return below;
}

/// Launches of solve_on_device: two for each level, and two for each that has tiles below its diagonal tiles.
double solve_launches(const Problem& p) {
  const std::vector<bool> below = levels_of(p);
  return 2.0 * double(below.size()) + 2.0 * double(std::count(below.begin(), below.end(), true));
}

}  // namespace

double few_launches(const Problem& p, int) {
  double launches = solve_launches(p);
  for (int k = 0; k < p.tile_columns; ++k) {
    const int* const begin = p.tile_row + p.column_start[k] + 1;
    const int* const end = p.tile_row + p.column_start[k + 1];
    if (begin < end) ++launches;
    for (const int* b = begin; b < end; ++b) {  // what column k does to column *b
      const int* row = p.tile_row + p.column_start[*b];
      ++launches;
      for (const int* t = b + 1; t < end; ++t) {
        const int* const next = std::find(row, p.tile_row + p.column_start[*b + 1], *t);
        if (next != row + 1) ++launches;
        row = next;
      }
    }
  }
  return launches;
}

double batched_launches(const Problem& p, int) {
  std::vector<int> level(p.tile_columns, 0);
  std::vector<bool> solves;                                 // by level
  std::vector<std::map<std::pair<int, int>, int>> updates;  // by level and tile
  for (int k = 0; k < p.tile_columns; ++k) {
    const int* const begin = p.tile_row + p.column_start[k] + 1;
    const int* const end = p.tile_row + p.column_start[k + 1];
    if (std::size_t(level[k]) >= updates.size())
      updates.resize(level[k] + 1), solves.resize(level[k] + 1, false);
    if (begin < end) solves[level[k]] = true;
    for (const int* i = begin; i < end; ++i) {
      level[*i] = std::max(level[*i], level[k] + 1);
      for (const int* j = begin; j <= i; ++j) ++updates[level[k]][{*i, *j}];
    }
  }
  double launches = solve_launches(p) + double(std::count(solves.begin(), solves.end(), true));
  for (const auto& tiles : updates) {
    int rounds = 0;
    for (const auto& [tile, count] : tiles) rounds = std::max(rounds, count);
    launches += rounds;
  }
  return launches;
}

double level_launches(const Problem& p, int ranks) {
  return batched_launches(p, ranks) + double(levels_of(p).size());
}

double entry_bytes(const Problem& p, int) {
  const std::size_t elements = std::size_t(p.s) * p.s;
  double entries = 0, updates = 0;
  for (int k = 0; k < p.tile_columns; ++k) {
    const int first = p.column_start[k], end = p.column_start[k + 1];
    updates += double(end - first - 1) * (end - first) / 2;
    for (std::size_t i = first * elements; i < end * elements; ++i) {
      const std::size_t place = i % elements;
      const bool above = i / elements == std::size_t(first) && place % p.s < place / p.s;
      if (!above && p.L[i] != 0) ++entries;
    }
  }
  return 16 * entries + 28.0 * (p.tiles - p.tile_columns) + 24 * updates + 16.0 * p.tile_columns + 8.0 * p.n;
}

double stays_bytes(const Problem& p, int ranks) {
  return entry_bytes(p, ranks) - 4.0 * p.tiles + 16.0 * p.tile_columns + 8;
}

double push_launches(const Problem& p, int ranks) {
  return level_launches(p, ranks) - solve_launches(p) + 2.0 * double(levels_of(p).size()) + 1;
}

}  // namespace cholesky
