#pragma once
/// @file
/// Points as terminal, pages and tables write them: the same everywhere.

#include <fmt/format.h>

#include <cmath>
#include <string>

namespace ladder {

/// "8", "7.55": to a hundredth, so that 7.96 of 8 is not shown as all of them.
inline std::string points_text(double points) {
  return fmt::format("{:g}", std::round(points * 100) / 100);
}

/// "7.96 of 8", and 7.996 of 8 as 7.99: less than all of them is never written as all.
inline std::string points_text(double points, double most, const char* of = " of ") {
  const bool all = points > most - 1e-6;  // what sums of such numbers are off by
  const bool rounded_up = !all && std::round(points * 100) >= std::round(most * 100);
  return points_text(rounded_up ? std::floor(points * 100) / 100 : points) + of + points_text(most);
}

}  // namespace ladder
