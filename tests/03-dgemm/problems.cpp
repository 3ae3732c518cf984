#include "problems.hpp"

#include <cmath>
#include <limits>

#include "common/base/random.hpp"

namespace dgemm::test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

/// A and B of a problem, to be written.
struct Inputs {
  const Problem& problem;
  double& a(int i, int p) const { return const_cast<double&>(problem.A[std::size_t(i) * problem.lda + p]); }
  double& b(int p, int j) const { return const_cast<double&>(problem.B[std::size_t(p) * problem.ldb + j]); }
};

void fill_uniform(const Inputs& in, ladder::Random& random) {
  for (int i = 0; i < in.problem.m; ++i)
    for (int p = 0; p < in.problem.k; ++p) in.a(i, p) = random.uniform(-1, 1);
  for (int p = 0; p < in.problem.k; ++p)
    for (int j = 0; j < in.problem.n; ++j) in.b(p, j) = random.uniform(-1, 1);
}

/// Makes products p and p + 1 cancel: the same column of A, the negative row of B but for a part of 10^-10.
void cancel(const Inputs& in, ladder::Random& random) {
  for (int p = 0; p + 1 < in.problem.k; p += 2) {
    for (int i = 0; i < in.problem.m; ++i) in.a(i, p + 1) = in.a(i, p);
    for (int j = 0; j < in.problem.n; ++j) in.b(p + 1, j) = -in.b(p, j) * (1 + 1e-10 * random.uniform(-1, 1));
  }
}

/// Scales row i of A and column j of B. Powers of two: no rounding.
constexpr int largest_exponent = 100;
void scale_lines(const Inputs& in, ladder::Random& random) {
  for (int i = 0; i < in.problem.m; ++i) {
    const double s = std::ldexp(1, random.below(2 * largest_exponent + 1) - largest_exponent);
    for (int p = 0; p < in.problem.k; ++p) in.a(i, p) *= s;
  }
  for (int j = 0; j < in.problem.n; ++j) {
    const double s = std::ldexp(1, random.below(2 * largest_exponent + 1) - largest_exponent);
    for (int p = 0; p < in.problem.k; ++p) in.b(p, j) *= s;
  }
}

/// Uniform numbers are multiples of 2^-52; these have 53 bits each.
void roughen(const Inputs& in, ladder::Random& random) {
  for (int p = 0; p < in.problem.k; ++p) {
    for (int i = 0; i < in.problem.m; ++i) in.a(i, p) *= random.uniform(1, 2);
    for (int j = 0; j < in.problem.n; ++j) in.b(p, j) *= random.uniform(1, 2);
  }
}

/// The same as scale_lines, and the sum's index p: A up, B down.
void scale(const Inputs& in, ladder::Random& random) {
  scale_lines(in, random);
  for (int p = 0; p < in.problem.k; ++p) {
    const int e = random.below(2 * largest_exponent + 1) - largest_exponent;
    for (int i = 0; i < in.problem.m; ++i) in.a(i, p) *= std::ldexp(1, e);
    for (int j = 0; j < in.problem.n; ++j) in.b(p, j) *= std::ldexp(1, -e);
  }
}

/// Puts a NaN into one row of A, infinities into a row of A and a column of B, and a zero where one of them
/// meets it.
void spoil(const Inputs& in) {
  const Problem& p = in.problem;
  in.a(p.m / 2, p.k - 1) = nan;
  in.a(p.m - 1, 0) = -infinity;
  in.b(0, p.n / 3) = 0;  // -inf * 0 in row m - 1
  in.b(p.k / 2, p.n - 1) = infinity;
}

}  // namespace

