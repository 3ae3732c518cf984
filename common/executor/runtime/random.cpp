/// @file
/// Jumps of the generator xorwow: one step is linear in its 160 bits, so that many are a power of a matrix.

#include <array>
#include <cstring>
#include <mutex>

#include "common/executor/include/curand_kernel.h"

namespace ladder::executor {
namespace {

constexpr int words = 5, bits = 32 * words;
using Words = std::array<unsigned, words>;
/// Row i: what becomes of the words of which only bit i is set.
using Matrix = std::array<Words, bits>;

Words step(const Words& v) {
  const unsigned t = v[0] ^ (v[0] >> 2);
  return {v[1], v[2], v[3], v[4], (v[4] ^ (v[4] << 4)) ^ (t ^ (t << 1))};
}

Words applied(const Matrix& matrix, const Words& v) {
  Words result{};
  for (int i = 0; i < bits; ++i) {
    if (!(v[static_cast<std::size_t>(i / 32)] >> (i % 32) & 1)) continue;
    for (std::size_t word = 0; word < words; ++word)
      result[word] ^= matrix[static_cast<std::size_t>(i)][word];
  }
  return result;
}

/// Number k is for 2^k steps; made when it is needed, each from the one before.
const Matrix& power(int k) {
  static std::array<Matrix, 67 + 64>* const powers = new std::array<Matrix, 67 + 64>;
  static int made = 0;
  static std::mutex mutex;
  std::lock_guard lock(mutex);
  for (; made <= k; ++made) {
    Matrix& next = (*powers)[static_cast<std::size_t>(made)];
    for (std::size_t i = 0; i < bits; ++i) {
      Words unit{};
      unit[i / 32] = 1u << (i % 32);
      next[i] = made == 0 ? step(unit)
                          : applied((*powers)[static_cast<std::size_t>(made) - 1],
                                    (*powers)[static_cast<std::size_t>(made) - 1][i]);
    }
  }
  return (*powers)[static_cast<std::size_t>(k)];
}

}  // namespace

void xorwow_skip(unsigned* v, unsigned long long count, int log_steps) {
  Words state;
  std::memcpy(state.data(), v, sizeof state);
  for (int bit = 0; count >> bit; ++bit) {
    if (count >> bit & 1) state = applied(power(log_steps + bit), state);
    if (bit == 63) break;
  }
  std::memcpy(v, state.data(), sizeof state);
}

}  // namespace ladder::executor
