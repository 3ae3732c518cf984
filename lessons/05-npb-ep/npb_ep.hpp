#pragma once
/// @file
/// Contract of lesson 05: NPB EP, "embarrassingly parallel": normal numbers from a stream of uniform ones, counted and added.
/// Source: work E, which runs it on a GPU, one thread per batch of pairs; NPB defines numbers, classes and verification.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>

#include "common/lesson/lesson.hpp"
#include "common/npb/generator.hpp"

namespace npb_ep {

/// @name NPB's stream of numbers
/// @{
using ladder::npb::mask;
using ladder::npb::multiplier;
using ladder::npb::scale;
using ladder::npb::State;
constexpr State official_seed = 271828183;  ///< NPB's, for its classes
/// @}

constexpr int bins = 10;
using Count = unsigned long long;  ///< as CUDA's atomicAdd has it: std::uint64_t is another type to it

/// A class of NPB: 2^M pairs with the official seed, and the sums that NPB accepts within 1e-8 of their size.
struct OfficialClass {
  const char* name;
  int size;  ///< M
  double sx, sy;
};
constexpr OfficialClass official_classes[] = {
    {"S", 24, -3.247834652034740e3, -6.958407078382297e3},
    {"W", 25, -2.863319731645753e3, -6.320053679109499e3},
    {"A", 28, -4.295875165629892e3, -1.580732573678431e4},
    {"B", 30, 4.033815542441498e4, -2.660669192809235e4},
    {"C", 32, 4.764367927995374e4, -8.084072988043731e4},
    {"D", 36, 1.982481200946593e5, -1.020596636361769e5},
};

/// Counts and adds normal numbers.
///
/// - Pair i = 0 … pairs - 1 consists of numbers 2i + 1 and 2i + 2 of the stream: X = 2 (first) - 1 and Y = 2 (second) - 1.
/// - t = X^2 + Y^2. A pair with t > 1 is rejected. Else X' = X f and Y' = Y f with f = sqrt(-2 ln(t) / t) are two
///   independent normal numbers (the polar method of Marsaglia).
/// - sx and sy are the sums of X' and of Y'. q[l] is how many accepted pairs have l <= max(|X'|, |Y'|) < l + 1.
/// - All of it in double precision: a logarithm in single precision is far off. Sums may be made in any order.
/// - pairs >= 1, any number: neither a power of two nor a multiple of a batch. seed is odd and below 2^46.
/// - The results hold anything before the call.
/// - Resident steps (field `data` of the row): sx, sy and q are pointers to device memory.
/// - A block has `block_threads` threads. g1 to g5: each thread takes one batch of `batch` neighbouring pairs, the last one
///   what is left. From g6 on the step chooses how many pairs a thread takes.
struct Problem {
  std::int64_t pairs = 1;      ///< 2^M in NPB's classes
  State seed = official_seed;  ///< state 0 of the stream
  int batch = 1 << 16;         ///< pairs of a thread in g1 to g5, 1 to 2^16; NPB's is 2^16
  double* sx = nullptr;        ///< 1; the sum of X'
  double* sy = nullptr;        ///< 1; the sum of Y'
  Count* q = nullptr;          ///< bins; how many pairs are in each

  static constexpr auto& classes = official_classes;  ///< the sizes that have names: `run 05 --class A`

