#pragma once
/// @file
/// Frequencies of a transform of n points, and how they decay.

namespace npb_ft {

constexpr double pi = 3.14159265358979323846;
constexpr double decay = -4e-6 * pi * pi;  ///< -4 alpha pi^2, the exponent for one unit of k^2 and of time

/// The frequency that belongs to place i of n.
constexpr int frequency(int i, int n) {
  return i < n / 2 ? i : i - n;
}

constexpr int log2_of(int n) {
  int m = 0;
  while (n >> (m + 1) != 0) ++m;
  return m;
}

}  // namespace npb_ft
