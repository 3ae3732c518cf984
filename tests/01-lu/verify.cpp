#include "verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <vector>

#include "common/base/text/numbers.hpp"
#include "reference.hpp"

namespace lu::test {
namespace {

using ladder::number;

constexpr double tiny = std::numeric_limits<double>::min();  // below it rounding is not relative any more

double infinity_norm(const double* A, std::size_t n) {
  double norm = 0;
  for (std::size_t r = 0; r < n; ++r) {
    double sum = 0;
    for (std::size_t c = 0; c < n; ++c) sum += std::abs(A[r * n + c]);
    norm = std::max(norm, sum);
  }
  return norm;
}

/// PA: A with the swaps of the result done.
std::vector<double> permuted(const Problem& given, const int* pivot) {
  const std::size_t n = given.n;
  std::vector<double> A(given.A, given.A + n * n);
  for (std::size_t i = 0; i < n; ++i)
    if (pivot[i] != int(i)) std::swap_ranges(&A[i * n], &A[i * n] + n, &A[pivot[i] * n]);
  return A;
}

/// info and pivot: written, and in their range.
std::string check_range(const Problem& got) {
  const auto said = [](int value) { return std::to_string(value) + (value == -1 ? " (not written)" : ""); };
  if (*got.info < 0 || *got.info > got.n)
    return fmt::format("info: expected 0 to {}, got {}", got.n, said(*got.info));
  for (int i = 0; i < got.n; ++i)
    if (got.pivot[i] < i || got.pivot[i] >= got.n)
      return fmt::format("pivot[{}]: expected {} to {}, got {}", i, i, got.n - 1, said(got.pivot[i]));
  return "";
}

std::string check_finite(const Problem& got) {
  const std::size_t n = got.n;
  const auto bad = [](double x) { return !std::isfinite(x); };
  const auto count = std::count_if(got.A, got.A + n * n, bad);
  if (count == 0) return "";
  const std::size_t first = std::find_if(got.A, got.A + n * n, bad) - got.A;
  return fmt::format("{} of {} not finite, first {}: got {}", count, n * n, element(first / n, first % n),
                     number(got.A[first], 7));
}

/// The exponent of the lowest bit of a number that is not 0.
int lowest_bit(double x) {
  int exponent;
  const double fraction = std::frexp(x, &exponent);
  return exponent - 53 + std::countr_zero(static_cast<std::uint64_t>(std::abs(std::ldexp(fraction, 53))));
}

/// The entry of row r of PA in column i when step i begins, if every program with these factors gets this
/// very number: all products are exact, and so is their sum in any order, as all are multiples of one power
/// of two and small next to it.
std::optional<double> exact_entry(const std::vector<double>& PA, const Problem& got, std::size_t r,
                                  std::size_t i) {
  const std::size_t n = got.n;
  double sum = 0, magnitude = 0;
  int lowest = std::numeric_limits<int>::max();
  const auto add = [&](double term) {
    if (term == 0) return;
    sum += term;
    magnitude += std::abs(term);
    lowest = std::min(lowest, lowest_bit(term));
  };
  add(PA[r * n + i]);
  for (std::size_t k = 0; k < i; ++k) {
    const double factor = got.A[r * n + k], element = got.A[k * n + i], product = factor * element;
    if (std::fma(factor, element, -product) != 0) return {};
    add(-product);
  }
  if (magnitude > std::ldexp(1.0, std::min(lowest, 900) + 53)) return {};
  return sum;
}

/// The pivot of each step is the largest of its column: no factor is above 1. Of equal ones it is the first.
/// A factor of exactly 1 or -1 may also be a rounded quotient of two numbers that differ in their last bit.
/// So a row above the pivot's proves a mistake only where its entry was computed without rounding.
std::string check_pivots(const Problem& given, const Problem& got) {
  const std::size_t n = got.n;
  std::vector<double> PA;  // made when it is needed
  std::vector<std::size_t> row(
      n);  // row[k]: where the factors of the row that was in place k after step i are now
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = n; i-- > 0;) {
    const std::size_t pivot = got.pivot[i];
    for (std::size_t k = i + 1; k < n; ++k) {
      const double factor = std::abs(got.A[row[k] * n + i]);
      if (factor > 1 + 4 * eps)
        return fmt::format("{}: the factor is {}; with the largest pivot in step {} none is above 1",
                           element(row[k], i), number(got.A[row[k] * n + i], 7), i);
      const std::size_t before = k == pivot ? i : k;
      if (factor != 1 || before >= pivot) continue;
      if (PA.empty()) PA = permuted(given, got.pivot);
      const std::optional<double> entry = exact_entry(PA, got, row[k], i);
      if (entry && std::abs(*entry) == std::abs(got.A[i * n + i]))
        return fmt::format("pivot[{}] = {}: row {} has an entry of the same size and comes first", i, pivot,
                           before);
    }
    std::swap(row[i], row[pivot]);
  }
  return "";
}

/// A zero pivot leaves zeros below it, and info names the first one.
std::string check_zero_pivots(const Problem& got) {
  const std::size_t n = got.n;
  int info = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (got.A[i * n + i] != 0) continue;
    if (info == 0) info = int(i) + 1;
    for (std::size_t r = i + 1; r < n; ++r)
      if (got.A[r * n + i] != 0)
        return fmt::format("the pivot of step {} is zero, and {}: expected 0, got {}", i, element(r, i),
                           number(got.A[r * n + i], 7));
  }
  if (info == *got.info) return "";
  if (info == 0) return fmt::format("info: expected 0 (no pivot is zero), got {}", *got.info);
  return fmt::format("info: expected {0} (U[{1}][{1}] is zero), got {2}", info, info - 1, *got.info);
}

