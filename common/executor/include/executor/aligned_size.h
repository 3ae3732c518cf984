#pragma once
/// @file
/// A number of bytes with a promise about the alignment of what has them.

#include <stddef.h>

namespace cuda {

template <size_t Alignment>
struct aligned_size_t {
  static constexpr size_t align = Alignment;
  size_t value;
  constexpr explicit aligned_size_t(size_t bytes) : value(bytes) {}
  constexpr operator size_t() const { return value; }
};

}  // namespace cuda
