/// @file
/// Values in the answers of lesson 04's page.

#include <vector>

#include "amounts.hpp"

namespace cholesky::test {
namespace {

std::vector<ladder::Answer> answers() {
  constexpr double tile64 = 8.0 * 64 * 64, tile128 = 8.0 * 128 * 128, s3 = 64.0 * 64 * 64, link = 50e9;
  constexpr double L = 10'100 * tile128;
  return {
      {"c1.calls", 4 * (1 + column_calls(8))},
      {"c1.speedup", (64 + 16) / (64 / 8.0 + 16), 2},
      {"g1.bytes", column_copies(8) * tile64},
      {"g1.intensity", column_operations(8) * s3 / (column_copies(8) * tile64), 1},
      {"g1.rate", column_operations(8) * s3 / (column_copies(8) * tile64) * link / 1e9},
      {"g2.tiles", 2 * 15 + 7},
      {"g2.g1", 7 * column_copies(1)},
      {"g2.share", (2 * 9 + 1) / column_copies(8), 3},
      {"g3.chain", (10 + 1 + 10 + 4 + 8 * 4) / (10 + 1 + 10 + 4 * column_calls(8)), 3},
      {"g4.L", L / 1e6},
      {"g4.pageable", 2 * L / 9e9 * 1e3},
      {"g4.pin", L / 15e9 * 1e3},
      {"g4.serial", 2 * L / link * 1e3},
      {"g4.both", L / link * 1e3},
      {"g5.one", 64 * 6 * 0.1, 1},
      {"g5.team", 64 * 6 * 0.1 / 16, 1},
      {"g6.g5", column_calls(8)},
      {"g6.calls", 1 + 8},
      {"g6.host", 40e9 / 100e9 * 1e3},
      {"g6.device", (40e9 / 4e12 + 1000 * 4 * 10e-6) * 1e3},
      {"g7.g3", 8 * column_calls(4)},
      {"g7.calls", 1 + 8},
      {"g8.host", (344 * 20 + 60 * s3 / 3 / 5e9 * 1e6) / 1e3, 1},
      {"g8.device", 60 * 64 * 0.1 / 1e3, 1},
      {"g9.up", 3000 * tile64 / 9e9 * 1e3, 1},
      {"g9.entries", 16 * 5 * 22'000 / 1e6, 1},
      {"g9.search", 3000 * tile64 / 60e9 * 1e3, 1},
      {"g10.down", 3000 * tile64 / (8 * 22'000) + 1},
      {"g10.read", 100 * (1 + 8) * tile64 / 1e6, 1},
      {"g10.once", 100 * tile64 / 1e6, 1},
  };
}

}  // namespace
}  // namespace cholesky::test

std::vector<ladder::Answer> ladder::page_answers() {
  return cholesky::test::answers();
}
