#pragma once
/// @file
/// Given, for g9 and g10: what a pass over the grid does, along which axis, and which of its elements a
/// thread has.

#include <cstddef>

namespace npb_ft {

/// What a pass does: which transform, and what else with the elements that it has in registers anyway.
enum class Pass {
  initial,   ///< forward, along x, of numbers that it makes instead of reading them
  forward,   ///< forward
  decay,     ///< inverse, along z, of what it has read and multiplied
  inverse,   ///< inverse
  checksum,  ///< inverse, along x, and it adds up what it is about to write
};
constexpr int sign_of(Pass pass) {
  return pass == Pass::initial || pass == Pass::forward ? 1 : -1;
}

/// An axis of the grid.
struct Axis {
  int n;          ///< elements of a line
  unsigned step;  ///< from one element to the next in the grid
};

/// A thread's elements of a line: t + i n / E for i = 0 … E - 1.
struct Elements {
  unsigned line;      ///< of all lines along the axis: y + ny z along x, x + nx y along z
  int t;              ///< the first one in the line
  int threads;        ///< from one to the next in the line, n / E
  std::size_t first;  ///< the first one in the grid
  std::size_t apart;  ///< from one to the next in the grid
};

}  // namespace npb_ft