  /// Shows each array to `visit(name, role, pointer, elements)`.
  template <class Visitor>
  void arrays(Visitor&& visit) {
    visit("sx", ladder::Role::out, sx, std::size_t(1));
    visit("sy", ladder::Role::out, sy, std::size_t(1));
    visit("q", ladder::Role::out, q, std::size_t(bins));
  }
};

/// What every step of this lesson is.
using Function = void(const Problem&);

constexpr int block_threads = 64;  ///< threads of a block in the g rungs

/// @name Necessary amounts
/// What the algorithm of a rung has to do for so many pairs. README.md derives them.
/// @{

/// Batches, rounded up: threads of g1 to g5, their warps and blocks.
constexpr double batches(double pairs, double batch) {
  return double(std::int64_t((pairs + batch - 1) / batch));
}

constexpr double threads_of(const Problem& p) {
  return batches(double(p.pairs), p.batch);
}

constexpr double accepted_share = 3.14159265358979323846 / 4;  ///< of the pairs: circle over square
constexpr int results = bins + 2;  ///< numbers of the result: the counts and two sums

/// Three for each accepted pair. Of all pairs pi / 4 are accepted; of a few thousand at least 0.767, so it is 2.3 per pair.
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

/// Each thread adds its counts, each block its two sums.
constexpr double block_atomics(const Problem& p, int) {
  return bins * threads_of(p) + 2 * batches(threads_of(p), block_threads);
}

/// g1: what is expected of these additions, pi / 4 of the pairs being accepted.
constexpr double expected_pair_atomics(double pairs) {
  return 3 * accepted_share * pairs;
}

/// X and Y 1 each, t 3, and 7 for the pi / 4 of the pairs that are accepted; the logarithm is not counted.
constexpr double pair_operations(const Problem& p, int) {
  return 10 * double(p.pairs);
}

/// What no program can do without: the products X f and Y f of each accepted pair, of which there are at least 0.767 per pair.
constexpr double sum_operations(const Problem& p, int) {
  return 2 * 0.767 * double(p.pairs);
}

/// The same of one pair, with what its two numbers and 2r - 1 cost.
/// @param number      operations of the generator for a number: about 20 by randlc, none in integers
/// @param coordinate  for X = 2r - 1: 2, or 1 from the bits of 2 + 2r
constexpr double operations_of_pair(double number, double coordinate) {
  return 2 * number + 2 * coordinate + 3 + 7 * accepted_share;
}

/// Multiplications of a jump by so many numbers: a squaring for each bit, a product for each that is set.
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

/// The ladder. Bounds are ratios to the necessary amount. Sizes are M: there are 2^M pairs.
inline constexpr ladder::Step steps[] = {
    {.file = "c1_openmp.cpp",
     .idea =
         "Any batch can begin by itself: jump ahead in the stream, and share the batches among the threads.",
     .kind = ladder::Kind::required,
     .data = ladder::Data::host,
     .hours = 1,
     .targets = {{.metric = "balance",
                  .relation = "<=",
                  .bound = 1.2,
                  .necessary = "1: every thread of the team computes for the same time",
                  .amount = ladder::as_it_is,
                  .size = 20}},
     .time = {.peer = "baseline", .ratio = 1.4, .size = 21},
     .time_points = 2,
     .hints = {"balance is the computing time of the busiest thread over the mean of all. What does the "
               "second batch need "
               "from the first one, and can it be had without making the first one's numbers?",
               "State k is a^k seed mod 2^46, and a^k takes about log2 k squarings. Each thread needs sums "
               "and counts of its "
               "own until the end: OpenMP's reduction makes them."}},
    {.file = "g1_global_atomics.cu",
     .idea = "One thread per batch, and every accepted pair goes straight into the result, by three atomic "
             "additions.",
     .kind = ladder::Kind::demonstration,
     .data = ladder::Data::resident,
     .hours = 0.5,
     .targets = {{.metric = "atomics",
                  .relation = "<=",
                  .bound = 1.1,
                  .necessary = "2.3 per pair: three for each accepted one",
                  .amount = ladder::amount<pair_atomics>,
                  .size = 14,
                  .own_cost = "three additions for each accepted pair; threads, warps or blocks that add up "
                              "what they have first need fewer"}},
     .time = {.peer = "baseline", .ratio = 0, .size = 16},
     .matrix_products = false,
     .hints = {"Nothing to write here: predict the atomic operations before you run it.",
               "pi / 4 of all pairs lie in the circle; each of them adds to a count and to two sums."}},
    {.file = "g2_private_counts.cu",
     .idea = "Privatisation: a thread keeps ten counts and two sums of its own, and adds them to the result "
             "once.",
     .kind = ladder::Kind::required,
     .data = ladder::Data::resident,
     .hours = 1,
     .targets = {{.metric = "atomics",
                  .relation = "<=",
                  .bound = 1.1,
                  .necessary = "12 per thread: ten counts and two sums",
                  .amount = ladder::amount<thread_atomics>,
                  .size = 14,
                  .own_cost = "each thread adds all of its counts and sums; warps or blocks that add up "
                              "first, or threads that leave out bins without a count, need fewer"}},
     .time = {.peer = "baseline", .ratio = 0, .size = 16},
     .matrix_products = false,
     .hints = {"atomics counts additions to device memory by single threads. How many different numbers does "
               "the result "
               "have, and how often must a thread touch each?",
               "Declare the counts as an array inside the kernel, begin with zeros, and add to the result "
               "after the loop."}},
    {.file = "g3_block_partials.cu",
     .idea =
         "The source's design: the sums of a block meet in shared memory, thread 0 adds up sx, thread 1 sy.",
     .kind = ladder::Kind::required,
     .data = ladder::Data::resident,
     .hours = 1.5,
     .targets = {{.metric = "atomics",
                  .relation = "<=",
                  .bound = 1.1,
                  .necessary = "10 per thread, the counts, and 2 per block, the sums",
                  .amount = ladder::amount<block_atomics>,
                  .size = 14,
                  .own_cost =
                      "each thread adds its counts, each block its sums; blocks that add up counts as "
                      "well, or threads that leave out bins without a count, need fewer"}},
     .time = {.peer = "baseline", .ratio = 0, .size = 16},
     .matrix_products = false,
     .hints = {"The ten counts of a thread stay as they are. How many additions to sx does a block need, if "
               "its threads can "
               "show each other what they have?",
               "An element of shared memory for each thread. Two threads then read all of them: what must "
               "have happened "
               "before, in every thread of the block?"}},
    {.file = "g4_warp_reduction.cu",
     .idea = "The lanes of a warp add their partial results from register to register: no barrier, and one "
             "atomic "
             "addition per warp and number.",
     .kind = ladder::Kind::required,
     .data = ladder::Data::resident,
     .hours = 1.5,
     .targets = {{.metric = "barriers",
                  .relation = "<=",
                  .bound = 0,
                  .necessary = "0: lanes of one warp need none",
                  .amount = ladder::as_it_is,
                  .size = 14},
                 {.metric = "atomics",
                  .relation = "<=",
                  .bound = 1.1,
                  .necessary = "12 per warp: ten counts and two sums",
                  .amount = ladder::amount<warp_atomics>,
                  .size = 14,
                  .own_cost = "each warp adds all of its counts and sums; warps that take more pairs, or "
                              "leave out bins without a count, need fewer"}},
     .time = {.peer = "baseline", .ratio = 0, .size = 16},
     .matrix_products = false,
     .hints =
         {"A barrier is for threads of different warps. Which threads can exchange registers without one?",
          "__shfl_down_sync by 16, 8, 4, 2, 1 lanes leaves the sum of a warp in lane 0: for the sums, and "
          "for each "
          "count. All 32 lanes must take part, those without a batch too."}},
    {.file = "g5_no_local_array.cu",
     .idea = "A number is used where it is made, and counts stand in a column of shared memory: nothing "
             "spills to memory.",
     .kind = ladder::Kind::required,
     .data = ladder::Data::resident,
     .hours = 1,
     .targets = {{.metric = "local_bytes",
                  .relation = "<=",
                  .bound = 0,
                  .necessary = "0: registers and shared memory hold all",
                  .amount = ladder::as_it_is,
                  .size = 14}},
     .time = {.peer = "baseline", .ratio = 0, .size = 16},
     .matrix_products = false,
     .hints = {"Registers have no address: an array whose index the compiler does not know lies in memory. "
               "Which two arrays "
               "of a thread are that?",
               "Two numbers at a time are enough. The counts can be counts[bin][threadIdx.x] in shared "
               "memory: whose "
               "elements does a thread touch, and does it need a barrier?"}},
    {.file = "g6_full_device.cu",
     .idea =
         "The grid is asked of the device: as many threads as it holds at once share the pairs, in a small "
         "class too.",
     .kind = ladder::Kind::required,
     .data = ladder::Data::resident,
     .hours = 1,
     .targets = {{.metric = "tail_efficiency",
                  .relation = ">=",
                  .bound = 0.9,
                  .necessary =
                      "1: one whole wave, on 22 multiprocessors of 1,024 threads and on 132 of 2,048",
                  .amount = ladder::as_it_is,
                  .size = 20}},
     .time = {.peer = "baseline", .ratio = 0, .size = 16},
     .matrix_products = false,
     .hints =
         {"tail_efficiency is the blocks over the places in their whole waves. A device with 4,224 places "
          "and a "
          "grid of 4 blocks leaves 4,220 places empty. How many blocks does this device hold at once?",
          "Places: multiprocessors of the device x blocks that one of them holds at once; "
          "cudaOccupancyMaxActiveBlocksPerMultiprocessor knows the latter. All pairs over all these threads, "
          "rounded up, is the share of one thread."}},
    {.file = "g7_integer_generator.cu",
     .was = "g6_integer_generator",
     .idea = "The generator is one integer multiplication and a mask, and the bits of a state are a double "
             "without conversion.",
     .kind = ladder::Kind::stretch,
     .data = ladder::Data::resident,
     .hours = 2,
     .targets = {{.metric = "fp64_operations",
                  .relation = "<=",
                  .bound = 1.4,
                  .necessary =
                      "10 per pair: X and Y, t, and what an accepted pair needs beside the logarithm",
                  .amount = ladder::amount<pair_operations>,
                  .size = 20,
                  .floor = ladder::amount<sum_operations>,
                  .proof = "each accepted pair, at least 0.767 of all, has two products X f and Y f",
                  .own_cost = "X, Y and t of each pair are doubles; a test of t in integers needs fewer"}},
     .time = {.peer = "baseline", .ratio = 0, .size = 16},
     .matrix_products = false,
     .hints = {"fp64_operations counts additions, multiplications, divisions and square roots of doubles. "
               "randlc does about twenty for each number: what does it compute, and which type computes that "
               "directly?",
               "x * a & (2^46 - 1) in unsigned long long: what overflows is a multiple of 2^64, so of 2^46. "
               "46 bits below the exponent of 2.0 are 2 + 2r without any conversion: __longlong_as_double."}},
};

/// The lesson's table.
inline constexpr ladder::Lesson lesson{"05-npb-ep",
                                       "NPB EP: normal numbers, counted and added",
                                       "work E (short paper); NPB",
                                       steps,
                                       std::size(steps),
                                       {32, 0, 28}};

}  // namespace npb_ep
