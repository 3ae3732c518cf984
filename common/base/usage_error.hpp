#pragma once
/// @file
/// Names that a person typed, and what is said of wrong ones.

#include <string>
#include <utility>

#include "common/base/error.hpp"
#include "common/base/text/nearest.hpp"

namespace ladder {

/// A wrong use or a missing part of the environment: one clear line, exit status 2.
struct UsageError : Error {
  explicit UsageError(std::string what) : Error(what), text(std::move(what)) {}
  std::string text;
};

}  // namespace ladder
