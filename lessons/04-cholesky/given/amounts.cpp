/// @file
/// Necessary amounts that take more than arithmetic.

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "cholesky.hpp"

namespace cholesky {

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
  double launches = 3 * double(std::count(solves.begin(), solves.end(), true)) + 2 * double(solves.size());
  for (const auto& tiles : updates) {
    int rounds = 0;
    for (const auto& [tile, count] : tiles) rounds = std::max(rounds, count);
    launches += rounds;
  }
  return launches;
}

}  // namespace cholesky
