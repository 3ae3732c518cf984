#include "reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "common/base/text/numbers.hpp"
#include "pivot.hpp"

namespace lu::test {
namespace {

/// Result of the reference: Gaussian elimination as the contract describes it.
struct Reference {
  std::vector<double> A;
  std::vector<int> pivot;
  int info = 0;
};

Reference factorise(const Problem& given) {
  const std::size_t n = given.n;
  Reference r{{given.A, given.A + n * n}, std::vector<int>(n), 0};
  const Problem p{given.n, r.A.data(), r.pivot.data(), &r.info};
  for (std::size_t i = 0; i < n; ++i) {
    const double divisor = pivot(p, int(i));
    for (std::size_t k = i + 1; k < n; ++k) {
      const double factor = r.A[k * n + i] /= divisor;
      for (std::size_t j = i + 1; j < n; ++j) r.A[k * n + j] -= factor * r.A[i * n + j];
    }
  }
  return r;
}

/// Where the row that is in place k after step i is in the end: final_rows[i][k].
std::vector<std::vector<std::size_t>> final_rows(const int* pivot, std::size_t n) {
  std::vector<std::vector<std::size_t>> rows(n, std::vector<std::size_t>(n));
  if (n == 0) return rows;
  std::iota(rows[n - 1].begin(), rows[n - 1].end(), 0);
  for (std::size_t i = n - 1; i > 0; --i) {
    rows[i - 1] = rows[i];
    std::swap(rows[i - 1][i], rows[i - 1][std::size_t(pivot[i])]);
  }
  return rows;
}

/// A wrong element: where it is in the result, and what should be there.
struct Wrong {
  std::size_t row, col;
  double expected, got;
  std::size_t step() const { return std::min(row, col); }
  bool in_L() const { return row > col; }
};

/// A result next to the reference.
class Comparer {
 public:
  Comparer(const Problem& given, const Problem& got)
      : n_(std::size_t(given.n)), given_(given), got_(got), reference_(factorise(given)), scale_(n_) {
    for (std::size_t e = 0; e < n_ * n_; ++e) scale_[e % n_] = std::max(scale_[e % n_], std::abs(given.A[e]));
  }
  Finding find() const;

 private:
  double expected(std::size_t r, std::size_t c) const { return reference_.A[r * n_ + c]; }
  double got(std::size_t r, std::size_t c) const { return got_.A[r * n_ + c]; }
  /// Far beyond rounding, even of a badly conditioned matrix.
  bool differs(double a, double b, double scale) const { return !(std::abs(a - b) <= 1e-6 * scale); }
  static bool close(double a, double b) { return std::abs(a - b) <= 1e-9 * std::abs(b); }

  std::size_t count_wrong() const;
  Finding about_pivot(std::size_t i) const;
  Finding about(const Wrong& wrong) const;
  void explain_factor(const Wrong& wrong, Finding& found) const;
  void explain_row(const Wrong& wrong, Finding& found) const;

