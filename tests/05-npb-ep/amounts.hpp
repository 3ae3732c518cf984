#pragma once
/// @file
/// What lesson 05's rungs are measured by: the work of a problem, the necessary amounts that rungs.toml
/// names, and what the page predicts.

#include <bit>
#include <cstdint>

#include "common/lesson/amounts.hpp"
#include "lessons/05-npb-ep/problem.hpp"

namespace npb_ep {

/// @name Necessary amounts
/// What the algorithm of a rung has to do for that many pairs. README.md derives them.
/// @{

/// Batches, rounded up: threads of g1 to g4, their warps and blocks.
constexpr double batches(double pairs, double batch) {
  return double(std::int64_t((pairs + batch - 1) / batch));
}

constexpr double threads_of(const Problem& p) {
  return batches(double(p.pairs), p.batch);
}

constexpr double accepted_share = 3.14159265358979323846 / 4;  ///< of the pairs: circle over square
constexpr int results = bins + 2;  ///< numbers of the result: the counts and two sums

/// Three for each accepted pair. Of all pairs pi / 4 are accepted; of a few thousand at least 0.767, so it is
/// 2.3 per pair.
constexpr double pair_atomics(const Problem& p, int) {
  return 2.3 * double(p.pairs);
}

/// Each thread adds its counts and sums once.
constexpr double thread_atomics(const Problem& p, int) {
  return results * threads_of(p);
}

/// Each warp does.
constexpr double warp_atomics(const Problem& p, int) {
  return results * batches(threads_of(p), 32);
}

/// X and Y 1 each, t 3, and 7 for the pi / 4 of the pairs that are accepted; the logarithm is not counted.
constexpr double pair_operations(const Problem& p, int) {
  return 10 * double(p.pairs);
}

/// FP64 instructions of one pair.
/// @param factor  for f of an accepted pair; X f and Y f are two more, and two additions
/// @param share   of pairs for which they are executed: 1 for a warp, whose rejected lanes wait
constexpr double instructions_of_pair(double factor, double share = accepted_share) {
  return 2 + 3 + share * (factor + 4);
}

constexpr double root = 8;  ///< instructions; a division has as many
constexpr double reciprocal_root = 5;
constexpr double library_logarithm = 28;
constexpr double table_logarithm = 8;  ///< n, its product, z, and five terms

/// X and Y 1 each, t 3, and 28 for the pi / 4 of the pairs that are accepted: 8 each for the logarithm from a
/// table, the division and the root, and 4 for the sums.
constexpr double table_instructions(const Problem& p, int) {
  return 27 * double(p.pairs);
}

/// 19 instead of 28: a reciprocal root and two products instead of the division and the root.
constexpr double reciprocal_instructions(const Problem& p, int) {
  return 20 * double(p.pairs);
}

/// One for each pair of a warp, where lanes of rejected and of accepted pairs part.
constexpr double pairs_of_warps(const Problem& p, int) {
  return double(p.pairs) / 32;
}

/// What no program can do without: the products X f and Y f of each accepted pair, of which there are at
/// least 0.767 per pair.
constexpr double sum_operations(const Problem& p, int) {
  return 2 * 0.767 * double(p.pairs);
}
/// @}

/// @name What the page predicts
/// Amounts of rungs that are not bounds.
/// @{

/// g1: what is expected of its additions, pi / 4 of the pairs being accepted.
constexpr double expected_pair_atomics(double pairs) {
  return 3 * accepted_share * pairs;
}

/// pair_operations of one pair, with what its two numbers and 2r - 1 cost.
/// @param number      operations of the generator for a number: about 20 by randlc, none in integers
/// @param coordinate  for X = 2r - 1: 2, or 1 from the bits of 2 + 2r
constexpr double operations_of_pair(double number, double coordinate) {
  return 2 * number + 2 * coordinate + 3 + 7 * accepted_share;
}

/// Multiplications of a jump by that many numbers: a squaring for each bit, a product for each that is set.
constexpr int jump_multiplications(State numbers) {
  return std::bit_width(numbers) + std::popcount(numbers);
}

/// Threads that a device holds at once, and pairs that each of them takes.
constexpr double resident_threads(int multiprocessors, int threads_of_multiprocessor) {
  return double(multiprocessors) * threads_of_multiprocessor;
}
constexpr double share_of_thread(double pairs, double threads) {
  return batches(pairs, threads);
}
/// @}

/// What no step can do without; there are no arrays.
constexpr ladder::Work work(const Problem& p) {
  return {.fp64 = pair_operations(p, 1), .formula = "10 FP64 operations per pair, the logarithm not counted"};
}

/// The amounts by the names that rungs.toml uses.
inline const ladder::Amounts amounts = {{"pair_atomics", ladder::amount<pair_atomics>},
                                        {"thread_atomics", ladder::amount<thread_atomics>},
                                        {"warp_atomics", ladder::amount<warp_atomics>},
                                        {"pair_operations", ladder::amount<pair_operations>},
                                        {"sum_operations", ladder::amount<sum_operations>},
                                        {"pairs_of_warps", ladder::amount<pairs_of_warps>},
                                        {"table_instructions", ladder::amount<table_instructions>},
                                        {"reciprocal_instructions", ladder::amount<reciprocal_instructions>}};

}  // namespace npb_ep
