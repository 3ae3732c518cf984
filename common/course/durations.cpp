#include "common/course/durations.hpp"

#include <fmt/format.h>

#include <charconv>

#include "common/base/error.hpp"
#include "common/base/text/text.hpp"

namespace ladder::course {
namespace {

/// The number at the beginning, and what comes after it.
template <class Number>
bool split(const std::string& text, Number& number, std::string& unit) {
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  unit = std::string(trim(std::string_view(end, static_cast<std::size_t>(text.data() + text.size() - end))));
  return failed == std::errc();
}

}  // namespace

Duration parse_duration(const std::string& text) {
  int number = 0;
  std::string unit;
  const bool is_number = split(text, number, unit) && number >= 0 && number <= 10000;
  if (is_number && (unit == "min" || unit == "minutes")) return {0, std::chrono::minutes(number)};
  if (is_number && (unit == "h" || unit == "hour" || unit == "hours")) return {0, std::chrono::hours(number)};
  if (is_number && (unit == "day" || unit == "days")) return {number, {}};
  throw Error(fmt::format("'{}' is no length of time; write \"15 min\", \"2 h\" or \"3 days\"", text));
}

double parse_share(const std::string& text) {
  double number = 0;
  std::string unit;
  if (!split(text, number, unit) || unit != "%" || !(number >= 0 && number <= 100))
    throw Error(fmt::format("'{}' is no share; write \"10 %\", from 0 to 100", text));
  return number / 100;
}

}  // namespace ladder::course
