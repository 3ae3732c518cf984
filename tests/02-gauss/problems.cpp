#include "problems.hpp"

#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <utility>

namespace gauss::test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// A of a problem, to be written.
struct Matrix {
  const Problem& problem;
  int n = problem.n;
  double& operator()(int i, int j) const { return problem.A[std::size_t(i) * problem.lda + j]; }
};

void fill_uniform(const Matrix& A, ladder::Random& random) {
  for (int i = 0; i < A.n; ++i)
    for (int j = 0; j < A.n; ++j) A(i, j) = random.uniform(-1, 1);
}

/// The diagonal becomes 1.25 times the sum of the absolute values next to it, of either sign.
void make_dominant(const Matrix& A, ladder::Random& random) {
  for (int i = 0; i < A.n; ++i) {
    double sum = 0;
    for (int j = 0; j < A.n; ++j) sum += j == i ? 0 : std::abs(A(i, j));
    A(i, i) = (sum > 0 ? 1.25 * sum : 1.25) * (random.uniform() < 0.5 ? -1 : 1);
  }
}

/// The second difference in one dimension, (2, -1), plus a random symmetric rank 1 matrix v v'.
void fill_symmetric(const Matrix& A, ladder::Random& random) {
  std::vector<double> v(A.n);
  for (double& value : v) value = random.uniform(-1, 1);
  for (int i = 0; i < A.n; ++i)
    for (int j = 0; j < A.n; ++j) A(i, j) = v[i] * v[j] + (i == j ? 2 : std::abs(i - j) == 1 ? -1 : 0);
}

void scale_rows_by_two(const Matrix& A, ladder::Random& random) {
  for (int i = 0; i < A.n; ++i) {
    const double scale = std::ldexp(1, random.below(55) - 27);
    for (int j = 0; j < A.n; ++j) A(i, j) *= scale;
  }
}

void scale_rows_by_ten(const Matrix& A, ladder::Random& random) {
  for (int i = 0; i < A.n; ++i) {
    const double scale = std::pow(10.0, random.below(17) - 8);
    for (int j = 0; j < A.n; ++j) A(i, j) *= scale;
  }
}

void permute(const Matrix& A, ladder::Random& random) {
  std::vector<int> column(A.n);
  std::iota(column.begin(), column.end(), 0);
  for (int i = A.n; i-- > 1;) std::swap(column[i], column[random.below(i + 1)]);
  for (int i = 0; i < A.n; ++i)
    for (int j = 0; j < A.n; ++j) A(i, j) = j == column[i] ? 3 : 0;
}

void make_nearly_dependent(const Matrix& A, ladder::Random& random) {
  for (int j = 0; j < A.n; ++j) A(A.n - 1, j) = A(0, j) - A(1, j) + A(2, j) + 1e-13 * random.uniform(-1, 1);
}

void fill_wilkinson(const Matrix& A) {
  for (int i = 0; i < A.n; ++i)
    for (int j = 0; j < A.n; ++j) A(i, j) = j + 1 == A.n || i == j ? 1 : (j < i ? -1 : 0);
}

void fill_matrix(Entries entries, const Matrix& A, ladder::Random& random) {
  if (entries == Entries::symmetric) return fill_symmetric(A, random);
  fill_uniform(A, random);
  const auto fill_with = [&](double value) {
    for (int i = 0; i < A.n; ++i)
      for (int j = 0; j < A.n; ++j) A(i, j) = value;
  };
  switch (entries) {
    case Entries::dominant:
      return make_dominant(A, random);
    case Entries::scaled_rows:
      make_dominant(A, random);
      return scale_rows_by_two(A, random);
    case Entries::ill_scaled:
      return scale_rows_by_ten(A, random);
    case Entries::zero_leading:
      return void(A(0, 0) = 0);
    case Entries::small_leading:
      return void(A(0, 0) = 1e-20);
    case Entries::permutation:
      return permute(A, random);
    case Entries::nearly_singular:
      return make_nearly_dependent(A, random);
    case Entries::growth:
      return fill_wilkinson(A);
    case Entries::repeated_row:
      A(0, 0) = 49;  // the first pivot: 49 times 1 / 49 is not 1, when both are rounded
      for (int j = 0; j < A.n; ++j) A(A.n - 1, j) = A(0, j);
      return;
    case Entries::zero_column:
      for (int i = 0; i < A.n; ++i) A(i, A.n / 3) = 0;
      return;
    case Entries::equal:
      return fill_with(0.25);
    case Entries::zero:
      return fill_with(0);
    default:
      return;
  }
}

