#pragma once
/// @file
/// The error that everything here throws.

#include <stdexcept>

namespace ladder {

/// An error that a step, a checked call in it, or the harness reports. The text says what, where and what to
/// do.
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace ladder
