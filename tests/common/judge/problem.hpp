#pragma once
/// @file
/// The problem of a lesson that is none: y = 2 x. Its steps misbehave in every way that we know of.

#include <cstddef>

#include "common/lesson/lesson.hpp"

namespace probe {

struct Problem {
  int n = 0;
  const double* x = nullptr;  ///< n
  double* y = nullptr;        ///< n; 2 x
  bool y_stays = false;       ///< on the device

  template <class Visitor>
  void arrays(Visitor&& visit) {
    visit("x", ladder::Role::in, x, std::size_t(n));
    visit("y", y_stays ? ladder::Role::out_on_device : ladder::Role::out, y, std::size_t(n));
  }
};

}  // namespace probe
