#pragma once
/// @file
/// What lesson 03's rungs are measured by: the work of a problem, the necessary amounts that rungs.toml
/// names, and what the page predicts.

#include "common/lesson/amounts.hpp"
#include "common/lesson/rung.hpp"
#include "lessons/03-dgemm/problem.hpp"

namespace dgemm {

/// What no step can do without: every product, and A, B and C once.
constexpr ladder::Work work(const Problem& p) {
  const double m = p.m, n = p.n, k = p.k;
  return {.fp64 = 2 * m * n * k,
          .bytes = 8 * (m * k + k * n + m * n),
          .formula = "2 m n k FP64 operations, 8 (m k + k n + m n) bytes"};
}

/// What a rung of this lesson is asked for.
struct Asks {
  int block = 0;          ///< rows and columns of C that a block of threads computes; 0: it keeps no tile
  int depth = 0;          ///< terms of the sums that it loads into shared memory in one pass
  bool accurate = false;  ///< its median error is at most 1.1 times that of sums of doubles
  bool in_parts = false;  ///< matrices that the device cannot hold: it gets little device memory too
  bool shares = false;    ///< several blocks share a tile: C has fewer tiles than the device holds blocks
};

/// @name Necessary amounts
/// What the algorithm of a rung has to move or execute. README.md derives them.
/// @{

/// Rank 0 sends the others their rows of A, and B, and gets their rows of C.
constexpr double sent_bytes(const Problem& p, int ranks) {
  const double away = p.m - (p.m + ranks - 1) / ranks;  // rows that are not rank 0's
  return 8 * (away * (double(p.k) + p.n) + (ranks - 1.0) * p.k * p.n);
}

/// On a grid of P x Q ranks: each block of A goes to the Q - 1 others of its row, each block of B to the
/// P - 1 others of its column.
constexpr double panel_bytes(const Problem& p, int ranks) {
  const Grid grid = grid_of(0, ranks);
  const double m = p.m, n = p.n, k = p.k;
  return 8 * ((grid.columns - 1) * m * k + (grid.rows - 1) * k * n);
}

/// A term is 9 sectors for a warp: one of A, the same for all, and 8 of B. C is stored in whole sectors.
constexpr double naive_sectors(const Problem& p, int) {
  const double m = p.m, n = p.n, k = p.k;
  return 9 * m * n * k / 32 + m * n / 4;
}

/// Tiles of 32 x 32: each element that is loaded serves 32 others.
constexpr double tiled_sectors(const Problem& p, int) {
  const double m = p.m, n = p.n, k = p.k;
  return m * n * k / 64 + m * n / 4;
}

/// One wavefront per load: 16 of a warp for 8 x 8 x 32 multiply-adds. And to store the tiles' elements, two
/// for 128 multiply-adds, 16 per wavefront.
constexpr double load_wavefronts(const Problem& p, int) {
  const double m = p.m, n = p.n, k = p.k;
  return m * n * k / 128 + m * n * k / 1024;
}

/// m n / 128^2 blocks have k / 8 passes of 2048 doubles, 64 per request.
constexpr double load_requests(const Problem& p, int) {
  const double m = p.m, n = p.n, k = p.k;
  return m * n * k / 4096;
}

/// One for each pass of 8 terms.
constexpr double pass_barriers(const Problem& p, int) {
  return p.k / 8.0;
}

/// A load of 32 doubles is two wavefronts, and a warp has 8 of A and 16 of B for 32 x 64 x 8 multiply-adds;
/// or half as many loads of 32 pairs, four wavefronts each. To store the tiles as in g3.
constexpr double fragment_wavefronts(const Problem& p, int) {
  const double m = p.m, n = p.n, k = p.k;
  return 3 * m * n * k / 1024 + m * n * k / 1024;
}

/// Four multiprocessors, those of the executor's device, share the passes of 16 terms of all tiles of 64 x
/// 128: one barrier for each.
constexpr double shared_barriers(const Problem& p, int) {
  const double m = p.m, n = p.n, k = p.k;
  return m / 64 * (n / 128) * (k / 16) / 4;
}

/// 15 products modulo a small number, and a coarse one. A load of 32 words is one wavefront, and a warp has 8
/// of A and 16 of B for 32 x 64 x 32 multiply-adds of int8. To store the tiles, 128 bytes per wavefront.
constexpr double residue_wavefronts(const Problem& p, int) {
  const double m = p.m, n = p.n, k = p.k;
  return 16 * (3 * m * n * k / 8192 + m * n * k / 8192);
}

/// A, B and C.
constexpr double matrix_bytes(const Problem& p, int) {
  return work(p).bytes;
}

/// The same in sectors: what no product can do without.
constexpr double matrix_sectors(const Problem& p, int) {
  return work(p).bytes / 32;
}

/// A and B in load requests, each of 32 lanes with 16 bytes at most.
constexpr double matrix_requests(const Problem& p, int) {
  const double m = p.m, n = p.n, k = p.k;
  return 8 * (m * k + k * n) / 512;
}

/// What no product whose sums are in registers, and whose A or B comes there through shared memory, can do
/// without. A block has 65,536 registers: at most t x t = 32,768 sums of doubles. It stores and loads t
/// elements for each term, 16 per wavefront, and there are m n / t^2 blocks.
constexpr double min_wavefronts(const Problem& p, int) {
  const double m = p.m, n = p.n, k = p.k;
  return m * n * k / (8 * 181.02);
}
/// @}

/// @name What other programs need
/// README.md compares them with the amounts above.
/// @{

/// m1 when all of A goes to every rank.
constexpr double sent_bytes_with_all_of_a(const Problem& p, int ranks) {
  const double away = p.m - (p.m + ranks - 1) / ranks;
  return 8 * (away * p.n + (ranks - 1.0) * p.k * (double(p.m) + p.n));
}

/// m2 on a grid of one row: all blocks of A go to everyone, B stays.
constexpr double panel_bytes_in_line(const Problem& p, int ranks) {
  return 8 * (ranks - 1.0) * p.m * p.k;
}

/// g1 when the row follows threadIdx.x: 32 sectors of A and one of B for a term, 32 to store.
constexpr double strided_sectors(const Problem& p, int) {
  const double m = p.m, n = p.n, k = p.k;
  return 33 * m * n * k / 32 + m * n;
}

/// g3 when a warp's loads take so many wavefronts for a term, which 64 * 32 multiply-adds use.
constexpr double wavefronts_with(double per_term, const Problem& p) {
  const double m = p.m, n = p.n, k = p.k;
  return per_term * m * n * k / 2048 + m * n * k / 1024;
}

/// Loads per multiply-add, in vectors, of a tile of C in registers: a term reads an element of each row and a
/// row of vectors.
constexpr double loads_with_tile(int rows, int vectors) {
  return double(rows + vectors) / (rows * vectors);
}

/// Strips of 128 rows of A and of 128 columns of B that the tiles of a wave need, when bands of that many
/// tiles below each other are computed one after another.
constexpr int strips_of_wave(int blocks, int across, int band) {
  const int bands = (blocks + band * across - 1) / (band * across);
  return bands * band + (bands > 1 ? across : (blocks + band - 1) / band);
}

/// Passes of 16 terms of half a tile of 128 x 128 that the busiest multiprocessor computes, when each tile of
/// 128 x 128 is a block's.
constexpr int passes_in_waves(int m, int n, int k, int multiprocessors) {
  const int tiles = (m + 127) / 128 * ((n + 127) / 128);
  return (tiles + multiprocessors - 1) / multiprocessors * 2 * (k / 16);
}

/// And when tiles are 64 x 128, and those that are left after full waves are shared.
constexpr int passes_in_shares(int m, int n, int k, int multiprocessors) {
  const int tiles = (m + 63) / 64 * ((n + 127) / 128), passes = k / 16;
  const int left = tiles % multiprocessors, parts = left > 0 ? multiprocessors / left : 1;
  return tiles / multiprocessors * passes + (left > 0 ? (passes + parts - 1) / parts : 0);
}

/// The busiest thread's share over the mean, when so many chunks of equal work are divided evenly.
constexpr double load_imbalance(int chunks, int threads) {
  return double((chunks + threads - 1) / threads) * threads / chunks;
}
/// @}

/// The amounts by the names that rungs.toml uses.
inline const ladder::Amounts amounts = {{"sent_bytes", ladder::amount<sent_bytes>},
                                        {"panel_bytes", ladder::amount<panel_bytes>},
                                        {"naive_sectors", ladder::amount<naive_sectors>},
                                        {"tiled_sectors", ladder::amount<tiled_sectors>},
                                        {"load_wavefronts", ladder::amount<load_wavefronts>},
                                        {"load_requests", ladder::amount<load_requests>},
                                        {"pass_barriers", ladder::amount<pass_barriers>},
                                        {"fragment_wavefronts", ladder::amount<fragment_wavefronts>},
                                        {"shared_barriers", ladder::amount<shared_barriers>},
                                        {"residue_wavefronts", ladder::amount<residue_wavefronts>},
                                        {"matrix_bytes", ladder::amount<matrix_bytes>},
                                        {"matrix_sectors", ladder::amount<matrix_sectors>},
                                        {"matrix_requests", ladder::amount<matrix_requests>},
                                        {"min_wavefronts", ladder::amount<min_wavefronts>}};

/// What a rung is asked for.
inline Asks asks_of(const ladder::Step& row) {
  Asks asks;
  ladder::read_asks(row, {{"block", &asks.block},
                          {"depth", &asks.depth},
                          {"accurate", &asks.accurate},
                          {"in_parts", &asks.in_parts},
                          {"shares", &asks.shares}});
  return asks;
}

}  // namespace dgemm
