#include "problems.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/base/text/numbers.hpp"
#include "reference.hpp"

namespace npb_cg::test {
namespace {

/// Of matrices that are no class's: minus what is added to the diagonal. The largest eigenvalue, which lies
/// apart from the others, grows with the square of nonzer. Once CG has found its eigenvector, rounding brings
/// it back, and changes the course of the iteration. With a condition number of about 5 that comes to less
/// than a tenth of what verify.cpp allows (measured, 16 to 20,000 rows), and with nonzer of 4 or 5 the result
/// still shows each of the 25 iterations.
double own_shift(int nonzer) {
  return -std::max(1.0, nonzer * nonzer / 25.0);
}

/// A problem whose matrix is that of a case; x is not set.
Problem problem_of(const Matrix& A) {
  return {.n = A.rows(),
          .nnz = A.row_start.back(),
          .row_start = A.row_start.data(),
          .columns = A.columns.data(),
          .values = A.values.data()};
}

}  // namespace

std::vector<Case> cases(bool on_processor, bool on_device) {
  std::vector<Case> all = {{"general", 64}, {"general", 256, 5}, {"general", 700, 4}, sized(200)};
  // The smallest, primes, one past a warp, one past a block, one past the rows of a block of warps.
  all.push_back({"tails", 1, 1});
  all.push_back({"tails", 2, 1});
  for (const int n : {5, 31, 33, 257, 521}) all.push_back({"tails", n});
  all.push_back({"empty rows", 300, 4, Pattern::empty_rows});
  all.push_back({"long rows", 67, 0, Pattern::dense});
  all.push_back({"long rows", 300, 0, Pattern::arrow});
  all.push_back({"diagonal", 100, 0, Pattern::diagonal});
  all.push_back({"diagonal", 65, 0, Pattern::constant});
  for (const OfficialClass& official : official_classes)
    if (official.size <= (on_device ? 75'000 : on_processor ? 7000 : 1400))
      all.push_back({"classes", official.size, official.nonzer, Pattern::random, 1});
  const OfficialClass& S = official_classes[0];
  all.push_back({"classes", S.size, S.nonzer, Pattern::random, S.iterations});
  return all;
}

std::vector<Case> cases_of_ranks() {
  std::vector<Case> all;
  for (const int ranks : {1, 4}) {
    all.push_back({"ranks", 2, 1});
    for (const int n : {5, 33, 64}) all.push_back({"ranks", n});
    all.push_back({"ranks", 300, 4, Pattern::empty_rows});
    all.push_back({"ranks", 67, 0, Pattern::arrow});
    for (Case& one : all)
      if (one.ranks == 0) one.ranks = ranks;
  }
  return all;
}

const OfficialClass* class_of(int n) {
  for (const OfficialClass& official : official_classes)
    if (official.size == n) return &official;
  return nullptr;
}

int nonzer_of(int n) {
  for (const OfficialClass& official : official_classes)
    if (n <= official.size) return std::min({official.nonzer, std::max(1, n / 2)});
  return std::end(official_classes)[-1].nonzer;
}

Case sized(int n) {
  n = std::max(n, 1);
  return {"general", n, nonzer_of(n), Pattern::random, class_of(n) != nullptr ? 1 : 0};
}

std::shared_ptr<const Matrix> matrix_of(const Case& c) {
  static Case last{"", 0};
  static std::shared_ptr<const Matrix> matrix;
  if (last.n != c.n || last.nonzer != c.nonzer || last.pattern != c.pattern ||
      !last.iteration != !c.iteration) {
    const double shift = c.iteration > 0 ? class_of(c.n)->shift : own_shift(c.nonzer);
    matrix = std::make_shared<const Matrix>(make_matrix(c.pattern, c.n, c.nonzer, shift));
    last = c;
  }
  return matrix;
}

Problem shape(const Case& c) {
  return {.n = c.n, .nnz = matrix_of(c)->row_start.back()};
}

std::string name(const Case& c) {
  const char* const words[] = {"",
                               ", empty rows",
                               ", a diagonal",
                               ", the same diagonal element everywhere",
                               ", one row and one column full",
                               ", every entry"};
  return fmt::format("{} row{}{}{}{}", ladder::grouped(double(c.n)), c.n == 1 ? "" : "s",
                     words[int(c.pattern)],
                     c.iteration > 0 ? fmt::format(", NPB's iteration {}", c.iteration) : "",
                     c.ranks > 0 ? fmt::format(", {} rank{}", c.ranks, c.ranks == 1 ? "" : "s") : "");
}

void fill(const Case& c, ladder::Random& random, const Problem& p) {
  const std::shared_ptr<const Matrix> A = matrix_of(c);
  // A power of two changes every entry and no rounding. The sign is that of a definite matrix either way.
  const double factor = c.iteration > 0 ? 1 : std::ldexp(random.below(2) ? 1 : -1, int(random.below(5)) - 2);
  std::copy(A->row_start.begin(), A->row_start.end(), const_cast<int*>(p.row_start));
  std::copy(A->columns.begin(), A->columns.end(), const_cast<int*>(p.columns));
  std::transform(A->values.begin(), A->values.end(), const_cast<double*>(p.values),
                 [factor](double value) { return factor * value; });
  double* x = const_cast<double*>(p.x);
  if (c.iteration > 0) {
    const std::vector<double> official = official_x(problem_of(*A), c.iteration);
    std::copy(official.begin(), official.end(), x);
  } else {
    for (int i = 0; i < p.n; ++i) x[i] = A->row_start[i] == A->row_start[i + 1] ? 0 : random.uniform(-1, 1);
  }
}

}  // namespace npb_cg::test