  std::size_t n_;
  const Problem& given_;
  const Problem& got_;
  Reference reference_;
  std::vector<double> scale_;  ///< of each column of A: what differences in U are measured by
};

std::size_t Comparer::count_wrong() const {
  std::size_t wrong = 0;
  for (std::size_t r = 0; r < n_; ++r)
    for (std::size_t c = 0; c < n_; ++c) wrong += differs(got(r, c), expected(r, c), r > c ? 1 : scale_[c]);
  return wrong;
}

/// In the order of the algorithm: pivot i, row i of U, column i of L. Later swaps move the factors, so those
/// are compared in the order that the rows had in step i.
Finding Comparer::find() const {
  const auto here = final_rows(got_.pivot, n_), there = final_rows(reference_.pivot.data(), n_);
  for (std::size_t i = 0; i < n_; ++i) {
    if (got_.pivot[i] != reference_.pivot[i]) return about_pivot(i);
    for (std::size_t j = i; j < n_; ++j)
      if (differs(got(i, j), expected(i, j), scale_[j])) return about({i, j, expected(i, j), got(i, j)});
    for (std::size_t k = i + 1; k < n_; ++k) {
      const Wrong factor{here[i][k], i, expected(there[i][k], i), got(here[i][k], i)};
      if (differs(factor.got, factor.expected, 1)) return about(factor);
    }
  }
  return {};
}

Finding Comparer::about_pivot(std::size_t i) const {
  Finding found;
  found.wrong = fmt::format("pivot[{}]: expected {}, got {}", i, reference_.pivot[i], got_.pivot[i]);
  if (i == 0) {
    found.think = "Which entries of column 0 were searched, and is it the largest absolute value?";
  } else {
    found.happened = fmt::format("Up to step {} pivots, U and L are right.", i - 1);
    found.think = fmt::format(
        "Column {0} must then hold what step {1} left of it. Which rows and columns had step {1} to "
        "change, and which did it?",
        i, i - 1);
  }
  return found;
}

Finding Comparer::about(const Wrong& wrong) const {
  Finding found;
  found.wrong = fmt::format("{} of {} wrong, first {} ({}, step {}): {}", count_wrong(), n_ * n_,
                            element(wrong.row, wrong.col), wrong.in_L() ? "L" : "U", wrong.step(),
                            ladder::difference(wrong.expected, wrong.got));
  wrong.in_L() ? explain_factor(wrong, found) : explain_row(wrong, found);
  return found;
}

void Comparer::explain_factor(const Wrong& wrong, Finding& found) const {
  found.think = fmt::format(
      "The factor of a row is its entry in column {} over the pivot. Which entry was divided, by "
      "what, and where was it put?",
      wrong.col);
  if (wrong.expected != 0 && close(wrong.got, wrong.expected * expected(wrong.col, wrong.col))) {
    found.happened = "What is there is the element before the division by the pivot.";
    return;
  }
  for (std::size_t k = wrong.col + 1; k < n_; ++k) {
    if (k == wrong.row || wrong.got == 0 || !close(wrong.got, expected(k, wrong.col))) continue;
    found.happened = fmt::format("The factor that is in row {} belongs in row {}.", wrong.row, k);
    found.think =
        "When a later step swaps two rows, what else has to be swapped besides what is left of them?";
    return;
  }
}

void Comparer::explain_row(const Wrong& wrong, Finding& found) const {
  const std::size_t r = wrong.row, c = wrong.col;
  if (reference_.pivot[r] != int(r) && r == 0 && wrong.got == given_.A[c]) {
    found.happened = fmt::format(
        "What is there is A's own element. pivot[0] says that row {} was swapped up, over its "
        "whole width.",
        reference_.pivot[0]);
    return;
  }
  if (r == 0) {
    found.think = "Row 0 of U is the pivot's row as it was. What else can have been written there?";
    return;
  }
  found.happened = r == 1 ? "Step 0 changes this element, once, and no other step does."
                          : fmt::format("Each of the steps 0 to {} changes this element, once.", r - 1);
  found.think = "Which of them missed it or changed it twice, or who writes there after them?";
  double value = expected(r, c);  // take the steps back, the last one first
  for (std::size_t steps = r; steps-- > 0;) {
    value += expected(r, steps) * expected(steps, c);
    if (expected(r, steps) == 0 || !close(wrong.got, value)) continue;
    found.happened =
        steps == 0
            ? "What is there is the element of A: no step has changed it."
            : fmt::format("What is there is right up to step {}; what came after is missing.", steps - 1);
    found.think = fmt::format("Is row {} or column {} at an end of a range?", r, c);
  }
}

}  // namespace

std::string element(std::size_t r, std::size_t c) {
  return fmt::format("A[{}][{}]", r, c);
}

Finding first_difference(const Problem& given, const Problem& got) {
  return Comparer(given, got).find();
}

}  // namespace lu::test
