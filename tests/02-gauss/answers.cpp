/// @file
/// The values in the answers of lesson 02's page.

#include <cmath>
#include <vector>

#include "amounts.hpp"

namespace gauss::test {
namespace {

/// Milliseconds that t2's page has for all sweeps and panels of 64 pivots: 16 m^2 bytes at 4.8 TB/s, 64
/// microseconds.
/// @param longer  the longer of both counts, else both do
double panels_ms(int n, bool longer) {
  double sum = 0;
  for (double m = n - 64; m > -64; m -= 64) {
    const double sweep = m > 0 ? 16 * m * m / 4.8e12 * 1e3 : 0, panel = 64e-3;
    sum += longer ? (sweep > panel ? sweep : panel) : sweep + panel;
  }
  return sum;
}

std::vector<ladder::Answer> answers() {
  const auto square = [](int n) { return Problem{.n = n, .lda = n}; };
  const auto imposed = [](int n, int blocks, int threads) {
    return Problem{.n = n, .lda = n, .blocks = blocks, .threads = threads};
  };
  constexpr int source_places = 22 * (1024 / 512), h200_places = 132 * (2048 / 512);
  return {
      {"c1.busiest", (767 + 7) / 8},
      {"c1.balance", busiest_share(768, 8), 3},
      {"g1.one", pivot_launches(square(64), 1)},
      {"g1.two", 2 * (64 - 1) + 1},
      {"g1.rows", ratios(64) + 1},
      {"g2.items", imposed_work_items(imposed(96, 6, 64), 1)},
      {"g2.covering", covering_work_items(96)},
      {"g2.ratios", ratios(96)},
      {"g2.updates", updates(96)},
      {"g3.source", source_places},
      {"g3.h200", h200_places},
      {"g3.waves_there", 704.0 / source_places, 1},
      {"g3.waves_here", 704.0 / h200_places, 2},
      {"g3.efficiency", 704.0 / (2 * h200_places), 2},
      {"g4.limit", tile_sectors(square(256), 1) / updates(256), 2, {"g4_row_tiles", "tile_sectors", 256}},
      {"g4.tiles", tile_sectors(square(256), 1)},
      {"g4.rows", row_sectors(square(256), 1)},
      {"g4.ratio", row_sectors(square(256), 1) / tile_sectors(square(256), 1), 2},
      {"g5.bands", band_bytes(256, 32)},
      {"g5.all", 8.0 * 256 * 256},
      {"g5.copy", 8.0 * 7500 * 7500 / 50e9 * 1e3, 1},
      {"g5.thread", ratios(7500) * 20e-9, 2},
      {"g6.equal", 1.0 / 2, 2},
      {"g6.double", 2.0 / 3, 2},
      {"g7.waits", 1000 * 10e-3, 0},
      {"g7.launches", (2 * 1000 - 1) * 4e-3, 1},
      {"g8.limit", 1, 0, {"g8_graph", "as_it_is", 256}},
      {"g8.graphs", double(graphs(256))},
      {"g8.calls", double(graphs(256) + substitution_kernels(256))},
      {"g8.before", 2 * 256 - 1.0 + substitution_kernels(256)},
      {"g9.limit", pair_sectors(square(256), 1) / updates(256), 3, {"g9_two_pivots", "pair_sectors", 256}},
      {"g9.pairs", pair_sectors(square(256), 1)},
      {"g9.ratio", tile_sectors(square(256), 1) / pair_sectors(square(256), 1), 2},
      {"g10.before", 2 * 1000 - 1.0 + substitution_kernels(1000)},
      {"g10.graphs", 33.0 * graphs(1000) + substitution_kernels(1000)},
      {"g10.waits", 1000 / 2 + 1.0},
      {"g10.blocks", 132.0 * (65536 / (64 * 1024))},
      {"t1.pairs", 8.0 * 7500 * 7500 * 7500 / 3 / 4.8e12 * 1e3},
      {"t1.blocks", 16.0 * 7500 * 7500 * 7500 / (3 * 64) / 4.8e12 * 1e3, 1},
      {"t1.choices", 7500 * 1e-3, 1},
      {"t1.tiles", block_sectors(square(192), 1) * 4 / (2 * 64 * 128 + 64 * 64 + 64 * 128)},
      {"t1.sectors", block_sectors(square(192), 1)},
      {"t1.stored", (2 + 3 + 1 + 0.5) / (2 + 1 + 0.5), 2},
      {"t2.rows", std::sqrt(64e-6 * 4.8e12 / 16)},
      {"t2.longer", panels_ms(7500, true), 1},
      {"t2.both", panels_ms(7500, false), 1},
      {"t3.blocks", 16.0 * 7500 * 7500 * 7500 / (3 * 128) / 4.8e12 * 1e3, 1},
      {"t3.enough", 8 * 60 / 4.8},
      {"beyond.bytes", 8.0 * 6144 * 6144 * 6144 / 3 / 4.8e12 * 1e3},
      {"beyond.operations", work(square(6144)).fp64 / 10e12 * 1e3},
  };
}

}  // namespace
}  // namespace gauss::test

std::vector<ladder::Answer> ladder::page_answers() {
  return gauss::test::answers();
}