const std::vector<Case>& cases() {
  using enum Entries;
  static const std::vector<Case> all = {
      {"general", 32, 32, 32},
      {"general", 64, 64, 64},
      {"general", 96, 96, 96},
      {"general", 64, 128, 192},
      {"general", 160, 160, 160},
      {"tails", 1, 1, 1},
      {"tails", 2, 2, 2},
      {"tails", 3, 3, 3},
      {"tails", 31, 31, 31},
      {"tails", 33, 33, 33},
      {"tails", 7, 5, 11},
      {"tails", 32, 32, 33},
      {"tails", 32, 33, 31},
      {"tails", 67, 101, 45},
      {"tails", 127, 63, 65},
      {"thin", 1, 100, 50},
      {"thin", 100, 1, 50},
      {"thin", 70, 90, 1},
      {"thin", 1, 1, 257},
      {"thin", 2, 300, 7},
      {"leading dimensions", 64, 64, 64, uniform, 8, 16, 1},
      {"leading dimensions", 40, 50, 60, uniform, 3, 5, 7},
      {"leading dimensions", 33, 1, 20, uniform, 1, 30, 2},
      {"zero sizes", 0, 5, 7},
      {"zero sizes", 5, 0, 7},
      {"zero sizes", 5, 7, 0},
      {"zero sizes", 40, 33, 0, uniform, 0, 0, 3},
      {"zero sizes", 0, 0, 0},
      {"ill-scaled", 64, 64, 64, ill_scaled},
      {"ill-scaled", 50, 70, 90, ill_scaled},
      {"ill-scaled", 64, 64, 64, cancelling},
      {"ill-scaled", 33, 65, 98, cancelling},
      {"not finite", 32, 32, 32, not_finite},
      {"not finite", 45, 67, 70, not_finite, 1, 2, 3},
  };
  return all;
}

Problem shape(const Case& c) {
  return {.m = c.m,
          .n = c.n,
          .k = c.k,
          .lda = c.k + c.pad_a,
          .ldb = c.n + c.pad_b,
          .ldc = c.n + c.pad_c,
          .device_bytes = c.device_bytes};
}

void fill(const Case& c, ladder::Random random, const Problem& p) {
  const Inputs in{p};
  for (int i = 0; i < c.m; ++i)
    for (int q = c.k; q < p.lda; ++q) in.a(i, q) = nan;
  for (int q = 0; q < c.k; ++q)
    for (int j = c.n; j < p.ldb; ++j) in.b(q, j) = nan;
  fill_uniform(in, random);
  if (c.entries == Entries::cancelling) cancel(in, random);
  if (c.entries == Entries::ill_scaled) scale(in, random);
  if (c.entries == Entries::scaled_lines) {
    scale_lines(in, random);
    roughen(in, random);
  }
  if (c.entries == Entries::denormal)
    for (int i = 0; i < c.m; ++i)
      for (int q = 0; q < c.k; ++q) in.a(i, q) *= 0x1p-1060;
  if (c.entries == Entries::not_finite) spoil(in);
}

std::string name(const Case& c) {
  const auto number = [](const char* symbol, int value) { return symbol + (" = " + std::to_string(value)); };
  std::string text = c.m == c.n && c.n == c.k
                         ? number("n", c.n)
                         : number("m", c.m) + ", " + number("n", c.n) + ", " + number("k", c.k);
  if (c.pad_a || c.pad_b || c.pad_c)
    text += ", " + number("lda", c.k + c.pad_a) + ", " + number("ldb", c.n + c.pad_b) + ", " +
            number("ldc", c.n + c.pad_c);
  if (c.device_bytes > 0) text += ", device_bytes = " + std::to_string(c.device_bytes);
  if (c.entries == Entries::cancelling) text += " (cancelling)";
  if (c.entries == Entries::ill_scaled) text += " (ill-scaled)";
  if (c.entries == Entries::scaled_lines) text += " (scaled rows and columns)";
  if (c.entries == Entries::denormal) text += " (denormal)";
  if (c.entries == Entries::not_finite) text += " (NaN and infinity)";
  if (c.offset > 0) text += " (arrays begin at odd multiples of 8 bytes)";
  if (c.ranks > 0) text += ", " + std::to_string(c.ranks) + " ranks";
  return text;
}

}  // namespace dgemm::test
