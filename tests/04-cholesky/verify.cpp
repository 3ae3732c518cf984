#include "verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "common/base/text/numbers.hpp"
#include "reference.hpp"
#include "tiles.hpp"

namespace cholesky::test {
namespace {

std::string check_info(const Case& c, const Problem& got) {
  const int expected = bad_row(c) + 1;
  if (*got.info == expected) return "";
  const auto text = [&](int info) {
    return info == 0 ? std::string("0 (every pivot is positive)")
                     : fmt::format("{} (the pivot of row {} is not positive)", info, info - 1);
  };
  return fmt::format("info: expected {}, got {}", text(expected), text(*got.info));
}

/// A tile of the lower triangle as a full matrix: what is above the diagonal of a diagonal tile is 0.
std::vector<double> lower(const double* tile, int s, bool diagonal) {
  std::vector<double> full(tile, tile + std::size_t(s) * s);
  if (diagonal)
    for (int c = 0; c < s; ++c) std::fill_n(full.begin() + std::size_t(c) * s, c, 0.0);
  return full;
}

/// A B^T
std::vector<double> product(const std::vector<double>& A, const std::vector<double>& B, int s) {
  std::vector<double> C(A.size(), 0.0);
  for (int k = 0; k < s; ++k)
    for (int c = 0; c < s; ++c)
      for (int r = 0; r < s; ++r) C[c * s + r] += A[k * s + r] * B[k * s + c];
  return C;
}

/// A first wrong tile, and what may have made it so. All tiles of earlier columns are right.
class Suspect {
 public:
  Suspect(const Problem& given, const Problem& got, const Problem& reference, int t, int k)
      : given_(given), got_(got), right_(reference), t_(t), k_(k), s_(given.s), row_(given.tile_row[t]) {}

  /// @return a sentence; empty when none fits.
  std::string cause() const {
    if (unchanged()) return "It is as it was before the call.";
    if (has_nan())
      return "It has NaN in it. So has what is above the diagonal of a diagonal tile: nothing reads that.";
    const bool diagonal = row_ == k_;
    const auto is = lower(tile(got_, t_), s_, diagonal);
    const auto L11 = lower(tile(right_, given_.column_start[k_]), s_, true);
    const auto should = product(lower(tile(right_, t_), s_, diagonal), L11, s_);  // before (4) or (5)
    if (near(is, should, diagonal))
      return diagonal ? "All updates are in it; it was not factorised."
                      : "All updates are in it; it was not solved with L11.";
    const auto was = product(is, diagonal ? is : L11, s_);
    for (int j = 0; j < k_; ++j) {
      const int a = find(given_, row_, j), b = find(given_, k_, j);
      if (a < 0 || b < 0) continue;
      const auto P = product(lower(tile(right_, a), s_, false), lower(tile(right_, b), s_, false), s_);
      if (near(was, sum(should, P, 1), diagonal))
        return fmt::format("It is as if the update by tile column {} were left out, or came too late.", j);
      if (near(was, sum(should, P, -1), diagonal))
        return fmt::format("It is as if the update by tile column {} were made twice.", j);
      if (near(was, sum(should, P, 2), diagonal))
        return fmt::format("It is as if the update by tile column {} were added, not subtracted.", j);
    }
    return "";
  }

  /// Where the right values are. @return a sentence; empty when they are nowhere.
  std::string place() const {
    const bool diagonal = row_ == k_;
    const auto is = lower(tile(got_, t_), s_, diagonal);
    if (!diagonal && near(transpose(is), lower(tile(right_, t_), s_, false), false))
      return "It holds the transpose of what is right.";
    for (int k = 0; k < given_.tile_columns; ++k)
      for (int t = given_.column_start[k]; t < given_.column_start[k + 1]; ++t) {
        const auto other = lower(tile(right_, t), s_, diagonal);
        const bool empty = std::all_of(other.begin(), other.end(), [](double value) { return value == 0; });
        if (t != t_ && !empty && near(is, other, diagonal))
          return fmt::format("It holds what belongs to tile ({}, {}).", given_.tile_row[t], k);
      }
    return "";
  }

