#pragma once
/// @file
/// Numbers as messages and tables print them, and as people type them.

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace ladder {

/// A whole number with its digits in groups: "274,432".
inline std::string grouped(double value) {
  std::string digits = fmt::format("{:.0f}", std::abs(value));
  for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3)
    digits.insert(static_cast<std::size_t>(at), ",");
  return (value < 0 ? "-" : "") + digits;
}

/// An amount: whole numbers in groups, others with four digits.
inline std::string amount_text(double value) {
  return value == std::round(value) && std::abs(value) < 1e15 ? grouped(value) : fmt::format("{:.4g}", value);
}

/// Three digits, no exponent: "0.00123", "12.3", "1870".
inline std::string number_text(double value) {
  return value >= 100 ? fmt::format("{:.0f}", value) : fmt::format("{:.3g}", value);
}

/// "1 byte", "12 bytes".
template <class Whole>
std::string counted(Whole n, const std::string& noun) {
  return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s");
}

/// "1 person", "12 people".
inline std::string people_text(std::size_t n) {
  return fmt::format("{} {}", n, n == 1 ? "person" : "people");
}

/// A number with that many digits; NaN without its sign, which some libraries print.
inline std::string number(double value, int digits) {
  return std::isnan(value) ? "nan" : fmt::format("{:.{}g}", value, digits);
}

/// "expected 0.5, got 0.25", with as many digits as it takes to see the difference.
inline std::string difference(double expected, double got) {
  int digits = 7;
  while (digits < 17 && number(expected, digits) == number(got, digits)) ++digits;
  return "expected " + number(expected, digits) + ", got " + number(got, digits);
}

/// A text that is a finite number and nothing else.
inline std::optional<double> parsed_number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

}  // namespace ladder