/// PA - LU, row by row: fills in residual and backward. @return the first element that is too far off; "" if
/// none.
std::string check_product(const Problem& given, const Problem& got, Comparison& result) {
  const std::size_t n = got.n;
  const std::vector<double> A = permuted(given, got.pivot);
  std::vector<double> product(n), magnitude(n);
  std::string first;
  double worst_row = 0;
  for (std::size_t r = 0; r < n; ++r) {
    std::fill(product.begin(), product.end(), 0.0);
    std::fill(magnitude.begin(), magnitude.end(), 0.0);
    for (std::size_t k = 0; k <= r; ++k) {
      const double factor = k == r ? 1 : got.A[r * n + k];
      for (std::size_t c = k; c < n; ++c) {
        product[c] += factor * got.A[k * n + c];
        magnitude[c] += std::abs(factor * got.A[k * n + c]);
      }
    }
    double row = 0;
    for (std::size_t c = 0; c < n; ++c) {
      const double off = std::abs(A[r * n + c] - product[c]);
      row += off;
      const double backward = off <= n * tiny ? 0 : off / (double(n) * eps * magnitude[c]);
      result.backward = std::max(result.backward, backward);
      if (!(backward <= backward_bound) && first.empty())
        first = fmt::format("(LU)[{0}][{1}]: expected (PA)[{0}][{1}] = {2}, got {3}", r, c,
                            number(A[r * n + c], 17), number(product[c], 17));
    }
    worst_row = std::max(worst_row, row);
  }
  const double norm = infinity_norm(given.A, n);
  result.residual = norm > 0 ? worst_row / (double(n) * norm * eps) : (worst_row > 0 ? INFINITY : 0);
  return first;
}

}  // namespace

Comparison compare(const Problem& given, const Problem& got) {
  Comparison result;
  result.wrong = check_range(got);
  if (!result.wrong.empty()) return result;
  std::string cause = check_finite(got), product;
  if (cause.empty()) product = check_product(given, got, result);
  if (cause.empty() && product.empty()) cause = check_pivots(given, got);
  if (cause.empty() && product.empty()) cause = check_zero_pivots(got);
  if (cause.empty() && product.empty() && result.residual <= residual_bound) return result;
  // It is wrong: these checks need no reference. The reference says where it begins.
  const Finding found = first_difference(given, got);
  result.happened = found.happened.empty() ? cause : found.happened;
  result.think = found.think;
  if (!found.wrong.empty()) {
    result.wrong = found.wrong;
  } else {
    result.wrong = !cause.empty() ? cause : !product.empty() ? product : "||PA - LU|| is too large";
    // Single precision rounds 2^29 = 5e8 times more coarsely than double.
    const bool single = result.backward > 1e5 && result.backward < 1e10;
    result.happened = single ? "About 8 digits are right: what single precision keeps. Double keeps 16." : "";
  }
  return result;
}

double backward_error(const Problem& given, const Problem& got) {
  Comparison result;
  check_product(given, got, result);
  return result.backward;
}

std::string compare_quickly(const Problem& given, const Problem& got, ladder::Random& random) {
  std::string wrong = check_range(got);
  if (wrong.empty()) wrong = check_finite(got);
  if (!wrong.empty()) return wrong;
  const std::size_t n = got.n;
  std::vector<double> x(n), y(n), magnitude(n), Ax(n);
  for (double& sign : x) sign = random.bits() & 1 ? 1 : -1;
  for (std::size_t r = 0; r < n; ++r)
    for (std::size_t c = 0; c < n; ++c) Ax[r] += given.A[r * n + c] * x[c];
  for (std::size_t i = 0; i < n; ++i) std::swap(Ax[i], Ax[got.pivot[i]]);
  for (std::size_t r = 0; r < n; ++r)
    for (std::size_t c = r; c < n; ++c) {
      y[r] += got.A[r * n + c] * x[c];
      magnitude[r] += std::abs(got.A[r * n + c]);
    }
  for (std::size_t r = n; r-- > 0;) {  // from below: y[k] with k < r is still Ux
    double sum = y[r], size = magnitude[r];
    for (std::size_t k = 0; k < r; ++k) {
      const double factor = got.A[r * n + k];
      if (std::abs(factor) > 1 + 4 * eps)
        return fmt::format("{}: the factor is {}; with the largest pivot none is above 1", element(r, k),
                           number(factor, 7));
      sum += factor * y[k];
      size += std::abs(factor) * magnitude[k];
    }
    if (!(std::abs(sum - Ax[r]) <= 2 * backward_bound * double(n) * eps * size + n * tiny))
      return fmt::format("row {}: PAx is {}, L(Ux) is {}", r, number(Ax[r], 7), number(sum, 7));
  }
  return check_zero_pivots(got);
}

}  // namespace lu::test
