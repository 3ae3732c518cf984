/// @file
/// Whether a result is right. Rounding of CG's recursions leaves x - A z different from r: Greenbaum (1997)
/// bounds the difference by the number of iterations times what one product rounds. So z is compared by
/// A (z - zref), in units of || |A| |z| + |x| ||, and not by z itself.

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "problems.hpp"
#include "reference.hpp"

namespace npb_cg::test {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

/// Each product of a call rounds at most once per entry of a row, each update of a vector twice more.
double bound_of(const Problem& p) {
  int longest = 0;
  for (int i = 0; i < p.n; ++i) longest = std::max(longest, p.row_start[i + 1] - p.row_start[i]);
  return (iterations + 1) * (longest + 3.0);
}

/// || A (a - b) ||
template <class A, class B>
long double distance(const Problem& p, const A& a, const B& b) {
  std::vector<long double> difference(p.n);
  for (int i = 0; i < p.n; ++i) difference[i] = (long double)(a[i]) - (long double)(b[i]);
  return length(times(p, difference));
}

/// || x - A z ||
double true_norm(const Problem& given, const double* z) {  // n
  std::vector<long double> left = times(given, std::vector<long double>(z, z + given.n));
  for (int i = 0; i < given.n; ++i) left[i] = given.x[i] - left[i];
  return double(length(left));
}

/// What is known of a wrong z.
std::string z_pattern(const Problem& given, const double* z, const Reference& reference, long double limit) {
  for (int i = 0; i < given.n; ++i)
    if (!std::isfinite(z[i]))
      return fmt::format(" z[{}] is {}: was it stored, and what is 0 / 0 when the solution is exact?", i,
                         z[i]);
  for (std::size_t k = 0; k < reference.iterate.size(); ++k)
    if (distance(given, reference.iterate[k], z) <= limit)
      return fmt::format(" It is what {} iterations give.", k);
  return {};
}

/// What is known of a wrong norm.
std::string norm_pattern(double norm, double expected, double limit) {
  if (std::abs(norm - expected * expected) <= limit) return " It is the square of the norm.";
  if (std::abs(norm) <= limit) return " It is 0: was x - A z added up?";
  return {};
}

/// The reference of a call; that of NPB's own problems is stored, since they do not change.
const Reference& reference_of(const Case& c, const Problem& given) {
  static Case last{"", 0};
  static Reference reference;
  if (c.iteration == 0 || last.n != c.n || last.iteration != c.iteration) reference = solve(given);
  last = c;
  return reference;
}

}  // namespace

std::string wrong_zeta(const OfficialClass& official, double zeta) {
  const double error = std::abs(zeta - official.zeta) / official.zeta;
  if (error <= 1e-10) return {};
  return fmt::format("NPB's check of class {} fails: zeta is {:.13f}, expected {:.13f}", official.name, zeta,
                     official.zeta);
}

ladder::Check compare(const Case& c, const Problem& given, const Problem& got) {
  const Reference& reference = reference_of(c, given);
  ladder::Check check{.measure = "||A (z - zref)|| / (eps || |A| |zref| + |x| ||)", .bound = bound_of(given)};
  const long double unit = eps * reference.magnitude, limit = check.bound * unit;
  check.error = double(distance(given, reference.z, got.z) / unit);
  if (!(check.error <= check.bound)) {
    check.wrong =
        fmt::format("z is wrong: ||A (z - zref)|| is {:.2e}, allowed {:.2e}.{}", check.error * double(unit),
                    double(limit), z_pattern(given, got.z, reference, limit));
    return check;
  }
  const double expected = true_norm(given, got.z), error = std::abs(*got.norm - expected) / double(unit);
  check.error = std::max(check.error, error);
  if (!(error <= check.bound))
    check.wrong = fmt::format("norm is {:.6e}, expected {:.6e}, although z is right.{}", *got.norm, expected,
                              norm_pattern(*got.norm, expected, double(limit)));
  const OfficialClass* official = c.iteration > 0 ? class_of(given.n) : nullptr;
  if (check.wrong.empty() && official != nullptr && c.iteration == official->iterations)
    check.wrong = wrong_zeta(*official, zeta_of(given, official->shift, got.z));
  return check;
}

}  // namespace npb_cg::test
