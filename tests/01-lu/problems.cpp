#include "problems.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <string_view>

#include "amounts.hpp"

namespace lu::test {
namespace {

/// A row-major matrix being filled.
struct Matrix {
  std::size_t n;
  double* data;
  double& operator()(std::size_t r, std::size_t c) const { return data[r * n + c]; }
};

void fill_random(const Matrix& A, ladder::Random& random, double low, double high) {
  std::generate_n(A.data, A.n * A.n, [&] { return random.uniform(low, high); });
}

void scale_rows(const Matrix& A, ladder::Random& random) {
  for (std::size_t r = 0; r < A.n; ++r) {
    const double scale = std::pow(10.0, random.below(17) - 8);
    for (std::size_t c = 0; c < A.n; ++c) A(r, c) *= scale;
  }
}

/// Makes the last row a sum of the first three, but for a small part.
void nearly_dependent(const Matrix& A, ladder::Random& random) {
  for (std::size_t c = 0; c < A.n; ++c)
    A(A.n - 1, c) = A(0, c) - A(1, c) + A(2, c) + 1e-13 * random.uniform(-1, 1);
}

void zero_column(const Matrix& A, std::size_t c) {
  for (std::size_t r = 0; r < A.n; ++r) A(r, c) = 0;
}

void permute(const Matrix& A, ladder::Random& random) {
  std::vector<std::size_t> column(A.n);
  std::iota(column.begin(), column.end(), 0);
  for (std::size_t r = A.n; r-- > 1;)
    std::swap(column[r], column[static_cast<std::size_t>(random.below(int(r) + 1))]);
  for (std::size_t r = 0; r < A.n; ++r) A(r, column[r]) = 1;
}

void fill_wilkinson(const Matrix& A) {
  for (std::size_t r = 0; r < A.n; ++r)
    for (std::size_t c = 0; c < A.n; ++c) A(r, c) = c + 1 == A.n || r == c ? 1 : (c < r ? -1 : 0);
}

void fill_signs(const Matrix& A, ladder::Random& random) {
  std::generate_n(A.data, A.n * A.n, [&] { return random.bits() & 1 ? 1.0 : -1.0; });
}

}  // namespace

std::vector<Case> cases(const ladder::Step& step) {
  using enum Entries;
  std::vector<Case> all = {
      {"tails", 1},
      {"tails", 2},
      {"tails", 3},
      {"general", 4},
      {"general", 16},
      {"general", 32},
      {"general", 64},
      {"general", 100},
      {"tails", 5},
      {"tails", 7},
      {"tails", 13},
      {"tails", 31},
      {"tails", 33},
      {"tails", 61},
      {"ties", 6, identity},
      {"ties", 9, permutation},
      {"ties", 16, hadamard},
      {"ties", 24, growth},
      {"ill-scaled", 12, ill_scaled},
      {"ill-scaled", 50, ill_scaled},
      {"nearly singular", 20, nearly_singular},
      {"nearly singular", 48, nearly_singular},
      {"singular", 1, zero},
      {"singular", 2, zero_columns},
      {"singular", 8, equal},
      {"singular", 17, zero_columns},
      {"singular", 40, zero_columns},
      {"singular", 11, zero},
      {"no rows", 0},
  };
  // Rows of an even length do not begin at multiples of 16 bytes when A does not. OpenCL's buffers always do.
  if (step.data != ladder::Data::host && std::string_view(step.file).ends_with(".cu"))
    for (const int n : {64, 300}) all.push_back({"alignment", n, uniform, 1});
  // Of blocks of 96 columns four, the last one narrow: the fewest with an update that has to wait for another
  // task's panel. One that does not wait races for each element, and each race costs ThreadSanitizer a walk
  // through what the other thread did.
  if (step.track() == 'c') all.push_back({"threads", asks_of(step).block > 0 ? 300 : 384});
  if (const int searchers = asks_of(step).searchers; searchers > 0) {
    all.push_back({"general", searchers + 44});
    all.push_back({"ties", searchers + 44, signs});
  }
  // One block with a column less and more, more than two of them, and pivots that are swapped through
  // several. The first case of a class is always watched: of look-ahead that has to be one of three blocks,
  // since with two nothing is on their right. Not of other rungs: under Oclgrind it takes too long.
  const bool ahead = asks_of(step).ahead;
  if (const int block = asks_of(step).block; block > 0)
    for (const Case& c : {Case{"tails", block - 1},
                          {"tails", block},
                          {"tails", block + 1},
                          {ahead ? "several blocks" : "tails", 2 * block + 1},
                          {"ties", 256, hadamard},
                          {"ties", 3 * block, permutation},
                          {"ties", 2 * block + 44, signs},
                          {"ill-scaled", 2 * block + 7, ill_scaled},
                          {"nearly singular", 2 * block + 3, nearly_singular},
                          {"singular", 2 * block + 3, zero_columns},
                          {"singular", 2 * block + 1, equal}})
      all.push_back(c);
  if (step.data == ladder::Data::distributed)
    for (const int ranks : {1, 2, 3, 4}) {
      if (ranks == step.ranks) continue;
      // Ranks without a column, a last block that is full, or narrow, and ranks with a block more than
      // others.
      for (const int n : {1, 65, 192, 300}) all.push_back({"ranks", n, uniform, 0, ranks});
      all.push_back({"ranks", 201, zero_columns, 0, ranks});
    }
  for (Case& c : all) c.grid = asks_of(step).grid;
  return all;
}

std::string name(const Case& c) {
  static constexpr const char* kinds[] = {
      "",           " (ill-scaled)", " (nearly singular)", " (zero columns)", " (equal)",
      " (zero)",    " (identity)",   " (permutation)",     " (Hadamard)",     " (growth)",
      " (shifted)", " (signs)"};
  return "n = " + std::to_string(c.n) + kinds[static_cast<int>(c.entries)] +
         (c.offset > 0 ? " (A begins at an odd multiple of 8 bytes)" : "") +
         (c.ranks > 0 ? ", " + std::to_string(c.ranks) + " rank" + (c.ranks > 1 ? "s" : "") : "");
}

void fill(const Case& c, ladder::Random& random, double* data) {
  const Matrix A{static_cast<std::size_t>(c.n), data};
  std::fill_n(data, A.n * A.n, 0.0);
  switch (c.entries) {
    case Entries::uniform:
      return fill_random(A, random, 0, 1);
    case Entries::ill_scaled:
      fill_random(A, random, -1, 1);
      return scale_rows(A, random);
    case Entries::nearly_singular:
      fill_random(A, random, -1, 1);
      return nearly_dependent(A, random);
    case Entries::zero_columns:
      fill_random(A, random, 0, 1);
      for (const std::size_t column : {std::size_t(0), A.n / 3, A.n - 1}) zero_column(A, column);
      return;
    case Entries::equal:
      return void(std::fill_n(data, A.n * A.n, 0.25));
    case Entries::zero:
      return;
    case Entries::identity:
      for (std::size_t i = 0; i < A.n; ++i) A(i, i) = 1;
      return;
    case Entries::permutation:
      return permute(A, random);
    case Entries::hadamard:
      for (std::size_t r = 0; r < A.n; ++r)
        for (std::size_t k = 0; k < A.n; ++k) A(r, k) = std::popcount(r & k) % 2 ? -1 : 1;
      return;
    case Entries::growth:
      return fill_wilkinson(A);
    case Entries::shifted:
      for (std::size_t k = 0; k < A.n; ++k) A((k + 64) % A.n, k) = 1;
      return;
    case Entries::signs:
      return fill_signs(A, random);
  }
}

}  // namespace lu::test
