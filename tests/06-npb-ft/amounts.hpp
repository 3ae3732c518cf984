#pragma once
/// @file
/// What lesson 06's rungs are measured by: the work of a problem, the necessary amounts that rungs.toml
/// names, and what the page predicts.

#include "common/lesson/amounts.hpp"
#include "lessons/06-npb-ft/problem.hpp"

namespace npb_ft {

/// @name Necessary amounts
/// Sectors (32 bytes, two numbers) and other things that the algorithm of a rung cannot do without. README.md
/// derives them.
/// @{

/// A sweep: the grid is read and written once, one sector per point.
constexpr double sweep(const Problem& p) {
  return double(p.points());
}

/// The first grid is written, and for each time a grid decays into another one.
constexpr double sectors_beside_transforms(const Problem& p) {
  return (0.5 + p.iterations) * sweep(p);
}

/// g1: log2(n) stages per axis, one more to come back after an odd number. In its own place a thread is alone
/// in each sector, in the grid too along x.
constexpr double strided_sectors(const Problem& p, int) {
  const auto stages = [](int n) { return (log2_of(n) + 1) / 2 * 2; };
  const double a_transform = 2.0 * stages(p.nx) + 1.5 * stages(p.ny) + 1.5 * stages(p.nz);
  return (1 + p.iterations) * a_transform * sweep(p) + sectors_beside_transforms(p);
}

/// g2: log2(n) stages and two copies per axis.
constexpr double staged_sectors(const Problem& p, int) {
  const double sweeps = log2_of(p.nx) + log2_of(p.ny) + log2_of(p.nz) + 6;
  return (1 + p.iterations) * sweeps * sweep(p) + sectors_beside_transforms(p);
}

/// g3: one launch, by stated costs.
constexpr double launch_seconds(const Problem&, int) {
  return 4e-6;
}

/// g3: the first grid is written once.
constexpr double first_grid_sectors(const Problem& p, int) {
  return sweep(p) / 2;
}

/// g4: four arrays, of which none waits for another.
constexpr double setup_share(const Problem&, int) {
  return 0.25;
}

/// g4: two for each block of 128 terms of a checksum.
constexpr double checksum_atomics(const Problem& p, int) {
  return 2.0 * checksum_points / 128 * p.iterations;
}

/// g5: for each time the grid decays in one sweep.
constexpr double decay_sectors(const Problem& p, int) {
  return p.iterations * sweep(p);
}

/// g6: one sweep per axis, in the transforms.
constexpr double line_sectors(const Problem& p, int) {
  return (1 + p.iterations) * 3 * sweep(p);
}

/// g6: all of its sectors.
constexpr double swept_sectors(const Problem& p, int ranks) {
  return line_sectors(p, ranks) + sectors_beside_transforms(p);
}

/// Exchanges of one line of n numbers: between its stages of 2, and of 8.
constexpr int exchanges_of_2(int n) {
  return log2_of(n) - 1;
}
constexpr int exchanges_of_8(int n) {
  return (log2_of(n) + 2) / 3 - 1;
}

/// g7: exchanges of all transforms, one line of each axis.
constexpr double exchanges(const Problem& p, int) {
  return (1 + p.iterations) * (exchanges_of_8(p.nx) + exchanges_of_8(p.ny) + exchanges_of_8(p.nz));
}

/// g8: in each of these exchanges all numbers are written to shared memory and read from it, 128 bytes per
/// pass.
constexpr double exchange_wavefronts(const Problem& p, int ranks) {
  return exchanges(p, ranks) * 2 * double(p.points()) * sizeof(Complex) / 128;
}

/// g9: one sweep per axis and transform, of which the first one reads nothing.
constexpr double fused_sectors(const Problem& p, int ranks) {
  return line_sectors(p, ranks) - 0.5 * sweep(p);
}

/// g9: a kernel per axis and transform, and one for each of the two tables.
constexpr double pass_kernels(const Problem& p, int) {
  return (1 + p.iterations) * 3 + 2;
}

/// g10: a graph may hold everything.
constexpr double one_launch(const Problem&, int) {
  return 1;
}
/// @}

/// @name What the page predicts
/// Amounts of rungs that are not bounds.
/// @{

/// What the exchanges of rows and columns add: one side of two copies along x is strided, half a sector per
/// number.
constexpr double strided_copy_sectors(const Problem& p) {
  return (1 + p.iterations) * 2 * 0.5 * sweep(p);
}

/// Sectors per point of a warp's decay: read and write, and the tables. With one factor for each t k^2 nearly
/// each lane reads another sector, and four squares of 8 neighbouring x, one of y and one of z are read for
/// 32 lanes.
constexpr double decay_by_squares() {
  return 1 + 1 + (4 + 1 + 1) / 32.0;
}
/// With one factor per axis 8 sectors for 32 x and one for y are read once for that many planes, one for z
/// each time.
constexpr double decay_by_axes(int planes) {
  return 1 + 1 / 32.0 + (8 + 1) / 32.0 / planes;
}

/// Sweeps of a transform along an axis of n points by g2 to g5: the stages and two copies.
constexpr int staged_sweeps(int n) {
  return log2_of(n) + 2;
}

/// Bytes of all transforms, with that many sweeps per axis.
constexpr double transform_bytes(const Problem& p, double sweeps) {
  return (1 + p.iterations) * 3 * sweeps * 32 * double(p.points());
}

/// Operations of all transforms by radix 2: 10 for each of N/2 butterflies of each level.
constexpr double transform_operations(const Problem& p) {
  const double levels = log2_of(p.nx) + log2_of(p.ny) + log2_of(p.nz);
  return (1 + p.iterations) * 5 * double(p.points()) * levels;
}
/// @}

/// What no step can do without: the operations of a split-radix transform, and the grid once for each
/// transform.
constexpr ladder::Work work(const Problem& p) {
  const double N = double(p.points()), levels = log2_of(p.nx) + log2_of(p.ny) + log2_of(p.nz);
  return {.fp64 = (1 + p.iterations) * 4 * N * levels,
          .bytes = 32 * N,
          .passes = 1.0 + p.iterations,
          .formula = "4 N log2(N) FP64 operations and 32 N bytes for each of the 1 + iterations transforms"};
}

/// The amounts by the names that rungs.toml uses.
inline const ladder::Amounts amounts = {{"strided_sectors", ladder::amount<strided_sectors>},
                                        {"staged_sectors", ladder::amount<staged_sectors>},
                                        {"launch_seconds", ladder::amount<launch_seconds>},
                                        {"first_grid_sectors", ladder::amount<first_grid_sectors>},
                                        {"setup_share", ladder::amount<setup_share>},
                                        {"checksum_atomics", ladder::amount<checksum_atomics>},
                                        {"decay_sectors", ladder::amount<decay_sectors>},
                                        {"line_sectors", ladder::amount<line_sectors>},
                                        {"swept_sectors", ladder::amount<swept_sectors>},
                                        {"exchanges", ladder::amount<exchanges>},
                                        {"exchange_wavefronts", ladder::amount<exchange_wavefronts>},
                                        {"fused_sectors", ladder::amount<fused_sectors>},
                                        {"pass_kernels", ladder::amount<pass_kernels>},
                                        {"one_launch", ladder::amount<one_launch>}};

}  // namespace npb_ft
