/// @file
/// The values in the answers of the lesson's page, computed by the lesson's functions.

#include "amounts.hpp"

/// Name, value, decimals: the page has <!-- = c1.points -->1.14<!-- . -->.
std::vector<ladder::Answer> ladder::page_answers() {
  using namespace npb_mg;
  constexpr int warp = 32, sector = 32;
  constexpr Problem class_S{.grid = {32, 32, 32}, .levels = 5}, class_C{.grid = grid_C, .levels = 9};
  constexpr Problem cube_64{.grid = {64, 64, 64}, .levels = 6};
  constexpr Grid slab{64, 64, 32}, coarser = slab.coarser();  // of two ranks
  return {
      {"c1.all", all_points(grid_C, 9), 2},
      {"c1.megabytes", grid_C.elements() * 8 / 1e6},
      {"g1.sectors", warp * sizeof(double) / double(sector) + 1},
      {"g1.loads", 22},
      {"g2.planes", planes_of(grid_C) + 2},
      {"g2.loads", (9 * (planes_of(grid_C) + 2.0) + planes_of(grid_C)) / planes_of(grid_C), 1},
      {"g3.copies", 2 * 2 * 2 - 1},
      {"g3.launches", operator_launches(class_S, 1)},
      {"g3.launches_g2", 2 * operator_launches(class_S, 1)},
      {"g4.launches", small_launches(class_S, 1)},
      {"g4.launches_C", small_launches(class_C, 1)},
      {"g4.operators", 4 + 1 + 3 * 3},
      {"g5.numbers_g4", 4 + 1 / 8.0, 1},
      {"g5.numbers", 2 + 1 / 8.0, 1},
      {"g5.columns", 33 * 33 / (32 * 32.0), 2},
      {"g5.planes_r", 2 * 32 + 1},
      {"g5.planes_u", 2 * 32 + 3},
      {"g5.unfused", unfused_sectors(cube_64) / fused_sectors(cube_64, 1), 2},
      {"g6.up_g5", (2 + 1 / 8.0) + 3 + 3, 1},
      {"g6.up", 3 + 1 / 8.0, 1},
      {"g6.call_g5", (2 + 1 / 8.0) + (2 + 1 / 8.0) + 3 + 3, 2},
      {"g6.call", (2 + 1 / 8.0) + 2 + (3 + 1 / 8.0), 2},
      {"g6.columns_u", 36 * 36 / (32 * 32.0), 2},
      {"g6.columns_r", 34 * 34 / (32 * 32.0), 2},
      {"g6.planes_u", 64 + 4},
      {"g6.barriers", 64 + 4 + 1},
      {"g6.unswept", fused_sectors(cube_64, 1) / sweep_sectors(cube_64, 1), 1},
      {"g6.shared_percent", 100 * (1 - 28 * 28 * (64 - 4) / (32 * 32 * 64.0))},
      {"t1.loads", 8 * 9},
      {"t1.copies", 8 + 2},
      {"t1.ring", 4 * 34 * 10 * sizeof(double)},
      {"t1.before", march_requests(cube_64, 1) / bulk_requests(cube_64, 1), 2},
      {"m1.exchanges", 4 * class_C.part(0, 4).ranks.slabs},
      {"m1.bytes", halo_bytes(class_S, 2)},
      {"m1.megabytes_C", halo_bytes(class_C, 4) / 1e6},
      {"m1.percent", 100 * halo_bytes(class_C, 4) / work(class_C).bytes, 1},
      {"m2.edges", march_us(slab, 2), 1},
      {"m2.between", march_us(slab, slab.nz - 2), 1},
      {"m2.all", march_us(slab, slab.nz), 1},
      {"m2.halo", halo_us(slab), 1},
      {"m2.coarser_edges", march_us(coarser, 2), 1},
      {"m2.coarser_between", march_us(coarser, coarser.nz - 2), 1},
      {"m2.coarser_all", march_us(coarser, coarser.nz), 1},
      {"m2.coarser_halo", halo_us(coarser), 1},
      {"m2.in_order", march_us(slab, slab.nz) + halo_us(slab), 1},
      {"m2.hidden", hidden_us(slab), 1},
      {"m2.coarser_in_order", march_us(coarser, coarser.nz) + halo_us(coarser), 1},
      {"m2.coarser_hidden", hidden_us(coarser), 1},
      {"m1.gigabytes_D", Grid{1024, 1024, 1024}.elements() * 8 / 1e9, 1},
  };
}