  /// A question that leads to the cause.
  std::string question() const {
    if (unchanged())
      return fmt::format("Which copy or call is the last to write tile ({}, {}), and what does it write?",
                         row_, k_);
    if (const std::string text = place(); text.ends_with("right."))
      return fmt::format(
          "Which call writes tile ({}, {}), and which of its arguments exchange rows and columns?", row_, k_);
    else if (!text.empty())
      return fmt::format("Which call writes tile ({}, {}), and which index says whose values these are?",
                         row_, k_);
    if (row_ == k_)
      return fmt::format(
          "Which updates must be in diagonal tile {} before it is factorised, and what makes "
          "the factorisation wait for them?",
          k_);
    if (has_nan())
      return fmt::format(
          "Which call reads diagonal tile {} for tile ({}, {}), and which of its arguments say "
          "which triangle it reads?",
          k_, row_, k_);
    return fmt::format("Which calls change tile ({}, {}), and which must be finished before each of them?",
                       row_, k_);
  }

 private:
  bool unchanged() const {
    return lower(tile(given_, t_), s_, row_ == k_) == lower(tile(got_, t_), s_, row_ == k_);
  }
  bool has_nan() const {
    const auto is = lower(tile(got_, t_), s_, row_ == k_);
    return std::any_of(is.begin(), is.end(), [](double value) { return std::isnan(value); });
  }
  std::vector<double> transpose(const std::vector<double>& A) const {
    std::vector<double> B(A.size());
    for (int c = 0; c < s_; ++c)
      for (int r = 0; r < s_; ++r) B[r * s_ + c] = A[c * s_ + r];
    return B;
  }
  static std::vector<double> sum(std::vector<double> A, const std::vector<double>& B, double factor) {
    for (std::size_t e = 0; e < A.size(); ++e) A[e] += factor * B[e];
    return A;
  }
  bool near(const std::vector<double>& A, const std::vector<double>& B, bool diagonal) const {
    double size = 0, difference = 0;
    for (int c = 0; c < s_; ++c)
      for (int r = diagonal ? c : 0; r < s_; ++r) {
        const double d = std::abs(A[c * s_ + r] - B[c * s_ + r]);
        if (!(d < 1e300)) return false;
        size = std::max(size, std::abs(B[c * s_ + r])), difference = std::max(difference, d);
      }
    return difference <= 1e-9 * size;
  }

  const Problem &given_, &got_, &right_;
  int t_, k_, s_, row_;
};

/// The tiles of L as they must be.
std::vector<double> factor_of(const Problem& given) {
  std::vector<double> content(given.L, given.L + std::size_t(given.tiles) * given.s * given.s);
  Problem reference = given;
  reference.L = content.data();
  factorise(reference);
  return content;
}

/// Whether element (r, c) of a tile is right, where it counts.
class Rightness {
 public:
  Rightness(const Problem& given, const Problem& got, const Problem& reference)
      : got_(got), reference_(reference), s_(given.s), scale_(given.n) {
    // A row of L is as long as the root of A's diagonal element: that is what rounding is relative to.
    for (int k = 0; k < given.tile_columns; ++k)
      for (int c = 0; c < s_; ++c)
        scale_[k * s_ + c] = std::sqrt(tile(given, given.column_start[k])[std::size_t(c) * s_ + c]);
  }
  /// @param t  a tile of row i  @param at  an element of it
  bool operator()(int t, int i, int at) const {
    return std::abs(tile(got_, t)[at] - tile(reference_, t)[at]) <= 1e-8 * scale_[i * s_ + at % s_];
  }

