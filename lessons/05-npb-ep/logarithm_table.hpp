#pragma once
/// @file
/// Given from g7 on: logarithms of 128 numbers c, spread over the numbers from 0.75 to 1.5.

#include <cmath>

namespace npb_ep {

constexpr int table_size = 128;

/// What is known of c = 0.75 + i / 256 up to 1 and 1 + (i - 64) / 128 from there. As bits of doubles all of
/// them are equally far apart: 2^13 in the upper 32 bits, which are 0x3fe80000 for 0.75.
struct TableEntry {
  double inverse;        ///< 1 / c, rounded
  double minus_two_log;  ///< -2 ln c, of a c whose inverse needs no rounding
};

struct LogarithmTable {
  TableEntry of[table_size];
};

inline LogarithmTable make_logarithm_table() {
  LogarithmTable table{};
  for (int i = 0; i < table_size; ++i) {
    const double c = i <= 64 ? 0.75 + i / 256.0 : 1 + (i - 64) / 128.0;
    table.of[i] = {1 / c, 2 * std::log(1 / c)};
  }
  return table;
}

}  // namespace npb_ep
