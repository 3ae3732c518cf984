/// @file
/// Values in the answers of the lesson's page.

#include <cmath>
#include <vector>

#include "amounts.hpp"

namespace lu::test {
namespace {

// Ranks 0 and 1 have two columns of four each: in the steps 1 and 2, 0 and 2, 0 and 1 are left, of 3, 2 and 1
// rows.
static_assert(uneven(4, 2, 2) == 2 * (3 * 2 + 2 * 2 + 1 * 1) / changed(4));
static_assert(share_of_rank(4, 2, 0, 2) == 3 / changed(4) && updates_of_columns(4, 4) == changed(4));
// One block is all: no row is exchanged for one of another rank, and no rank has rows below it.
static_assert(grid_bytes({0, 4, true}, 64).sum() == 8 * 64 * (64 + 64 + 64) + 3 * (4 * 64 + 4));
// One rank sends nothing, and a row of ranks sends no rows.
static_assert(grid_bytes({0, 1, true}, 300).sum() == 0 && grid_bytes({0, 3, true}, 300).moved == 0);
// One panel is the whole factorisation; a second one is one task.
static_assert(panel_share(96, 96) == 1 && block_tasks(96, 96) == 0 && block_tasks(97, 96) == 1);

/// The page has <!-- = g8.launches -->95<!-- . -->.
std::vector<ladder::Answer> answers() {
  const auto of = [](int n) { return Problem{.n = n}; };
  return {
      {"c1.first", 100 * serial_share(768, 767, 8), 1},
      {"c1.later", 100 * serial_share(768, 48, 8)},
      {"c1.all", 100 * serial_share(768, 8), 1},
      {"c2.tasks", block_tasks(1024, 96)},
      {"c2.share", 100 * panel_share(1024, 96), 1},
      {"c2.waiting", speedup(panel_share(1024, 96), 8), 1},
      {"g1.bytes", algorithm2_bytes(of(64), 1)},
      {"g1.gigabytes", algorithm2_bytes(of(1024), 1) / 1e9},
      {"g2.branches", algorithm2_branches(32)},
      {"g2.updates", updates(of(32), 1)},
      {"g3.bytes", source_bytes(64)},
      {"g3.saved", 100 * (1 - source_bytes(64) / algorithm2_bytes(of(64), 1)), 1},
      {"g4.bytes", on_device_bytes(64)},
      {"g4.percent", 100 * on_device_bytes(64) / source_bytes(64), 1},
      {"g4.ratio", on_device_bytes(64) / resident_bytes(of(64), 1), 2},
      {"g5.before", host_pivot_waits(64)},
      {"g6.before", whole_range_items(512) / updates(of(512), 1), 2},
      {"g6.needed", updates(of(512), 1)},
      {"g7.before", update_sectors(64, 1)},
      {"g7.after", update_sectors(64, 8)},
      {"g7.needed", changed(64) / 2},
      {"g8.before", step_launches(1024)},
      {"g8.launches", panel_launches(of(1024), 1)},
      {"g8.size", panel_launches(of(128), 1)},
      {"g9.needed", blocked_sectors(of(128), 1)},
      {"g9.before", untiled_sectors(128)},
      {"g9.sectors", tiled_sectors(128, 64, 32)},
      {"g9.ratio_before", untiled_sectors(128) / blocked_sectors(of(128), 1), 1},
      {"g9.ratio", tiled_sectors(128, 64, 32) / blocked_sectors(of(128), 1), 2},
      {"g10.before", tile_wavefronts(8, 1), 3},
      {"g10.after", tile_wavefronts(8, 2), 3},
      {"g11.launches", look_ahead_launches(256)},
      {"g11.critical", critical_launches(256)},
      {"t2.rows", 16 * 512},
      {"t2.launches", resident_launches(of(256), 1)},
      {"t3.saved", 4096 * (1.0 - 0.36) / 1000, 1},
      {"t4.share", 100 * 128 / (4096.0 - 128), 1},
      {"t6.right", 4096 - 2 * 128},
      {"m1.first", 3 * (8 * 320 * 64 + 3 * 4 * 64 + 4)},
      {"m1.bytes", broadcast_bytes(of(320), 4)},
      {"m1.columns0", dealt(320, 64, 0, 2)},
      {"m1.columns1", dealt(320, 64, 1, 2)},
      {"m1.left", dealt(192, 64, 0, 2)},
      {"m1.quarter0", 100 * share_of_rank(4096, 1024, 0, 4), 1},
      {"m1.quarter1", 100 * share_of_rank(4096, 1024, 1, 4), 1},
      {"m1.quarter2", 100 * share_of_rank(4096, 1024, 2, 4), 1},
      {"m1.quarter3", 100 * share_of_rank(4096, 1024, 3, 4), 1},
      {"m1.cyclic0", 100 * share_of_rank(4096, 64, 0, 4), 1},
      {"m1.cyclic1", 100 * share_of_rank(4096, 64, 1, 4), 1},
      {"m1.cyclic2", 100 * share_of_rank(4096, 64, 2, 4), 1},
      {"m1.cyclic3", 100 * share_of_rank(4096, 64, 3, 4), 1},
      {"m1.contiguous", uneven(4096, 1024, 4), 2},
      {"m1.cyclic", uneven(4096, 64, 4), 2},
      {"m2.collected", grid_bytes({0, 4, true}, 320, 0).collected},
      {"m2.distributed", grid_bytes({0, 4, true}, 320, 0).distributed},
      {"m2.moved", grid_bytes({0, 4, true}, 320, 0).moved},
      {"m2.bytes", bytes_on_grid(of(320), 4)},
      {"m2.columns4", broadcast_bytes(of(16384), 4) / 1e9, 1},
      {"m2.columns16", broadcast_bytes(of(16384), 16) / 1e9, 1},
      {"m2.columns64", broadcast_bytes(of(16384), 64) / 1e9, 1},
      {"m2.grid4", bytes_on_grid(of(16384), 4) / 1e9, 1},
      {"m2.grid16", bytes_on_grid(of(16384), 16) / 1e9, 1},
      {"m2.grid64", bytes_on_grid(of(16384), 64) / 1e9, 1},
      {"m2.each4", bytes_on_grid(of(16384), 4) / 4e9, 2},
      {"m2.each16", bytes_on_grid(of(16384), 16) / 16e9, 2},
      {"m2.each64", bytes_on_grid(of(16384), 64) / 64e9, 2},
      {"m2.each_columns4", broadcast_bytes(of(16384), 4) / 4e9, 2},
      {"m2.each_columns16", broadcast_bytes(of(16384), 16) / 16e9, 2},
      {"m2.each_columns64", broadcast_bytes(of(16384), 64) / 64e9, 2},
      {"m3.left0", dealt(64, 64, 1, 2)},
      {"m3.next0", dealt(128, 64, 1, 2) - dealt(64, 64, 1, 2)},
      {"m3.right0", dealt(448, 64, 1, 2) - dealt(128, 64, 1, 2)},
      {"m3.left1", dealt(128, 64, 1, 2)},
      {"m3.next1", dealt(192, 64, 1, 2) - dealt(128, 64, 1, 2)},
      {"m3.right1", dealt(448, 64, 1, 2) - dealt(192, 64, 1, 2)},
      {"m3.share", 100.0 * 64 / dealt(16384, 64, 1, 2), 2},
      {"t6.equal", std::sqrt(1.5 * 1.5e-6 * 40e12)},
      {"t5.first", 16 * (32 * 8 + 16)},
      {"t5.last", 16 * (6 * 8 + 16)},
      {"g12.bytes", 2 * 8 * panel_columns * 1024.0},
      {"t1.groups", 4096.0 / 512},
      {"t1.message", 8.0 * (2 * panel_columns + 1)},
      {"t1.read", 8.0 * (2 * panel_columns + 1) * (4096 / 512) * (4096 / 512)},
      {"t1.gigabytes", 32 * two_level_sectors(4096, wide_columns, 128, 64) / 1e9, 1},
      {"t1.of_panels", 32 * two_level_sectors(4096, panel_columns, 128, 64) / 1e9, 1},
      {"t1.ratio", two_level_sectors(192, wide_columns, 128, 64) / min_two_level_sectors(of(192), 1), 2},
      {"t1.ratio_of_panels",
       two_level_sectors(192, panel_columns, 128, 64) / min_two_level_sectors(of(192), 1), 2},
  };
}

}  // namespace
}  // namespace lu::test

std::vector<ladder::Answer> ladder::page_answers() {
  return lu::test::answers();
}
