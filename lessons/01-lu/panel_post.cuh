#pragma once
/// @file
/// Given, for t2 to t5 and m1 to m3: how large a panel in registers is, and what blocks tell each other about
/// it. Source: none.

#include "resident.cuh"

namespace lu {

// Elements of a panel in a thread: one row of 32 columns, two rows of 16, ...
inline constexpr int held = 32;
inline constexpr int most_threads = 512;  // 128 registers for each
inline constexpr int max_blocks = 16;

/// What a block says about a column: its largest element, and the row with it.
struct Post {
  double row[max_columns];
  double inverse;  // of that element
  Candidate best;
};

}  // namespace lu
