#pragma once
/// @file
/// Contract of lesson 05: NPB EP, "embarrassingly parallel": normal numbers from a stream of uniform ones,
/// counted and added. Source: work E, which runs it on a GPU, one thread per batch of pairs; NPB defines
/// numbers, classes and verification.

#include <cstddef>
#include <cstdint>

#include "common/lesson/lesson.hpp"
#include "official_classes.hpp"
#include "uniform_numbers.hpp"

namespace npb_ep {

constexpr int bins = 10;
using Count = unsigned long long;  ///< as CUDA's atomicAdd has it: std::uint64_t is another type to it

/// Counts and adds normal numbers.
///
/// - Pair i = 0 … pairs - 1 consists of numbers 2i + 1 and 2i + 2 of the stream: X = 2 (first) - 1 and Y = 2
///   (second) - 1.
/// - t = X^2 + Y^2. A pair with t > 1 is rejected. Else X' = X f and Y' = Y f with f = sqrt(-2 ln(t) / t) are
///   two independent normal numbers (the polar method of Marsaglia).
/// - sx and sy are the sums of X' and of Y'. q[l] is how many accepted pairs have l <= max(|X'|, |Y'|) < l +
///   1.
/// - All of it in double precision: a logarithm in single precision is far off. Sums may be made in any
///   order.
/// - pairs >= 1, any number: neither a power of two nor a multiple of a batch. seed is odd and below 2^46.
/// - The results hold anything before the call.
/// - Resident rungs (`data` in rungs.toml): sx, sy and q are pointers to device memory.
/// - A block has `block_threads` threads. g1 to g4: each thread takes one batch of `batch` neighbouring
///   pairs, the last one what is left. From g5 on the rung chooses how many pairs a thread takes.
struct Problem {
  std::int64_t pairs = 1;      ///< 2^M in NPB's classes
  State seed = official_seed;  ///< state 0 of the stream
  int batch = 1 << 16;         ///< pairs of a thread in g1 to g4, 1 to 2^16; NPB's is 2^16
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

/// What every rung of this lesson is.
using Function = void(const Problem&);

constexpr int block_threads = 64;  ///< threads of a block in the g rungs

}  // namespace npb_ep
