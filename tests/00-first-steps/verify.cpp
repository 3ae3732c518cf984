#include "verify.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "common/base/parallel.hpp"

namespace first_steps::test {
namespace {

constexpr double single_eps = std::numeric_limits<float>::epsilon();
constexpr double double_eps = std::numeric_limits<double>::epsilon();

/// Outputs are filled with these bytes before a call.
template <class T>
bool is_poison(T value) {
  unsigned char bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  return std::all_of(bytes, bytes + sizeof value, [](unsigned char b) { return b == 0xFF; });
}

/// Notes an element of the result.
/// @param scale  what the error is divided by; 0: only the same number is right
template <class T>
void look_at(Comparison& result, std::size_t index, double expected, T got, double scale) {
  if (result.elements) result.elements->add(expected, double(got), scale > 0 ? result.bound * scale : 0);
  const double difference = std::abs(double(got) - expected);
  bool right = double(got) == expected;
  if (scale > 0) {
    const double error =
        std::isfinite(difference) ? difference / scale : std::numeric_limits<double>::infinity();
    result.error = std::max(result.error, error);
    right = error <= result.bound;
  }
  ++result.of;
  if (right) return;
  result.untouched_in_all += is_poison(got);
  if (result.wrong++ > 0) return;
  result.first = index;
  result.expected = expected;
  result.got = double(got);
  result.untouched = is_poison(got);
}

/// Rows of the result, from first to the one before last.
struct Rows {
  std::size_t first, last;
};

void compare_brightened(Comparison& result, const Problem& p, const float* B, Rows rows) {
  result.measure = "max |B - Bref| / (eps (|gain A| + |offset|)), float";
  result.bound = 2;  // a product and a sum, rounded once or twice
  for (std::size_t i = rows.first * p.columns; i < rows.last * p.columns; ++i) {
    const double product = double(p.gain) * p.A[i];
    look_at(result, i, product + p.offset, B[i],
            single_eps * (std::abs(product) + std::abs(double(p.offset))));
  }
}

void compare_blurred(Comparison& result, const Problem& p, const float* B, Rows rows) {
  result.measure = "max |B - Bref| / (eps (|left| / 4 + |A| / 2 + |right| / 4)), float";
  result.bound = 2;  // two sums; products with powers of two are exact
  for (std::size_t i = rows.first; i < rows.last; ++i)
    for (int j = 0; j < p.columns; ++j) {
      const float* A = p.A + i * p.columns;
      const double left = A[std::max(j - 1, 0)] / 4.0, here = A[j] / 2.0,
                   right = A[std::min(j + 1, p.columns - 1)] / 4.0;
      const double scale = single_eps * (std::abs(left) + std::abs(here) + std::abs(right));
      const std::size_t at = i * p.columns + j;
      look_at(result, at, left + here + right, B[at], scale);
    }
}

void compare_transposed(Comparison& result, const Problem& p, const float* B, Rows rows) {
  for (std::size_t j = rows.first; j < rows.last; ++j)
    for (int i = 0; i < p.rows; ++i) {
      const std::size_t at = j * p.rows + i;
      look_at(result, at, p.A[std::size_t(i) * p.columns + j], B[at], 0);
    }
}

void compare_sums(Comparison& result, const Problem& p, const double* sum, Precision precision, Rows rows) {
  const double eps = precision == Precision::single_bits ? single_eps : double_eps;
  result.measure = precision == Precision::single_bits ? "max |sum - exact| / (eps sum |A|), float"
                                                       : "max |sum - exact| / (eps sum |A|)";
  result.bound = p.columns + 4.0;
  result.first_block_only = true;
  for (std::size_t i = rows.first; i < rows.last; ++i) {
    const float* row = p.A + i * p.columns;
    const std::vector<double> exact = exact_sum(row, std::size_t(p.columns));
    double magnitude = 0, start = 0;
    for (int j = 0; j < p.columns; ++j) magnitude += std::abs(double(row[j]));
    for (int j = 0; j < std::min(p.columns, 256); ++j) start += row[j];
    result.ulps = std::max(result.ulps, ulps_between(sum[i], exact));
    result.first_block_only &= std::abs(sum[i] - start) <= 256 * eps * magnitude;
    look_at(result, i, exact[0], sum[i], eps * (magnitude > 0 ? magnitude : 1));
  }
}

void compare_histogram(Comparison& result, const Problem& p, const unsigned* count) {
  std::vector<unsigned> expected(bins);
  for (std::size_t i = 0; i < std::size_t(p.rows) * p.columns; ++i) ++expected[std::size_t(p.A[i] * bins)];
  std::size_t right = 0, low = 0;  // counts before those that are one too low
  for (std::size_t b = 0; b < bins; ++b) {
    look_at(result, b, expected[b], count[b], 0);
    if (low == 0 && count[b] == expected[b])
      ++right;
    else
      low += count[b] == expected[b] - 1;
    result.counted += count[b];
  }
  if (low >= 16 && right + low == bins) result.one_too_low_from = static_cast<int>(right);
}

void compare_places(Comparison& result, const Problem& p, const int* place, Rows rows) {
  result.inclusive = true;
  for (std::size_t i = rows.first; i < rows.last; ++i) {
    int bright = 0;
    for (int j = 0; j < p.columns; ++j) {
      const std::size_t at = i * p.columns + j;
      const int own = p.A[at] >= p.limit, expected = bright;
      look_at(result, at, expected, place[at], 0);
      result.inclusive &= place[at] == expected + own;
      if (place[at] != expected && (result.first_wrong_column < 0 || j < result.first_wrong_column))
        result.first_wrong_column = j;
      bright += own;
    }
  }
}

// A step of x - x^3 / 64 makes a difference of two |x| <= 1 no larger, and its own error is at most u |x| for
// the subtraction and 2 u |x^3| / 64 for the products: below 1.04 u |A| = 0.52 eps |A|.
void compare_softened(Comparison& result, const Problem& p, const float* B, Rows rows) {
  result.measure = "max |B - Bref| / (eps |A|), float";
  result.bound = 0.52 * softening_steps;
  for (std::size_t i = rows.first * p.columns; i < rows.last * p.columns; ++i) {
    const bool bright = p.A[i] >= p.limit;
    double x = p.A[i];
    for (int step = 0; bright && step < softening_steps; ++step) x -= x * x * x / 64;
    look_at(result, i, x, B[i], bright ? single_eps * std::abs(double(p.A[i])) : 0);
    if (bright)
      result.not_softened += B[i] == p.A[i] && std::abs(p.A[i]) > 0.1f;  // what is small hardly changes
    if (!bright) result.dark_changed += B[i] != p.A[i];
  }
}

void compare_rows(Comparison& result, const Problem& given, const Problem& got, Precision precision,
                  Rows rows) {
  switch (given.wanted) {
    case Wanted::brightened:
      return compare_brightened(result, given, got.B, rows);
    case Wanted::blurred:
      return compare_blurred(result, given, got.B, rows);
    case Wanted::transposed:
      return compare_transposed(result, given, got.B, rows);
    case Wanted::row_sums:
      return compare_sums(result, given, got.sum, precision, rows);
    case Wanted::histogram:
      return compare_histogram(result, given, got.count);
    case Wanted::places:
      return compare_places(result, given, got.place, rows);
    case Wanted::softened:
      return compare_softened(result, given, got.B, rows);
  }
}

/// What was found in the rows above, and in those that follow them.
Comparison together(Comparison all, const Comparison& next) {
  if (all.wrong == 0) {
    all.first = next.first, all.expected = next.expected, all.got = next.got;
    all.untouched = next.untouched;
  }
  all.wrong += next.wrong, all.of += next.of, all.untouched_in_all += next.untouched_in_all;
  all.error = std::max(all.error, next.error), all.ulps = std::max(all.ulps, next.ulps);
  all.first_block_only &= next.first_block_only, all.inclusive &= next.inclusive;
  if (all.first_wrong_column < 0 ||
      (next.first_wrong_column >= 0 && next.first_wrong_column < all.first_wrong_column))
    all.first_wrong_column = next.first_wrong_column;
  all.not_softened += next.not_softened, all.dark_changed += next.dark_changed;
  return all;
}

}  // namespace

std::vector<double> exact_sum(const float* numbers, std::size_t count) {
  std::vector<double> parts;  // of rising size, no two overlap
  for (std::size_t n = 0; n < count; ++n) {
    double carried = numbers[n];
    std::size_t kept = 0;
    for (double part : parts) {
      if (std::abs(carried) < std::abs(part)) std::swap(carried, part);
      const double sum = carried + part, rest = part - (sum - carried);
      if (rest != 0) parts[kept++] = rest;
      carried = sum;
    }
    parts.resize(kept);
    parts.push_back(carried);
  }
  if (parts.empty()) parts.push_back(0);
  std::reverse(parts.begin(), parts.end());
  // The parts overlap in no bit, but the first may be one unit next to the rounded sum.
  for (std::size_t i = parts.size() - 1; i > 0; --i) {
    const double sum = parts[i - 1] + parts[i];
    parts[i] -= sum - parts[i - 1];
    parts[i - 1] = sum;
  }
  return parts;
}

double ulps_between(double value, const std::vector<double>& exact) {
  if (!std::isfinite(value)) return std::numeric_limits<double>::infinity();
  double distance = value - exact[0];  // exact when they are near; else its rounding does not matter
  for (std::size_t i = 1; i < exact.size(); ++i) distance -= exact[i];
  if (distance == 0) return 0;
  const double size = std::max(std::abs(exact[0]), std::numeric_limits<double>::min());
  return std::abs(distance) / std::ldexp(double_eps, std::ilogb(size));
}

Comparison compare(const Problem& given, const Problem& got, Precision precision, ladder::Compared* all) {
  const std::size_t elements = std::size_t(given.rows) * given.columns,
                    rows = std::size_t(given.wanted == Wanted::transposed ? given.columns : given.rows);
  // One thread where the elements are wanted in their order, and for a histogram, which is of all rows.
  const bool in_order = all || given.wanted == Wanted::histogram;
  const std::size_t least = in_order ? rows + 1 : 1 + (std::size_t{1} << 18) * rows / elements;
  std::vector<Comparison> parts(ladder::parts_of(rows, least));
  ladder::in_parts(rows, least, [&](std::size_t part, std::size_t first, std::size_t last) {
    parts[part].elements = all;
    compare_rows(parts[part], given, got, precision, {first, last});
  });
  Comparison result = parts[0];
  for (std::size_t part = 1; part < parts.size(); ++part) result = together(result, parts[part]);
  result.copied = given.wanted == Wanted::transposed && std::equal(given.A, given.A + elements, got.B);
  result.first_block_only &= !result.right() && given.columns > 256;
  return result;
}

std::optional<ladder::Compared> compared(const Problem& given, const Problem& got, Precision precision) {
  ladder::Compared all;
  const Wanted wanted = given.wanted;
  if (wanted == Wanted::row_sums || wanted == Wanted::histogram) {
    all.array = wanted == Wanted::row_sums ? "sum" : "count";
  } else {
    all.array = wanted == Wanted::places ? "place" : "B";
    all.columns = std::size_t(wanted == Wanted::transposed ? given.rows : given.columns);
  }
  const Comparison result = compare(given, got, precision, &all);
  // explain() knows more
  if (result.copied || result.one_too_low_from >= 0 || (result.inclusive && !result.right())) return {};
  // Each place builds on the ones before it: after the first wrong one none is right, whoever stored them.
  if (wanted == Wanted::places && !result.untouched) return {};
  return all;
}

std::string element_name(const Problem& p, std::size_t index) {
  const auto in_brackets = [](std::size_t i) { return "[" + std::to_string(i) + "]"; };
  if (p.wanted == Wanted::row_sums) return "sum" + in_brackets(index);
  if (p.wanted == Wanted::histogram) return "count" + in_brackets(index);
  const std::size_t width = std::size_t(p.wanted == Wanted::transposed ? p.rows : p.columns);
  return (p.wanted == Wanted::places ? "place" : "B") + in_brackets(index / width) +
         in_brackets(index % width);
}

}  // namespace first_steps::test