/// Matrices that every step can solve.
void add_common(std::vector<Case>& all) {
  using enum Entries;
  for (const int n : {4, 16, 32, 64, 100}) all.push_back({"general", n});
  for (const int n : {1, 2, 3, 5, 7, 13, 31, 33, 61, 65, 97, 129}) all.push_back({"tails", n});
  for (const auto& [n, pad] : {std::pair{32, 8}, {40, 3}, {33, 1}, {1, 4}})
    all.push_back({"leading dimensions", n, dominant, pad});
  for (const int n : {9, 48}) all.push_back({"symmetric", n, symmetric});
  for (const int n : {12, 50}) all.push_back({"scaled rows", n, scaled_rows});
  all.push_back({"no rows", 0});
  all.push_back({"no rows", 0, dominant, 3});
}

/// Matrices that need pivoting.
void add_pivoting(std::vector<Case>& all) {
  using enum Entries;
  for (const int n : {2, 3, 16, 64, 101}) all.push_back({"random", n, uniform});
  all.push_back({"random", 40, uniform, 5});
  for (const int n : {2, 17, 48}) all.push_back({"zero pivots", n, zero_leading});
  for (const int n : {2, 9, 33}) all.push_back({"zero pivots", n, permutation});
  for (const int n : {2, 40}) all.push_back({"small pivots", n, small_leading});
  for (const int n : {12, 50}) all.push_back({"ill-scaled", n, ill_scaled});
  for (const int n : {20, 48}) all.push_back({"nearly singular", n, nearly_singular});
  for (const int n : {16, 40}) all.push_back({"growth", n, growth});
  all.push_back({"singular", 1, zero});
  all.push_back({"singular", 2, zero_column});
  for (const int n : {37, 40}) all.push_back({"singular", n, zero_column});  // an even and an odd pivot
  all.push_back({"singular", 8, equal});
  for (const int n : {11, 64}) all.push_back({"singular", n, zero});
  for (const int n : {2, 3, 4, 6, 16, 37}) all.push_back({"singular", n, repeated_row});
}

/// One warp; threads that are no power of two; more blocks than rows; more threads than columns.
void add_imposed(std::vector<Case>& all, Entries entries) {
  for (const auto& [blocks, threads] : {std::pair{1, 32}, {2, 96}, {5, 224}, {22, 128}, {200, 64}})
    all.push_back({"imposed grids", 70, entries, 0, blocks, threads});
}

}  // namespace

std::vector<Case> cases(bool pivoting, bool imposed, bool resident) {
  std::vector<Case> all;
  add_common(all);
  if (resident)
    for (const int n : {64, 98}) all.push_back({.group = "alignment", .n = n, .offset = 1});
  if (pivoting) add_pivoting(all);
  if (imposed) add_imposed(all, pivoting ? Entries::uniform : Entries::dominant);
  return all;
}

Problem shape(const Case& c) {
  return {.n = c.n, .lda = c.n + c.pad, .blocks = c.blocks, .threads = c.threads};
}

void fill(const Case& c, ladder::Random& random, const Problem& p) {
  for (int i = 0; i < p.n; ++i) {
    for (int j = p.n; j < p.lda; ++j) p.A[std::size_t(i) * p.lda + j] = nan;
    p.b[i] = random.uniform(-1, 1);
  }
  fill_matrix(c.entries, Matrix{p}, random);
}

std::string name(const Case& c) {
  static constexpr const char* kinds[] = {"",
                                          " (symmetric)",
                                          " (scaled rows)",
                                          " (random)",
                                          " (ill-scaled)",
                                          " (A[0][0] = 0)",
                                          " (A[0][0] = 1e-20)",
                                          " (permutation)",
                                          " (nearly singular)",
                                          " (growth)",
                                          " (repeated row)",
                                          " (zero column)",
                                          " (equal)",
                                          " (zero)"};
  std::string text = "n = " + std::to_string(c.n);
  if (c.pad) text += ", lda = " + std::to_string(c.n + c.pad);
  if (c.offset > 0) text += " (arrays begin at odd multiples of 8 bytes)";
  if (c.blocks)
    text += ", " + std::to_string(c.blocks) + " blocks of " + std::to_string(c.threads) + " threads";
  return text + kinds[static_cast<int>(c.entries)];
}

bool singular(Entries entries) {
  return entries >= Entries::zero_column;
}

}  // namespace gauss::test
