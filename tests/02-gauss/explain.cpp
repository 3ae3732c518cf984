#include "explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <string_view>

#include "common/base/text/numbers.hpp"
#include "reference.hpp"

namespace gauss::test {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

/// A result next to what elimination leaves. Differences count far beyond rounding, so that no order of
/// operations is called wrong.
class Comparer {
 public:
  Comparer(const Problem& given, const Problem& got, bool pivoting)
      : given_(given), got_(got), pivoting_(pivoting), expected_(eliminate(given, pivoting)) {}

  std::vector<Detail> explain();

 private:
  std::size_t n() const { return std::size_t(given_.n); }
  double got(std::size_t i, std::size_t j) const { return got_.A[i * got_.lda + j]; }
  double before(std::size_t i, std::size_t j) const { return given_.A[i * given_.lda + j]; }
  double expected(std::size_t i, std::size_t j) const { return expected_.A[i * n() + j]; }
  static bool near(double a, double b, double scale) { return std::abs(a - b) <= 1e-6 * scale; }
  /// Largest element of a row before and after the elimination: what differences in it are measured by.
  double scale(std::size_t i) const {
    double largest = 0;
    for (std::size_t j = 0; j < n(); ++j)
      largest = std::max({largest, std::abs(before(i, j)), j < i ? 0 : std::abs(expected(i, j))});
    return largest;
  }

  bool untouched() const;
  bool is_elimination(const Elimination& e) const;
  void say(std::string text) { out_.emplace_back("What happened", std::move(text)); }
  void think(std::string text) { out_.emplace_back("Think", std::move(text)); }
  bool explain_unwritten();
  bool explain_upper();
  void explain_element(std::size_t i, std::size_t j);
  bool explain_right_side();
  void explain_substitution();
  void explain_first_unknown(std::size_t i);

