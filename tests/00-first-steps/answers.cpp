/// @file
/// The values in the answers of the lesson's page, each computed by the functions of amounts.hpp.

#include <algorithm>
#include <cmath>
#include <vector>

#include "amounts.hpp"

namespace first_steps::test {
namespace {

/// Digits of a sum that are right when it is `lost` digits smaller than its terms.
double right_digits(double rounding, double lost) {
  return std::max(0.0, -std::log10(rounding) - lost);
}

/// "g3.sectors" is what the page shows between <!-- = g3.sectors --> and <!-- . -->.
std::vector<ladder::Answer> answers() {
  const auto square = [](int n) { return Problem{.rows = n, .columns = n}; };
  const Problem p256 = square(256), p512 = square(512), p4096 = square(4096);
  const int blocks = parts(1000, 256), rounds = tree_rounds(256), listed = one_of_ten(2048);
  const double sectors = element_sectors(p256, 1), wavefronts = element_wavefronts(p256, 1);
  const double atomics = block_atomics(p512, 1);
  return {
      {"g1.blocks", double(blocks)},
      {"g1.threads", blocks * 256.0},
      {"g1.idle", blocks * 256.0 - 1000},
      {"g1.bytes", work(p4096).bytes},
      {"g2.each_its_own", 3 * 256.0},
      {"g2.chunk", 256 + 2.0},
      {"g3.sectors", sectors},
      {"g3.without_tile", transposed_without_tile(p256)},
      {"g3.ratio", transposed_without_tile(p256) / sectors, 1},
      {"g4.wavefronts", wavefronts},
      {"g4.one_bank", wavefronts_with_conflict(p256, 32)},
      {"g4.ratio", wavefronts_with_conflict(p256, 32) / wavefronts, 1},
      {"g4.two_rows", wavefronts_with_conflict(p256, 2)},
      {"g4.two_ratio", wavefronts_with_conflict(p256, 2) / wavefronts, 1},
      {"g5.rounds", double(rounds)},
      {"g5.additions", 256 - 1.0},
      {"g5.of_thread_0", double(share_of_thread(0, 333))},
      {"g5.of_thread_200", double(share_of_thread(200, 333))},
      {"g6.barriers", 1.0},
      {"g6.additions", 2.0 * tree_rounds(32)},
      {"g7.every_element", elements_of(p512)},
      {"g7.blocks", atomics / bins},
      {"g7.atomics", atomics},
      {"g7.per_element", atomics / elements_of(p512), 3},
      {"g7.ratio", elements_of(p512) / atomics},
      {"g8.sectors", element_sectors(p512, 1)},
      {"g8.thread_per_row", one_thread_per_row_sectors(p512)},
      {"g8.thread_per_row_ratio", one_thread_per_row_sectors(p512) / element_sectors(p512, 1)},
      {"g8.own_neighbours_ratio", own_neighbours_sectors(p512) / element_sectors(p512, 1)},
      {"g8.barriers", 2.0 * parts(512, 256)},
      {"g8.rounds", scan_rounds(p512, 1)},
      {"g9.warps_with_work", 100 * warps_with_work(), 1},
      {"g9.scattered", lanes_when_scattered(), 1},
      {"g9.scattered_ratio", lanes_when_scattered() / 32, 2},
      {"g9.warps", double(parts(listed, 32))},
      {"g9.compacted", lanes_when_compacted(listed), 1},
      {"g10.float", right_digits(0x1p-24, 9)},
      {"g10.double", right_digits(0x1p-53, 9)},
      {"g10.pairs", right_digits(0x1p-53, 0)},
  };
}

}  // namespace
}  // namespace first_steps::test

std::vector<ladder::Answer> ladder::page_answers() {
  return first_steps::test::answers();
}
