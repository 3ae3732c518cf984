#include "verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "common/base/text/numbers.hpp"
#include "explain.hpp"
#include "official.hpp"
#include "reference.hpp"

namespace npb_ft::test {
namespace {

std::string text(Complex c, int digits) {
  return fmt::format("{} {} {} i", ladder::number(c.re, digits), c.im < 0 ? "-" : "+",
                     ladder::number(std::abs(c.im), digits));
}

/// "expected …, got …", with as many digits as it takes to see the difference.
std::string difference(Complex want, Complex have) {
  int digits = 9;
  while (digits < 17 && text(want, digits) == text(have, digits)) ++digits;
  return fmt::format("expected {}, got {}", text(want, digits), text(have, digits));
}

std::string place(const Problem& p, std::size_t e) {
  return fmt::format("u[z = {}][y = {}][x = {}]", e / p.nx / p.ny, e / p.nx % p.ny, e % p.nx);
}

/// Compares the grid. Sets error, and wrong when it is.
void compare_grid(const Problem& given, const Problem& got, const Result& expected, Comparison& result) {
  const double unit =
      std::numeric_limits<double>::epsilon() * std::countr_zero(given.points()) * expected.rms + 1e-300;
  const double slack = error_bound * unit;
  std::size_t wrong = 0, first = 0;
  for (std::size_t e = 0; e < given.points(); ++e) {
    const double apart = distance(got.u[e], expected.u[e]);
    if (apart <= slack) {
      result.error = std::max(result.error, apart / unit);
    } else {
      if (wrong++ == 0) first = e;
      result.error = std::isfinite(apart) ? std::max(result.error, apart / unit) : apart;
    }
  }
  if (wrong == 0) return;
  result.wrong = fmt::format("{} of {} elements wrong, first {}: {}", ladder::grouped(double(wrong)),
                             ladder::grouped(double(given.points())), place(given, first),
                             difference(expected.u[first], got.u[first]));
  result.details = explain_grid(given, got, expected, slack, result.error * unit / expected.rms);
}

/// Compares the checksums of the times from first on.
void compare_checksums(const Problem& given, const Problem& got, int first,
                       const std::vector<Complex>& expected, const std::string& whose, Comparison& result) {
  for (int t = first; t <= given.iterations && result.wrong.empty(); ++t) {
    const Complex want = expected[t - first], have = got.checksums[t - 1];
    if (verified(want, have)) continue;
    result.wrong = fmt::format("checksum {} of {}: {}{}", t, given.iterations, whose, difference(want, have));
    if (given.shows_grid)
      result.details.emplace_back(
          "What happened", "The grid at the last time is right, and this checksum is not that of its grid.");
    result.details.emplace_back("Think",
                                t == given.iterations
                                    ? "Which 1,024 elements are summed, what did the sum hold before, and "
                                      "what is it divided by?"
                                    : "Is each time's grid computed whole, and summed before the next one?");
  }
}

}  // namespace

bool verified(Complex expected, Complex got) {
  constexpr double tolerance = 1e-12;
  const auto close = [](double want, double have) { return std::abs((have - want) / want) <= tolerance; };
  return close(expected.re, got.re) && close(expected.im, got.im);
}

Comparison compare(const Problem& given, const Problem& got) {
  Comparison result;
  const OfficialClass* official = class_of(given);
  if (given.shows_grid && given.points() <= largest_reference) {
    const Result& expected = reference(given);
    compare_grid(given, got, expected, result);
    const int first = given.iterations - int(expected.checksums.size()) + 1;
    compare_checksums(given, got, first, expected.checksums, "", result);
  } else if (!official) {
    result.wrong = "no reference for so large a grid";
  }
  if (official)
    compare_checksums(given, got, 1, official_checksums(*official),
                      fmt::format("class {}: NPB's verification fails, ", official->name), result);
  return result;
}

}  // namespace npb_ft::test
