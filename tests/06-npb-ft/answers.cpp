/// @file
/// Values in the answers of the lesson's page.

#include <algorithm>
#include <cmath>
#include <vector>

#include "amounts.hpp"

namespace npb_ft::test {
namespace {

/// The page has <!-- = g1.sectors -->256,000<!-- . -->.
std::vector<ladder::Answer> answers() {
  constexpr Problem class_S{.nx = 64, .ny = 64, .nz = 64, .iterations = 6};
  constexpr Problem class_A{.nx = 256, .ny = 256, .nz = 128, .iterations = 6};
  constexpr Problem class_C{.nx = 512, .ny = 512, .nz = 512, .iterations = 20};
  constexpr Problem small{.nx = 16, .ny = 16, .nz = 16, .iterations = 2};  // g1 to g4 are judged at this size
  constexpr Problem larger{.nx = 64, .ny = 32, .nz = 32, .iterations = 2};  // g6 to g10 are
  constexpr double bandwidth = 4.3e12;                                      // of an H200, bytes per second
  constexpr double tile_bandwidth = bandwidth / 132, clock = 1.98e9;        // of one of its multiprocessors
  constexpr int tile = 2048;                                                // points of a block
  constexpr double passes = 2 * tile * sizeof(Complex) / 128.0;  // of an exchange, without conflicts
  constexpr double conflict = 8, requests = 6;  // lanes of a group that meet; writes and reads on three axes
  const double barriers_of_2 =
      2.0 * (1 + larger.iterations) *
      (exchanges_of_2(larger.nx) + exchanges_of_2(larger.ny) + exchanges_of_2(larger.nz));
  return {
      {"c1.operations", transform_operations(class_S)},
      {"c1.serial", 2.0 * checksum_points * class_S.iterations},
      {"g1.sectors", strided_sectors(small, 1)},
      {"g2.sectors", staged_sectors(small, 1)},
      {"g2.exchanges", strided_copy_sectors(small)},
      {"g3.planes_us", small.nz * launch_seconds(small, 1) * 1e6},
      {"g3.us", launch_seconds(small, 1) * 1e6},
      {"g3.seconds", 2 * double(class_C.points()) * 20e-9, 1},
      {"g4.chain", setup_share(small, 1), 2},
      {"g4.atomics_of_g3", 2.0 * checksum_points},
      {"g4.atomics", checksum_atomics(small, 1) / small.iterations},
      {"g5.exponentials_of_g4", double(class_A.iterations * class_A.largest_square() + 1)},
      {"g5.exponentials", double(class_A.iterations * (class_A.nx + class_A.ny + class_A.nz))},
      {"g5.sectors_of_g4", decay_by_squares(), 1},
      {"g5.sectors", decay_by_axes(16), 2},
      {"g5.all_factors", decay_by_axes(1), 1},
      {"g6.sweeps_of_g5", double(staged_sweeps(512))},
      {"g6.sweeps", line_sectors(class_C, 1) / sweep(class_C) / 3 / (1 + class_C.iterations)},
      {"g6.gigabytes_of_g5", transform_bytes(class_C, staged_sweeps(512)) / 1e9},
      {"g6.gigabytes", transform_bytes(class_C, 1) / 1e9},
      {"g6.ms_of_g5", transform_bytes(class_C, staged_sweeps(512)) / bandwidth * 1e3},
      {"g6.ms", transform_bytes(class_C, 1) / bandwidth * 1e3},
      {"g7.exchanges_of_g6", double(exchanges_of_2(512))},
      {"g7.exchanges", double(exchanges_of_8(512))},
      {"g7.barriers_of_g6", barriers_of_2},
      {"g7.barriers", 2 * exchanges(larger, 1)},
      {"g7.of_g6", barriers_of_2 / exchanges(larger, 1), 1},
      {"g8.passes", 32 * sizeof(Complex) / 128.0},
      {"g8.conflict", conflict},
      {"g8.of_g7", (conflict + requests - 1) / requests, 1},
      {"g8.us_memory", 2 * tile * sizeof(Complex) / tile_bandwidth * 1e6, 1},
      // 256 = 4 x 8 x 8: of the writes of the first exchange 4 lanes meet, of the second 2
      {"g8.us_conflicts", (exchanges_of_8(256) * passes + (3 + 1) * passes / 2) / clock * 1e6, 1},
      {"g8.us", exchanges_of_8(256) * passes / clock * 1e6, 1},
      {"g9.sweeps_of_g8", swept_sectors(larger, 1) / sweep(larger), 1},
      {"g9.sweeps", fused_sectors(larger, 1) / sweep(larger), 1},
      {"g9.sectors", fused_sectors(larger, 1)},
      {"g9.ms_of_g8", swept_sectors(class_A, 1) * 32 / bandwidth * 1e3, 2},
      {"g9.ms", fused_sectors(class_A, 1) * 32 / bandwidth * 1e3, 2},
      {"g9.lines", double(class_A.ny) * class_A.nz / std::min(class_A.ny, class_A.nz)},
      {"g10.launches_S", pass_kernels(class_S, 1)},
      {"g10.launches_C", pass_kernels(class_C, 1)},
      {"g10.launches_small", pass_kernels(small, 1)},
      {"g10.us_g9", pass_kernels(small, 1) * 4.5},
      {"g10.us", pass_kernels(small, 1) * 2.5},
      {"g10.calls", std::ceil(150 / (pass_kernels(small, 1) * (4.5 - 2.5)))},
  };
}

}  // namespace
}  // namespace npb_ft::test

std::vector<ladder::Answer> ladder::page_answers() {
  return npb_ft::test::answers();
}
