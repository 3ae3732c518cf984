#pragma once
/// @file
/// Numbers of lesson 00 that judge and rungs share.

namespace first_steps {

constexpr int bins = 256;             ///< of the histogram. A power of two: A[i][j] * bins is then exact.
constexpr int softening_steps = 128;  ///< x = x - x * x * x / 64, from x = A[i][j]

/// Blocks, sweeps, chunks: how many parts of `size` there are, the last one perhaps not full.
constexpr int parts(int elements, int size) {
  return (elements + size - 1) / size;
}

}  // namespace first_steps
