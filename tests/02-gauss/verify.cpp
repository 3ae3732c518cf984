#include "verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>

#include "common/base/text/numbers.hpp"
#include "reference.hpp"

namespace gauss::test {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

std::string check_padding(const Problem& given, const Problem& got) {
  std::size_t changed = 0;
  for (int i = 0; i < given.n; ++i)
    for (int j = given.n; j < given.lda; ++j) {
      const std::size_t at = std::size_t(i) * given.lda + j;
      changed += std::memcmp(given.A + at, got.A + at, sizeof(double)) != 0;
    }
  return changed == 0 ? ""
                      : fmt::format("{} elements of A's padding, between n and lda, overwritten", changed);
}

std::string check_info(const Problem& given, const Problem& got, int expected) {
  if (given.n > largest_reference)
    return *got.info == 0 ? "" : fmt::format("info: expected 0, got {}", *got.info);
  if (*got.info == expected) return "";
  return fmt::format("info: expected {}{}, got {}{}", expected,
                     expected == 0 ? " (no pivot is zero)" : fmt::format(" (pivot {} is zero)", expected - 1),
                     *got.info, *got.info == -1 ? " (not written)" : "");
}

std::string check_finite(const Problem& got) {
  const auto bad = [](double value) { return !std::isfinite(value); };
  const auto count = std::count_if(got.x, got.x + got.n, bad);
  if (count == 0) return "";
  const auto first = std::find_if(got.x, got.x + got.n, bad) - got.x;
  return fmt::format("{} of {} of x not finite, first x[{}]: got {}", count, got.n, first,
                     ladder::number(got.x[first], 7));
}

/// The elements that are farther off than rounding explains, next to the reference's x.
std::string describe(const Problem& given, const Problem& got, bool pivoting, const Comparison& result) {
  const std::string error = fmt::format("backward error {} eps, at most {}", ladder::number(result.error, 3),
                                        ladder::number(result.bound, 3));
  if (given.n > largest_reference) return error;
  const std::vector<double> x = eliminate(given, pivoting).x;
  double scale = 0;
  for (const double value : x) scale = std::max(scale, std::abs(value));
  int wrong = 0, first = 0;
  for (int i = given.n; i-- > 0;)
    if (!(std::abs(got.x[i] - x[i]) <= 1e-6 * scale)) ++wrong, first = i;
  if (wrong == 0) return error;
  return fmt::format("{} of {} wrong, first x[{}]: {}; {}", wrong, given.n, first,
                     ladder::difference(x[first], got.x[first]), error);
}

}  // namespace

Comparison compare(const Problem& given, const Problem& got, bool pivoting, Entries entries) {
  const Elimination lapack = given.n > largest_reference ? Elimination{} : eliminate(given, true);
  const bool rounding_decides = entries == Entries::repeated_row;
  Comparison result;
  result.wrong = check_padding(given, got);
  if (rounding_decides && result.wrong.empty() && *got.info == given.n) return result;
  if (result.wrong.empty() && pivoting)
    result.wrong = check_info(given, got, rounding_decides ? 0 : lapack.info);
  if (!result.wrong.empty() || singular(entries)) return result;
  result.wrong = check_finite(got);
  result.x_wrong = !result.wrong.empty();
  if (result.x_wrong) return result;
  result.error = backward_error(given, got.x) / eps;
  result.bound = rounding_decides ? quick_bound(given) : error_bound(given, lapack) / eps;
  result.x_wrong = !(result.error <= result.bound);
  if (result.x_wrong) result.wrong = describe(given, got, pivoting, result);
  return result;
}

std::string compare_quickly(const Problem& given, const Problem& got) {
  const std::string wrong = check_finite(got);
  if (!wrong.empty()) return wrong;
  const double error = backward_error(given, got.x) / eps;
  if (error <= quick_bound(given)) return "";
  return fmt::format("backward error {} eps, at most {}", ladder::number(error, 3), quick_bound(given));
}

}  // namespace gauss::test
