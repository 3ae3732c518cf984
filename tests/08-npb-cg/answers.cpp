/// @file
/// The values in the answers of the lesson's page, computed by the lesson's functions.

#include <cmath>

#include "amounts.hpp"

/// Name, value, decimals: the page has <!-- = g1.atomics -->156<!-- . -->.
std::vector<ladder::Answer> ladder::page_answers() {
  using namespace npb_cg;
  constexpr int sector = 32, warp = 32;
  return {
      {"c1.entries", nnz_S},
      {"c1.megabytes", matrix_bytes(nnz_S) / 1e6, 2},
      {"c1.megabytes_C", matrix_bytes(36e6) / 1e6},
      {"g1.atomics", block_atomics({.n = 700}, 1)},
      {"g1.waits", dot_waits({}, 1)},
      {"g2.of_g1", warp},
      {"g2.values", warp * sizeof(double) / double(sector)},
      {"g2.columns", warp * sizeof(int) / double(sector)},
      {"g3.kernels", 5 * iterations + 5},
      {"g3.share", 100.0 * 2 * 10 / (2 * 10 + 15)},
      {"g4.launches", fused_launches({}, 1)},
      {"g4.elements", 2 + 6 + 3},
      {"g4.elements_g3", 1 + 2 + 6 + 1 + 3},
      {"g5.us_g4", fused_launches({}, 1) * 4.5},
      {"g5.us", fused_launches({}, 1) * 2.5},
      {"g5.saved", fused_launches({}, 1) * (4.5 - 2.5)},
      {"g6.gathered", 36e6 * sector / 1e9, 1},
      {"g6.copied", 132 * 150e3 * sizeof(double) / 1e9, 2},
      {"g6.entries", 36e6 / 150e3 / 8},
      {"g7.bytes", 10},
      {"g7.rewrite", (12 + 10) / 10.0, 1},
      {"g7.ms", products * 36e6 * 10 / 4.3e12 * 1e3, 1},
      {"g8.waits_d", 3 * iterations + 2},
      {"g8.waits", grid_waits({}, 1)},
      {"g8.kilobytes", 10 * 1.85e6 / 132 / 1e3},
      {"g8.megabytes", matrix_bytes(1.85e6) / 1e6},
      {"g8.entries", 132 * 227 * 1024 / 10 / 1e6, 1},
      {"m1.bytes", piece_bytes({.n = 700}, 2)},
      {"m1.share", 100 * dots() * 2 / (products * 700 + dots() * 2), 1},
      {"m1.us", dots() * 5},
      {"m2.gathers", products},
      {"m2.sums", 2 * iterations + 1},
      {"m2.bytes", gathered_bytes({.n = 700}, 2)},
      {"m2.in_order", 10 + 15 + 10 + 5 + 10 + 5},
      {"m2.in_order_path", rank_path({.n = 700}, 2, true) / rank_path({.n = 700}, 2, false), 1},
      {"m2.us", 10 + 15 + 5 + 10 + 5},
      {"g5.calls", std::ceil(400 / (fused_launches({}, 1) * (4.5 - 2.5)))},
  };
}