 private:
  const Problem &got_, &reference_;
  int s_;
  std::vector<double> scale_;
};

/// Whether the first eighth of L came back and nothing else: a number of elements taken for a number of
/// bytes. (Diagonal tiles may have been factorised on the host, where nothing comes back; of the one that the
/// eighth ends in, a part may not.)
bool only_an_eighth(const Problem& given, const Problem& got, const Rightness& right) {
  const int elements = given.s * given.s, eighth = given.tiles * elements / 8;
  if (given.tiles * elements % 8 != 0) return false;
  bool came_back = false;
  for (int k = 0; k < given.tile_columns; ++k)
    for (int t = given.column_start[k]; t < given.column_start[k + 1]; ++t)
      for (int at = 0; at < elements; ++at) {
        const int i = given.tile_row[t];
        if (i == k && at % given.s < at / given.s) continue;
        const bool copied = i != k || t == eighth / elements, first = t * elements + at < eighth;
        const bool as_before = tile(got, t)[at] == tile(given, t)[at], is_right = right(t, i, at);
        if (!is_right && (first || !as_before)) return false;
        if (is_right && !as_before && copied && !first) return false;
        came_back = came_back || (is_right && !as_before && copied);
      }
  return came_back;
}

/// @return what is wrong with L; adds details.
std::string check_factor(const Problem& given, const Problem& got,
                         std::vector<std::pair<std::string, std::string>>& details) {
  const int s = given.s;
  std::vector<double> content = factor_of(given);
  Problem reference = given;
  reference.L = content.data();
  const Rightness right(given, got, reference);
  int wrong_tiles = 0;
  std::string first;
  for (int k = 0; k < given.tile_columns; ++k)
    for (int t = given.column_start[k]; t < given.column_start[k + 1]; ++t) {
      const int i = given.tile_row[t];
      const double *is = tile(got, t), *should = tile(reference, t);
      int wrong = 0, at = 0;
      for (int c = s; c-- > 0;)
        for (int r = s; r-- > (i == k ? c : 0);)
          if (!right(t, i, c * s + r)) ++wrong, at = c * s + r;
      wrong_tiles += wrong > 0;
      if (wrong == 0 || !first.empty()) continue;
      const int r = at % s, c = at / s;
      first = fmt::format("tile ({}, {}), {} of {} elements, first L[{}][{}]: {}", i, k, wrong,
                          i == k ? s * (s + 1) / 2 : s * s, i * s + r, k * s + c,
                          ladder::difference(should[at], is[at]));
      if (only_an_eighth(given, got, right)) {
        details.emplace_back(
            "Where it is",
            fmt::format("The first 1/8 of L is right, {} of {} elements, and what is wrong behind it "
                        "is as it was before the call. An element has 8 bytes.",
                        ladder::grouped(double(given.tiles) * s * s / 8),
                        ladder::grouped(double(given.tiles) * s * s)));
        details.emplace_back("Think", "cudaMemcpy counts in bytes. Which call gets elements?");
        continue;
      }
      const Suspect suspect(given, got, reference, t, k);
      if (const std::string place = suspect.place(); !place.empty())
        details.emplace_back("Where it is", fmt::format("Tile ({}, {}). {}", i, k, place));
      else if (const std::string cause = suspect.cause(); !cause.empty())
        details.emplace_back("What happened", fmt::format("Tile ({}, {}). {}", i, k, cause));
      details.emplace_back("Think", suspect.question());
    }
  if (first.empty()) return "";
  return fmt::format("{} of {} tiles of L wrong, first {}", wrong_tiles, given.tiles, first);
}

/// The error of x, in A's original order: that of the system whose rows and columns are scaled so that A has
/// ones on its diagonal. Cholesky's rounding does not depend on such a scale (Demmel 1989); without it the
/// rows of a large scale would hide any error in the others.
std::string check_solution(const Structure& structure, const Symmetric& A, const Problem& given,
                           const Problem& got, double& error) {
  for (int i = 0; i < A.n; ++i)
    if (const int at = structure.place[i]; !std::isfinite(got.x[at]))
      return fmt::format("x not finite, first x[{}]: got {}", at, ladder::number(got.x[at], 7));
  std::vector<double> r(A.n), row_sum(A.n, 0.0), scale(A.n);
  double x_norm = 0, b_norm = 0;
  for (int i = 0; i < A.n; ++i) {
    scale[i] = std::sqrt(A.value[A.start[i]]);
    r[i] = given.b[structure.place[i]];
    b_norm = std::max(b_norm, std::abs(r[i]) / scale[i]);
    x_norm = std::max(x_norm, std::abs(got.x[structure.place[i]]) * scale[i]);
  }
  for (int j = 0; j < A.n; ++j)
    for (std::int64_t e = A.start[j]; e < A.start[j + 1]; ++e) {
      const int i = A.row[e];
      const double size = std::abs(A.value[e]) / (scale[i] * scale[j]);
      r[i] -= A.value[e] * got.x[structure.place[j]];
      row_sum[i] += size;
      if (i == j) continue;
      r[j] -= A.value[e] * got.x[structure.place[i]];
      row_sum[j] += size;
    }
  double r_norm = 0, a_norm = 0;
  for (int i = 0; i < A.n; ++i)
    r_norm = std::max(r_norm, std::abs(r[i]) / scale[i]), a_norm = std::max(a_norm, row_sum[i]);
  error = r_norm / (a_norm * x_norm + b_norm);
  if (error <= largest_error) return "";
  return fmt::format(
      "||Ax - b|| / (||A|| ||x|| + ||b||) is {}, at most {:g}, of the system with A's diagonal scaled to 1",
      ladder::number(error, 3), largest_error);
}

/// The result with L where it was left.
Problem with_factor(const Problem& result) {
  Problem other = result;
  if (result.L_stays) other.L = result.dL;
  return other;
}

Comparison compare_with(const Case& c, const Problem& given, const Problem& got, bool factor) {
  Comparison result;
  result.wrong = check_info(c, got);
  if (!result.wrong.empty() || bad_row(c) >= 0) return result;
  // The factor of a matrix of any condition may differ from ours and be as good.
  if (const std::string residual = factor && !c.file.empty() ? check_residual(given, got) : "";
      !residual.empty()) {
    result.wrong = check_factor(given, got, result.details);
    if (result.wrong.empty()) result.wrong = residual;
  } else if (factor && c.file.empty()) {
    result.wrong = check_factor(given, got, result.details);
  }
  if (!result.wrong.empty()) return result;
  const auto prepared = prepare(c);
  const Symmetric A = matrix_in_tiles(prepared->structure, prepared->A, given);
  result.wrong = check_solution(prepared->structure, A, given, got, result.error);
  if (!result.wrong.empty() && factor) result.details.emplace_back("What happened", "L is right. x is not.");
  return result;
}

}  // namespace

Comparison compare(const Case& c, const Problem& given, const Problem& got) {
  return compare_with(c, given, with_factor(got), true);
}

std::optional<ladder::Compared> compared(const Case& c, const Problem& given, const Problem& got) {
  if (*got.info != 0 || bad_row(c) >= 0 || !c.file.empty()) return {};
  std::vector<std::pair<std::string, std::string>> ignored;
  if (!check_factor(given, with_factor(got), ignored).empty()) return {};
  std::vector<double> L = factor_of(given), expected(given.n);
  Problem reference = given;
  reference.L = L.data(), reference.x = expected.data();
  solve(reference);
  double largest = 0;
  for (const double value : expected) largest = std::max(largest, std::abs(value));
  ladder::Compared x{.array = "x"};
  for (int i = 0; i < given.n; ++i) x.add(expected[i], got.x[i], 1e-6 * largest);
  return x;
}

Comparison compare_solution(const Structure& structure, const Symmetric& A, const Problem& given,
                            const Problem& got) {
  Comparison result;
  if (*got.info != 0) result.wrong = fmt::format("info: expected 0, got {}", *got.info);
  if (result.wrong.empty()) result.wrong = check_solution(structure, A, given, got, result.error);
  return result;
}

Comparison compare_quickly(const Case& c, const Problem& given, const Problem& got) {
  return compare_with(c, given, got, false);
}

}  // namespace cholesky::test