  const Problem& given_;
  const Problem& got_;
  bool pivoting_;
  Elimination expected_;
  std::vector<Detail> out_;
};

/// A as it was: solved in a copy, or not at all.
bool Comparer::untouched() const {
  for (std::size_t i = 0; i < n(); ++i)
    if (std::memcmp(got_.A + i * got_.lda, given_.A + i * given_.lda, n() * sizeof(double)) != 0)
      return false;
  return true;
}

/// U on and above the diagonal of A is that of @p e.
bool Comparer::is_elimination(const Elimination& e) const {
  for (std::size_t i = 0; i < n(); ++i)
    for (std::size_t j = i; j < n(); ++j)
      if (!near(got(i, j), e.A[i * n() + j], std::max(scale(i), std::abs(e.A[i * n() + j])))) return false;
  return true;
}

/// x was full of NaN with all bits set.
bool Comparer::explain_unwritten() {
  const double poison = [] {
    double value;
    std::memset(&value, 0xFF, sizeof value);
    return value;
  }();
  std::size_t count = 0, first = n();
  for (std::size_t i = n(); i-- > 0;)
    if (std::memcmp(got_.x + i, &poison, sizeof poison) == 0) ++count, first = i;
  if (count == 0) return false;
  say(fmt::format("x is full of NaN before the call, and {} of its {} elements still are, the first x[{}].",
                  count, n(), first));
  think("Who writes that element of x, and from what?");
  return count == n();
}

/// U, row by row: the first element that is off says which pivots missed it. @return whether there is one.
bool Comparer::explain_upper() {
  for (std::size_t i = 0; i < n(); ++i)
    for (std::size_t j = i; j < n(); ++j) {
      if (near(got(i, j), expected(i, j), scale(i))) continue;
      if (pivoting_ && is_elimination(eliminate(given_, false))) {
        say("A holds what elimination without pivoting leaves: no two rows were swapped.");
        think("Which entry of column i divides, and where does its row stand then?");
      } else {
        explain_element(i, j);
      }
      return true;
    }
  return false;
}

void Comparer::explain_element(std::size_t i, std::size_t j) {
  std::string text =
      fmt::format("In A as the rung left it, A[{}][{}] is the first wrong element of the upper triangle: {}.",
                  i, j, ladder::difference(expected(i, j), got(i, j)));
  if (i > 0) text += fmt::format(" Pivots 0 to {} each change it once.", i - 1);
  if (j > i && j % 32 == 0) text += fmt::format(" Columns {} to {} of that row are right.", i, j - 1);
  say(text);
  if (pivoting_ || i == 0) {
    think(i == 0 ? "Row 0 is the first pivot's row. Which rows does that pivot change?"
                 : "Which row is the pivot's, and is everything in it moved with it, b as well?");
    return;
  }
  // Take the pivots back, the last one first: what pivot s would have left there. A ratio that is lost is
  // computed again.
  Problem part = given_;
  std::vector<double> A(given_.A, given_.A + n() * given_.lda);
  part.A = A.data();
  double value = before(i, j);
  for (std::size_t s = 0; s < i; ++s) {
    if (near(got(i, j), value, scale(i))) {
      out_.back().second +=
          s == 0 ? " It is as it was before the call: no pivot changed it."
                 : fmt::format(" It is what pivot {} left; pivots {} to {} are missing.", s - 1, s, i - 1);
      break;
    }
    for (std::size_t r = s + 1; r < n(); ++r) {
      const double ratio = A[r * part.lda + s] / A[s * part.lda + s];
      for (std::size_t c = s + 1; c < n(); ++c) A[r * part.lda + c] -= ratio * A[s * part.lda + c];
    }
    value = A[i * part.lda + j];
  }
  think(fmt::format(
      "Which threads change A[{}][{}] for one pivot, and when do they read what they need for it?", i, j));
}

/// b behind the elimination. @return whether it is off.
bool Comparer::explain_right_side() {
  double largest = 0;
  for (std::size_t i = 0; i < n(); ++i)
    largest = std::max({largest, std::abs(given_.b[i]), std::abs(expected_.b[i])});
  for (std::size_t i = 0; i < n(); ++i) {
    if (near(got_.b[i], expected_.b[i], largest)) continue;
    const bool same = got_.b[i] == given_.b[i];
    say(fmt::format("The upper triangle of A is right. b[{}] is not: {}.{}", i,
                    ladder::difference(expected_.b[i], got_.b[i]),
                    same ? " It is as it was before the call." : ""));
    think("What is done to a row of A is done to its element of b too. Who does that?");
    return true;
  }
  return false;
}

/// A and b are right, x is not: from the last row up, which element is the first wrong one?
void Comparer::explain_substitution() {
  double largest = 0;
  for (const double value : expected_.x) largest = std::max(largest, std::abs(value));
  std::vector<double> sorted(got_.x, got_.x + n()), wanted = expected_.x;
  for (std::size_t i = n(); i-- > 0;) {
    if (near(got_.x[i], expected_.x[i], largest)) continue;
    say("The elimination is right: the upper triangle of A and b are what they must be. The back "
        "substitution is not.");
    std::sort(sorted.begin(), sorted.end()), std::sort(wanted.begin(), wanted.end());
    bool permuted = true;
    for (std::size_t k = 0; k < n(); ++k) permuted = permuted && near(sorted[k], wanted[k], largest);
    if (permuted)
      think("x holds the right numbers in another order. Do swapped rows exchange unknowns?");
    else
      explain_first_unknown(i);
    return;
  }
}

void Comparer::explain_first_unknown(std::size_t i) {
  std::string text =
      i + 1 == n()
          ? fmt::format("It begins with x[{}], which is wrong already: {}.", i,
                        ladder::difference(expected_.x[i], got_.x[i]))
          : fmt::format("From the last row up, x[{}] to x[{}] are right, x[{}] is the first wrong one: {}.",
                        n() - 1, i + 1, i, ladder::difference(expected_.x[i], got_.x[i]));
  const double product = expected_.x[i] * expected(i, i);
  if (near(got_.x[i], product, std::abs(product))) text += " It was not divided by A[i][i].";
  if (i + 1 < n() && near(got_.x[i], expected_.b[i] / expected(i, i), std::abs(got_.x[i])))
    text += " It is b[i] / A[i][i]: the unknowns behind it are missing from the sum.";
  out_.emplace_back("", text);
  think(fmt::format(
      "Row {} has the unknowns x[{}] to x[{}]. Which of them must be known before x[{}] is computed?", i, i,
      n() - 1, i));
}

std::vector<Detail> Comparer::explain() {
  if (explain_unwritten()) return out_;
  if (n() > 1 && untouched()) {
    out_.emplace_back("Where", "A is as it was before the call, so what was done to it cannot be seen.");
    return out_;
  }
  if (!explain_upper() && !explain_right_side()) explain_substitution();
  return out_;
}

template <class Property>
bool all(const std::vector<Case>& cases, Property property) {
  return !cases.empty() && std::all_of(cases.begin(), cases.end(), property);
}

}  // namespace

std::vector<Detail> explain_case(const std::vector<Case>& right, const Case& wrong) {
  std::vector<Detail> out;
  const std::string_view group = wrong.group;
  if (wrong.pad > 0 && all(right, [](const Case& c) { return c.pad == 0; }))
    out.emplace_back(
        "Why " + name(right.back()) + " works",
        "Matrices without padding were right. Here rows are further apart than they are long, and what lies "
        "between them is NaN.");
  if (wrong.blocks > 0 && all(right, [](const Case& c) { return c.blocks == 0; }))
    out.emplace_back(
        "Why " + name(right.back()) + " works",
        "There the rung chose its grid. Here the problem imposes one: a block may have several rows or none, "
        "and a thread several columns or none.");
  if (group == "tails" && all(right, [](const Case& c) { return std::string_view(c.group) == "general"; }))
    out.emplace_back(
        "Why " + name(right.back()) + " works",
        "Sizes that are multiples of 4 were right; " + name(wrong) + " leaves parts of blocks over.");
  return out;
}

std::vector<Detail> explain(const Case& wrong, const Problem& given, const Problem& got) {
  if (given.n == 0 || given.n > 1024 || singular(wrong.entries)) return {};
  // Single precision rounds 2^29 = 5e8 times more coarsely than double.
  const double error = backward_error(given, got.x) / eps;
  if (error > 1e5 && error < 1e10 && wrong.entries == Entries::dominant)
    return {{"What happened", "About 8 digits are right: what single precision keeps. Double keeps 16."}};
  if (wrong.asks.rows_stay) return {};
  return Comparer(given, got, wrong.asks.pivots).explain();
}

}  // namespace gauss::test
