#pragma once
/// @file
/// What a target counted, as verdicts and profiles write it: the same everywhere.

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "common/base/text/numbers.hpp"

namespace ladder {

/// What a metric's amount is a number of: "sectors" of "sectors per flop", whose flops are the contract's,
/// and "sectors:update" of "sectors per flop:update".
inline std::string things_of(std::string_view metric) {
  const auto colon = metric.find(':');
  const std::string_view name = metric.substr(0, colon),
                         kernel = colon == metric.npos ? "" : metric.substr(colon);
  return std::string(name.substr(0, std::min(name.find(" per "), name.find("_per_")))) + std::string(kernel);
}

/// "limit 1.1", "at least 0.85"
inline std::string limit_of(std::string_view relation, double bound) {
  return fmt::format("{} {:g}", relation == "<=" ? "limit" : relation == ">=" ? "at least" : relation, bound);
}

/// "sectors 274,432 of 74,752 necessary (9 n^3/32 + n^2/4 sectors): 3.67x, limit 1.1x"
/// @param formula  of the necessary amount
inline std::string target_sentence(std::string_view metric, double amount, double necessary,
                                   std::string_view formula, double ratio, std::string_view relation,
                                   double bound) {
  return fmt::format("{} {} of {} necessary ({}): {:.3g}x, {}x", things_of(metric), amount_text(amount),
                     amount_text(necessary), formula, ratio, limit_of(relation, bound));
}

}  // namespace ladder
