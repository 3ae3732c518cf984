#include "verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "common/base/numbers.hpp"
#include "official.hpp"
#include "reference.hpp"

namespace npb_ft::test {
namespace {

double distance(Complex a, Complex b) {
  return std::max(std::abs(a.re - b.re), std::abs(a.im - b.im));
}

std::string text(Complex c) {
  return fmt::format("{} {} {} i", ladder::number(c.re, 9), c.im < 0 ? "-" : "+",
                     ladder::number(std::abs(c.im), 9));
}

std::string place(const Problem& p, std::size_t e) {
  return fmt::format("u[z = {}][y = {}][x = {}]", e / p.nx / p.ny, e / p.nx % p.ny, e % p.nx);
}

/// Whether u is the reference with element e' in the place of e, times `factor`.
template <class Place>
bool is_like(const Problem& got, const Result& expected, double slack, double factor, Place place) {
  for (std::size_t e = 0; e < got.points(); ++e)
    if (!(distance(got.u[e], factor * expected.u[place(e)]) <= slack * factor)) return false;
  return true;
}

/// What kind of wrong the grid is, as what happened and a question; empty when nothing is known.
std::pair<std::string, std::string> likeness(const Problem& p, const Problem& got, const Result& expected,
                                             double slack) {
  const auto same = [](std::size_t e) { return e; };
  const auto mirrored = [&p](std::size_t e) {
    const auto back = [](std::size_t i, int n) { return (n - i) % n; };
    const std::size_t x = back(e % p.nx, p.nx), y = back(e / p.nx % p.ny, p.ny),
                      z = back(e / p.nx / p.ny, p.nz);
    return x + p.nx * (y + p.ny * z);
  };
  const double N = double(p.points());
  if (is_like(got, expected, slack, 1 / N, same))
    return {"The grid is what is expected, divided by the number of its points.",
            "Which of grid and checksum does the contract divide?"};
  if (is_like(got, expected, slack, 1, mirrored))
    return {"The grid is mirrored: what is expected at (x, y, z) stands at (-x, -y, -z).",
            "Which sign do the roots of the second transform have?"};
  std::vector<Complex> first = first_grid(p);
  Result start{{}, std::move(first), 0};
  if (is_like(got, start, 1e-9, N, same))
    return {"The grid is the one at time 0, times the number of its points.",
            "Where does a frequency decay?"};
  return {};
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
  result.wrong = fmt::format("{} of {} elements wrong, first {}: expected {}, got {}",
                             ladder::grouped(double(wrong)), ladder::grouped(double(given.points())),
                             place(given, first), text(expected.u[first]), text(got.u[first]));
  if (const auto [what, think] = likeness(given, got, expected, slack); !what.empty()) {
    result.details.emplace_back("What happened", what);
    result.details.emplace_back("Think", think);
  } else if (std::isnan(got.u[first].re)) {
    result.details.emplace_back(
        "What happened", "Elements of u are no numbers: they, or what they come from, were not written.");
  }
}

/// Compares the checksums of the times from first on.
void compare_checksums(const Problem& given, const Problem& got, int first,
                       const std::vector<Complex>& expected, const std::string& whose, Comparison& result) {
  for (int t = first; t <= given.iterations && result.wrong.empty(); ++t) {
    const Complex want = expected[t - first], have = got.checksums[t - 1];
    if (verified(want, have)) continue;
    result.wrong =
        fmt::format("checksum {} of {}: {} {}, got {}", t, given.iterations, whose, text(want), text(have));
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
    compare_checksums(given, got, first, expected.checksums, "expected", result);
  } else if (!official) {
    result.wrong = "no reference for so large a grid";
  }
  if (official)
    compare_checksums(given, got, 1, official_checksums(*official),
                      fmt::format("class {}: NPB's verification fails, official", official->name), result);
  return result;
}

}  // namespace npb_ft::test
