#pragma once
/// @file
/// What lesson 04's rungs are measured by: the necessary amounts that rungs.toml names.

#include "common/lesson/amounts.hpp"
#include "common/lesson/rung.hpp"
#include "lessons/04-cholesky/problem.hpp"

namespace cholesky {

/// @name Necessary amounts
/// What the algorithm of a rung has to copy, keep or launch. README.md derives them. m(k): tiles of column k
/// below its diagonal.
/// @{

/// All tiles.
constexpr double tile_bytes(const Problem& p, int) {
  return 8.0 * p.tiles * p.s * p.s;
}

/// One tile.
constexpr double one_tile_bytes(const Problem& p, int) {
  return 8.0 * p.s * p.s;
}

/// The tiles below the diagonal, there and back.
constexpr double solved_bytes(const Problem& p, int) {
  return 2 * 8.0 * (p.tiles - p.tile_columns) * p.s * p.s;
}

/// Solves and updates of a column with m tiles below its diagonal tile.
constexpr double column_calls(double m) {
  return m + m * (m + 1) / 2;
}

/// Operations of these calls, in s^3: one for a solve and for an update on the diagonal, two for another
/// update.
constexpr double column_operations(double m) {
  return m + m * m;
}

/// Tiles that g1 copies for them.
constexpr double column_copies(double m) {
  return 6 * m + 2 * m * (m - 1);
}

/// g1: 3 tiles for a solve and for an update of a diagonal tile, 4 for another update.
constexpr double copied_bytes(const Problem& p, int) {
  double tiles = 0;
  for (int k = 0; k < p.tile_columns; ++k) {
    const double m = p.column_start[k + 1] - p.column_start[k] - 1;
    tiles += column_copies(m);
  }
  return 8.0 * p.s * p.s * tiles;
}

/// g2: each tile up and down once, a factor that solves up once more.
constexpr double resident_bytes(const Problem& p, int) {
  double factors = 0;
  for (int k = 0; k < p.tile_columns; ++k) factors += p.column_start[k + 1] - p.column_start[k] > 1;
  return 8.0 * p.s * p.s * (2.0 * p.tiles + factors);
}

/// g6: one launch solves a column, and one updates a run of tiles that lie one after the other in both
/// columns; then the launches that solve with L.
double few_launches(const Problem& p, int);

/// g7: of each level one launch for all solves and as many for updates as one tile has there; then one for
/// the level's diagonal tiles and one for its others, forward and back.
double batched_launches(const Problem& p, int);

/// g8: these, and one for each level's diagonal tiles.
double level_launches(const Problem& p, int);

/// g9: 16 bytes for each element of A that is not zero; the lists of a level's diagonal tiles, solves and
/// updates, and those that x is solved with; b.
double entry_bytes(const Problem& p, int);

/// g10: its lists for x have 2 numbers for each tile and 3 for each tile column, instead of 3 for each tile
/// below the diagonal and 2 for each tile column.
double stays_bytes(const Problem& p, int);

/// g10: one launch for each level solves forward, one back; one puts the entries into their places.
double push_launches(const Problem& p, int);

/// x, b, or what is between them.
constexpr double x_bytes(const Problem& p, int) {
  return 8.0 * p.n;
}

/// g10: lists of pointers, a twentieth of L; a product for each tile; x and b; a number for each pivot that
/// is not positive, the diagonal tiles, and the lists for x.
constexpr double solve_bytes(const Problem& p, int ranks) {
  return tile_bytes(p, ranks) / 20 + 8.0 * p.tiles * p.s + 2 * x_bytes(p, ranks) + 8.0 * p.tiles +
         20.0 * p.tile_columns + 12;
}
/// @}

/// The amounts by the names that rungs.toml uses.
inline const ladder::Amounts amounts = {{"tile_bytes", ladder::amount<tile_bytes>},
                                        {"one_tile_bytes", ladder::amount<one_tile_bytes>},
                                        {"solved_bytes", ladder::amount<solved_bytes>},
                                        {"copied_bytes", ladder::amount<copied_bytes>},
                                        {"resident_bytes", ladder::amount<resident_bytes>},
                                        {"few_launches", ladder::amount<few_launches>},
                                        {"batched_launches", ladder::amount<batched_launches>},
                                        {"level_launches", ladder::amount<level_launches>},
                                        {"entry_bytes", ladder::amount<entry_bytes>},
                                        {"stays_bytes", ladder::amount<stays_bytes>},
                                        {"x_bytes", ladder::amount<x_bytes>},
                                        {"solve_bytes", ladder::amount<solve_bytes>},
                                        {"push_launches", ladder::amount<push_launches>}};

/// What a rung of this lesson is asked for.
struct Asks {
  bool L_stays = false;  ///< see Problem
};
inline Asks asks_of(const ladder::Step& row) {
  Asks asks;
  ladder::read_asks(row, {{"L_stays", &asks.L_stays}});
  return asks;
}

}  // namespace cholesky
