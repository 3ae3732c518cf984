/// @file
/// Values in the answers of the lesson's page.

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>
#include <vector>

#include "amounts.hpp"

namespace npb_ep::test {
namespace {

/// Class C on an H200, if FP64 units execute that many instructions per pair and wait for nothing: 132
/// multiprocessors with 64 of these units, at 1.98 GHz.
constexpr double least_ms(double instructions) {
  return double(State(1) << 32) * instructions / (132 * 64 * 1.98e9) * 1e3;
}

struct Point {
  double u, v;  // whole numbers below 2^53
};

double length2(Point p) {
  return p.u * p.u + p.v * p.v;
}

/// The largest |X'| or |Y'| of any pair: its states are 2^45 + u and 2^45 + v, u is odd and v = a u mod 2^46.
double largest_number() {
  Point shortest{1, double(multiplier)}, other{0, double(mask + 1)};
  for (;;) {  // Gauss: less its multiple nearest to it, until nothing gets shorter
    if (length2(other) < length2(shortest)) std::swap(shortest, other);
    const double n = std::round((shortest.u * other.u + shortest.v * other.v) / length2(shortest));
    if (n == 0) break;
    other = {other.u - n * shortest.u, other.v - n * shortest.v};
  }
  double largest = 0;
  for (int i = -3; i <= 3; ++i)
    for (int k = -3; k <= 3; ++k) {
      const Point p{i * shortest.u + k * other.u, i * shortest.v + k * other.v};
      if (std::fmod(p.u, 2) == 0) continue;
      const double half = double(State(1) << 45), t = length2(p) / (half * half);
      const double factor = std::sqrt(-2 * std::log(t) / t);
      largest = std::max(largest, std::max(std::abs(p.u), std::abs(p.v)) / half * factor);
    }
  return largest;
}

/// The page has <!-- = g3.block -->24<!-- . -->.
std::vector<ladder::Answer> answers() {
  constexpr State numbers = 2 * State(1000) * 4096;  // before batch 1000
  constexpr double npb_batch = 1 << 16, of_warp = 32, class_A = double(1 << 28),
                   class_C = double(State(1) << 32);
  constexpr double resident = resident_threads(132, 2048);
  const Problem small{.pairs = 1 << 14, .batch = 64};         // g1 to g4 are judged at this size
  const Problem block{.pairs = block_threads, .batch = 1};    // one block
  const Problem filling{.pairs = 1 << 20, .batch = 1 << 12};  // g5 and g6 are
  const double blocks_of_g4 = batches(threads_of(filling), block_threads);
  return {
      {"threads.A", batches(class_A, npb_batch)},
      {"threads.C", batches(class_C, npb_batch)},
      {"c1.numbers", double(numbers)},
      {"c1.bits", double(std::bit_width(numbers))},
      {"c1.set_bits", double(std::popcount(numbers))},
      {"c1.jump", double(jump_multiplications(numbers))},
      {"c1.percent", 100.0 * jump_multiplications(numbers) / (2 * 4096), 2},
      {"g1.limit",
       pair_atomics(small, 1) / double(small.pairs),
       1,
       {"g1_global_atomics", "pair_atomics", 14}},
      {"g1.atomics", expected_pair_atomics(double(small.pairs))},
      {"g1.necessary", pair_atomics(small, 1)},
      {"g2.limit",
       thread_atomics(small, 1) / threads_of(small),
       1,
       {"g2_private_counts", "thread_atomics", 14}},
      {"g2.batch_of_g1", expected_pair_atomics(npb_batch)},
      {"g2.fewer", expected_pair_atomics(npb_batch) / results},
      {"g2.atomics", thread_atomics(small, 1)},
      {"g3.block_of_g2", thread_atomics(block, 1)},
      {"g3.limit",
       warp_atomics(small, 1) / batches(threads_of(small), of_warp),
       1,
       {"g3_warp_reduction", "warp_atomics", 14}},
      {"g3.block", warp_atomics(block, 1)},
      {"g3.shuffles", results * double(std::bit_width(unsigned(of_warp)) - 1)},
      {"g3.counts_by_threads",
       (bins * threads_of(small) + 2 * batches(threads_of(small), of_warp)) / warp_atomics(small, 1)},
      {"g4.gigabytes", 2 * class_C * 16 / 1e9},
      {"g4.ms", 2 * class_C * 16 / 4e12 * 1e3},
      {"g4.megabytes", batches(class_C, npb_batch) * 256 * sizeof(double) / 1e6},
      {"g5.resident", resident},
      {"g5.percent", 100 * batches(class_A, npb_batch) / resident, 1},
      {"g5.share", share_of_thread(class_A, resident)},
      {"g5.by_registers", 2.0 * (16384 / (40 * 32))},
      {"g5.of_g4", blocks_of_g4 * block_threads / resident_threads(22, 1024), 3},
      {"g5.of_g4_h200", blocks_of_g4 * block_threads / resident, 4},
      {"g6.limit",
       pair_operations(filling, 1) / double(filling.pairs),
       0,
       {"g6_integer_generator", "pair_operations", 20}},
      {"g6.before", operations_of_pair(20, 2), 1},
      {"g6.after", operations_of_pair(0, 1), 1},
      {"g6.operations", operations_of_pair(0, 1) * double(filling.pairs)},
      {"accepted", library_logarithm + 1 + 2 * root},
      {"g7.logarithm", library_logarithm},
      {"g7.limit",
       table_instructions(filling, 1) / double(filling.pairs),
       0,
       {"g7_table_logarithm", "table_instructions", 20}},
      {"g7.before", instructions_of_pair(library_logarithm + 1 + 2 * root), 1},
      {"g7.after", instructions_of_pair(table_logarithm + 2 * root), 1},
      {"g7.left_out", 1.0 / 6 / (1ll << 48) * (1ll << 53), 1},
      {"g8.before", 2 * root},
      {"g8.factor", reciprocal_root + 2},
      {"g8.after", instructions_of_pair(table_logarithm + reciprocal_root + 2), 1},
      {"g8.limit",
       reciprocal_instructions(filling, 1) / double(filling.pairs),
       0,
       {"g8_reciprocal_root", "reciprocal_instructions", 20}},
      {"g8.one_step", 3.0 / 8 / (1ll << 42) * (1ll << 53)},
      {"g9.conversions", accepted_share * double(filling.pairs)},
      {"g9.above_one", double((0x40160000 >> 18) - (0x3ff00000 >> 18))},  // of 5.5
      {"g9.one_step", 3.0 / 8 * 9 / (1ll << 40) * (1ll << 53)},
      {"g9.left_out", 5.0 / 16 * 27 / double(1ll << 60) * double(1ll << 53), 2},
      {"g9.limit",
       reciprocal_instructions(filling, 1) / double(filling.pairs),
       0,
       {"g9_bit_fields", "reciprocal_instructions", 20}},
      {"g9.largest", largest_number(), 2},
      {"g10.pairs_of_warps", pairs_of_warps(filling, 1)},
      {"g10.exponent", of_warp * std::log10(1 - accepted_share), 0},
      {"g10.idle", (1 - accepted_share) / accepted_share, 2},
      {"g10.limit",
       pairs_of_warps(filling, 1) / (double(filling.pairs) / of_warp),
       1,
       {"g10_pair_groups", "pairs_of_warps", 20}},
      {"climbed.ms_g6", least_ms(instructions_of_pair(library_logarithm + 1 + 2 * root, 1)), 0},
      {"climbed.ms_g8", least_ms(instructions_of_pair(table_logarithm + reciprocal_root + 2, 1)), 0},
  };
}

}  // namespace
}  // namespace npb_ep::test

std::vector<ladder::Answer> ladder::page_answers() {
  return npb_ep::test::answers();
}
