#pragma once
/// @file
/// Whether each row of a table is complete. The program that prints a lesson's table asserts it, so a row that
/// lacks something does not compile, and the error names it.

#include <cstddef>
#include <iterator>
#include <string_view>
#include <utility>

#include "common/lesson/lesson.hpp"

namespace ladder {

/// Text as a template's argument: compilers show it in their messages.
struct Text {
  char characters[64]{};
  consteval Text(const char* text) {
    for (std::size_t i = 0; i + 1 < sizeof characters && text[i] != 0; ++i) characters[i] = text[i];
  }
};

/// Whether less than the necessary amount is something that a row has to speak of: it bounds work from above. A balance and an
/// error are ratios, and a bound below 1 is that of a row which does not state a least amount.
constexpr bool bounds_work(const Target& target) {
  const std::string_view metric = target.metric;
  return std::string_view(target.relation) == "<=" && target.bound >= 1 && metric != "balance" &&
         metric != "ulps";
}

/// What a row lacks; empty: nothing.
consteval const char* lacking(const Step& row) {
  if (*row.idea == 0) return "idea";
  for (const Target& target : row.targets) {
    if (*target.metric == 0) continue;
    if (target.amount == nullptr) return "amount: the necessary amount as a function";
    if (*target.necessary == 0) return "necessary: the necessary amount in words";
    if (target.size <= 0) return "size: that the target is measured at";
    if (bounds_work(target) && *target.proof == 0 && *target.own_cost == 0)
      return "proof or own_cost: may a program need less?";
    if ((target.floor == nullptr) != (*target.proof == 0)) return "floor and proof: one without the other";
  }
  if (*row.time.peer != 0 && row.time.size <= 0) return "time.size";
  return *row.hints[0] == 0 || *row.hints[1] == 0 ? "hints: two" : "";
}

template <Text row, Text lacks>
consteval bool row_is_complete() {
  static_assert(*lacks.characters == 0,
                "a row of the lesson's table lacks something: row and lacks say what");
  return true;
}

template <const auto& rows, std::size_t... i>
consteval bool rows_are_complete(std::index_sequence<i...>) {
  return (row_is_complete<Text(rows[i].file), Text(lacking(rows[i]))>() && ...);
}

/// Whether every row of a table has its amounts, their words, its sizes and its hints: `static_assert(complete<lu::steps>)`.
template <const auto& rows>
constexpr bool complete = rows_are_complete<rows>(std::make_index_sequence<std::size(rows)>());

}  // namespace ladder
