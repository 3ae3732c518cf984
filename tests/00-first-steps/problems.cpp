#include "problems.hpp"

#include <cmath>
#include <cstddef>
#include <utility>

#include "common/base/random.hpp"

namespace first_steps::test {
namespace {

constexpr float below_one = 1 - 0x1p-24f;  // the largest float below 1

/// Large elements that cancel in pairs, at places that have nothing to do with each other; the others are so
/// different in size that their exact sum has more bits than a double.
void fill_cancelling(float* row, int columns, ladder::Random& random) {
  for (int j = 0; j < columns; ++j) row[j] = float(std::ldexp(random.uniform(-1, 1), -random.below(41)));
  const int pairs = (columns - 1) / 3;
  for (int j = 0; j < pairs; ++j) {
    row[2 * j] = float(std::ldexp(random.uniform(0.5, 1), random.below(61) - 30));
    row[2 * j + 1] = -row[2 * j];
  }
  for (int j = columns - 1; j > 0; --j) std::swap(row[j], row[random.below(j + 1)]);
}

float element(Entries entries, int favourite, ladder::Random& random) {
  switch (entries) {
    case Entries::balanced:
      return float(std::ldexp(random.below(1 << 24), -23)) - 1;
    case Entries::skewed:
      if (random.uniform() < 0.9) return float(favourite) / bins;
      break;
    case Entries::edges: {
      const int bin = random.below(bins);
      return random.uniform() < 0.5 ? float(bin) / bins : float(bin + 1) / bins * below_one;
    }
    default:
      break;
  }
  return float(std::ldexp(random.below(1 << 24), -24));
}

}  // namespace

std::vector<Case> cases(const Asks& asks) {
  using enum Entries;
  // General: whole tiles, whole blocks of 256 in a row and in the image, whole chunks of 2,048 and of 16,384.
  std::vector<Case> cases = {
      {"general", 64, 256}, {"general", 32, 512}, {"general", 96, 512}, {"general", 256, 256},
      {"tails", 1, 1},      {"tails", 1, 2},      {"tails", 2, 1},      {"tails", 3, 3},
      {"tails", 31, 31},    {"tails", 33, 33},    {"tails", 7, 11},     {"tails", 32, 33},
      {"tails", 33, 32},    {"tails", 13, 255},   {"tails", 5, 257},    {"tails", 67, 101},
      {"tails", 127, 130},  {"tails", 3, 769},    {"thin", 1, 1009},    {"thin", 1009, 1},
      {"thin", 1, 16385},   {"thin", 300, 2},
  };
  // A row of several blocks comes first: a wrong index of a block is seen with the other mistakes, not after
  // them.
  if (asks.wanted == Wanted::blurred) std::swap(cases[0], cases[1]);
  const auto also = [&cases](const char* group, Entries entries) {
    for (const auto& [rows, columns] : {std::pair(8, 256), {1, 16384}, {31, 100}, {129, 257}})
      cases.push_back({group, rows, columns, entries});
  };
  if (asks.wanted != Wanted::histogram) also("both signs", balanced);
  if (asks.wanted == Wanted::row_sums) also("ill-scaled", cancelling);
  if (asks.wanted == Wanted::histogram) also("skewed", skewed), also("edges of bins", edges);
  if (asks.wanted == Wanted::places || asks.wanted == Wanted::softened) {
    // None is bright, all are, and many are exactly as bright as the limit.
    for (const auto& [rows, columns] : {std::pair(8, 256), {1, 2049}, {33, 100}}) {
      cases.push_back({"few and many", rows, columns, balanced, {}, 2});
      cases.push_back({"few and many", rows, columns, balanced, {}, -2});
      cases.push_back({"at the limit", rows, columns, edges, {}, 0.5f});
    }
  }
  for (Case& c : cases) c.asks = asks;
  return cases;
}

Case square(const Asks& asks, int n) {
  // Only sums that cancel tell one way of rounding from another.
  return {"general", n, n, asks.compensated ? Entries::cancelling : Entries::grey, asks};
}

Problem shape(const Case& c) {
  return {.wanted = c.asks.wanted,
          .rows = c.rows,
          .columns = c.columns,
          .gain = 1.7f,
          .offset = -0.3f,
          .limit = c.limit};
}

void fill(const Case& c, ladder::Random random, const Problem& p) {
  float* A = const_cast<float*>(p.A);
  const int favourite = random.below(bins);
  if (c.entries == Entries::cancelling) {
    for (int i = 0; i < c.rows; ++i) fill_cancelling(A + std::size_t(i) * c.columns, c.columns, random);
  } else {
    for (int i = 0; i < c.rows * c.columns; ++i) {
      A[i] = element(c.entries, favourite, random);
      // Elements at the limit have a class of their own, and what it says fits no other: none comes there by
      // chance.
      if (c.entries != Entries::edges && A[i] == c.limit) A[i] = std::nextafter(c.limit, 2.0f);
    }
  }
}

std::string name(const Case& c) {
  std::string text = std::to_string(c.rows) + " x " + std::to_string(c.columns);
  if (c.entries == Entries::balanced) text += " (both signs)";
  if (c.entries == Entries::skewed) text += " (nine of ten elements in one bin)";
  if (c.entries == Entries::edges)
    text +=
        c.asks.wanted == Wanted::histogram ? " (elements at the edges of bins)" : " (elements at the limit)";
  if (c.limit > 1) text += " (no element is bright)";
  if (c.limit < -1) text += " (all elements are bright)";
  if (c.entries == Entries::cancelling) text += " (large elements that cancel)";
  return text;
}

}  // namespace first_steps::test
