/// @file
/// Whether a result is right. A cycle is a chain of linear operators, and each of them rounds each term of
/// its sums at most 30 times. So the error of an element is at most the number of roundings on a path times
/// half an eps times the element's magnitude: the same cycle with the absolute values of all numbers and of
/// all coefficients. A level has at most four operators in the call: with their additions 100 roundings,
/// and the reference rounds as often.

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "common/base/parallel.hpp"
#include "problems.hpp"
#include "reference.hpp"

namespace npb_mg::test {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

/// The reference of a call; that of NPB's own problems is stored, since they do not change. In the first
/// iteration u is 0, so r is v, and whoever begins with the residual has the same reference.
struct Reference {
  Result result, magnitude;
};
const Reference& reference_of(const Case& c, const Problem& given) {
  static Case last{"", {}};
  static Reference reference;
  const bool same = c.iteration > 0 && last.iteration == c.iteration && last.grid.nx == c.grid.nx &&
                    last.large_classes == c.large_classes &&
                    (c.iteration == 1 || last.residual_first == c.residual_first);
  if (!same) reference = {cycle(given), magnitudes(given)};
  last = c;
  return reference;
}

/// What is wrong with some planes of an array.
struct Differences {
  std::size_t wrong = 0, inside = 0;
  double error = 0;  ///< the largest, in units of eps times the magnitude
  std::string first;
};

/// Compares one array. @return what is wrong with it
std::string compare_array(const char* name, Grid g, const double* got, const std::vector<double>& expected,
                          const std::vector<double>& magnitude, ladder::Check& check) {
  const auto compare_plane = [&](int z, Differences& d) {
    for (int y = 0; y <= g.ny + 1; ++y)
      for (int x = 0; x <= g.nx + 1; ++x) {
        const std::size_t i = g.at(x, y, z);
        const double difference = std::abs(got[i] - expected[i]), unit = eps * magnitude[i];
        if (unit > 0) d.error = std::max(d.error, difference / unit);
        if (difference <= check.bound * unit) continue;  // NaN is not
        const bool border = x % (g.nx + 1) == 0 || y % (g.ny + 1) == 0 || z % (g.nz + 1) == 0;
        if (d.first.empty() || (!border && d.inside == 0))
          d.first = fmt::format("{} at point ({}, {}, {}) is {:.6e}, expected {:.6e}", name, x, y, z, got[i],
                                expected[i]);
        ++d.wrong, d.inside += !border;
      }
  };
  const std::size_t planes = g.nz + 2, least = 1 + points_per_thread * planes / g.elements();
  std::vector<Differences> parts(ladder::parts_of(planes, least));
  ladder::in_parts(planes, least, [&](std::size_t part, std::size_t first, std::size_t last) {
    for (std::size_t z = first; z < last; ++z) compare_plane(int(z), parts[part]);
  });
  Differences all;
  for (const Differences& part : parts) {
    check.error = std::max(check.error, part.error);
    if (all.first.empty() || (all.inside == 0 && part.inside > 0)) all.first = part.first;
    all.wrong += part.wrong, all.inside += part.inside;
  }
  if (all.wrong == 0) return {};
  return fmt::format("{} is wrong in {} of {} elements. {}{}", name, all.wrong, g.elements(),
                     all.inside == 0 ? "Only its border is wrong. " : "", all.first);
}

}  // namespace

std::string wrong_norm(const OfficialClass& official, double norm) {
  const double error = std::abs(norm - official.norm) / official.norm;
  if (error <= 1e-8) return {};
  return fmt::format("NPB's check of class {} fails: the norm of r is {:.13e}, expected {:.13e}",
                     official.name, norm, official.norm);
}

ladder::Check compare(const Case& c, const Problem& given, const Problem& got) {
  const auto& [result, magnitude] = reference_of(c, given);
  ladder::Check check{.measure = "max |u - uref| / (eps U), |r - rref| / (eps R)",
                      .bound = 100.0 * given.levels};
  check.wrong = compare_array("u", given.grid, got.u, result.u, magnitude.u, check);
  if (!check.wrong.empty() || c.residual_first) return check;
  check.wrong = compare_array("r", given.grid, got.r, result.r, magnitude.r, check);
  if (!check.wrong.empty()) {
    check.wrong += "; u is right";
    return check;
  }
  for (const OfficialClass& official : official_classes)
    if (official.n == c.grid.nx && (official.size > 256) == c.large_classes &&
        c.iteration == official.iterations)
      check.wrong = wrong_norm(official, norm_of(given.grid, got.r));
  return check;
}

}  // namespace npb_mg::test
