// Where the right values of a wrong result are: each kind, on several shapes and types of data; and what is
// none of them.
// Guards: docs/rungs.md#what-the-words-mean

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <random>
#include <string>

#include "common/judge/displaced.hpp"
#include "tests/common/catch.hpp"

namespace {

using namespace ladder;

struct Shape {
  std::size_t rows, columns;  // columns 0: a vector
};

std::mt19937_64& generator() {
  static std::mt19937_64 all(43);
  return all;
}

double real() {
  return std::uniform_real_distribution(-1.0, 1.0)(generator());
}
double single() {
  return std::uniform_real_distribution(0.0f, 1.0f)(generator());
}
double whole(int most) {
  return std::uniform_int_distribution(0, most)(generator());
}

/// A right result.
Compared right(Shape shape, const std::function<double()>& value = real, double tolerance = 1e-13) {
  Compared c{.array = "C", .columns = shape.columns};
  const std::size_t size = shape.rows * std::max<std::size_t>(shape.columns, 1);
  for (std::size_t i = 0; i < size; ++i) {
    const double expected = value();
    c.add(expected, expected, tolerance);
  }
  return c;
}

/// Each element holds what belongs to the place that `source` names; NaN where that is outside.
Compared moved(Compared c, const std::function<std::ptrdiff_t(std::ptrdiff_t)>& source) {
  for (std::size_t i = 0; i < c.size(); ++i) {
    const std::ptrdiff_t from = source(std::ptrdiff_t(i));
    c.got[i] = from >= 0 && from < std::ptrdiff_t(c.size()) ? c.expected[std::size_t(from)] * (1 + 1e-15)
                                                            : std::nan("");
    if (c.tolerance[i] == 0 && !std::isnan(c.got[i])) c.got[i] = c.expected[std::size_t(from)];
  }
  return c;
}

/// Right up to there, NaN from there on.
Compared right_until(Compared c, std::size_t end) {
  for (std::size_t i = end; i < c.size(); ++i) c.got[i] = std::nan("");
  return c;
}

bool is(const std::optional<Displaced>& found, Displaced::Kind kind) {
  if (found) UNSCOPED_INFO(found->what << " | " << found->question);
  return found && found->kind == kind && !found->what.empty() && !found->question.empty();
}

}  // namespace

TEST_CASE("displaced: a count of elements where bytes are counted") {
  for (const std::size_t bytes : {4u, 8u})
    for (const Shape shape : {Shape{64, 256}, {33, 32}, {5, 5}, {1000, 0}, {8, 0}, {2, 2}}) {
      Compared c = right(shape);
      if (c.size() < bytes) continue;
      c.element_bytes = {bytes, bytes};
      c = right_until(c, c.size() / bytes);
      const auto found = displaced(c);
      CHECK(is(found, Displaced::Kind::bytes));
      CHECK(found->what.find("1/" + std::to_string(bytes)) != std::string::npos);
      CHECK(found->question.find("bytes") != std::string::npos);
      // A grid that is too short leaves whole rows, and its share may be just this one.
      const bool whole_rows = shape.columns > 0 && c.size() / bytes % shape.columns == 0;
      CHECK((found->what.find("also whole rows") != std::string::npos) == whole_rows);
    }
  Compared other = right_until(right({64, 256}), 64 * 256 / 4);
  other.element_bytes = {8};  // a quarter, and no element has four bytes
  CHECK(is(displaced(other), Displaced::Kind::part));
}

TEST_CASE("displaced: only a part is right") {
  CHECK(displaced(right_until(right({64, 256}), 32 * 256))->what ==
        "The first 32 of 64 rows of C are right, and no element after them.");
  CHECK(displaced(right_until(right({1000, 0}), 256))->what ==
        "The first 256 of 1,000 elements of C are right, and none after them.");
  Compared c = right({40, 50});
  for (std::size_t i = 0; i < c.size(); ++i)
    if (i / 50 >= 32 || i % 50 >= 32) c.got[i] = 7;
  CHECK(displaced(c)->what == "Right are the first 32 rows of the first 32 columns of C, and nothing else.");
  c = right({40, 50});
  for (std::size_t i = 0; i < c.size(); ++i)
    if (i % 50 == 49) c.got[i] = real();
  CHECK(displaced(c)->what == "Right are the first 49 columns of C, and nothing else.");
}

TEST_CASE("displaced: transposed, also of floats, small ones, and into other strides") {
  for (const std::size_t n : {2u, 3u, 16u, 33u, 100u})
    CHECK(is(displaced(moved(right({n, n}), [n](auto i) { return i % n * n + i / n; })),
             Displaced::Kind::transposed));
  CHECK(is(displaced(moved(right({32, 32}, single, 0), [](auto i) { return i % 32 * 32 + i / 32; })),
           Displaced::Kind::transposed));
  const auto found = displaced(moved(right({20, 30}), [](auto i) { return i % 20 * 30 + i / 20; }));
  CHECK(is(found, Displaced::Kind::by_columns));
  CHECK(found->what ==
        "The values of C are right, but lie column by column: C[0][1] holds what belongs to C[1][0].");
}

TEST_CASE("displaced: in the opposite order") {
  CHECK(is(displaced(moved(right({100, 0}), [](auto i) { return 99 - i; })), Displaced::Kind::mirrored));
  CHECK(is(displaced(moved(right({10, 20}), [](auto i) { return i / 20 * 20 + 19 - i % 20; })),
           Displaced::Kind::mirrored));
  CHECK(is(displaced(moved(right({10, 20}), [](auto i) { return (9 - i / 20) * 20 + i % 20; })),
           Displaced::Kind::mirrored));
  CHECK(is(displaced(moved(right({10, 20}), [](auto i) { return 199 - i; })), Displaced::Kind::mirrored));
}

TEST_CASE("displaced: shifted, by elements, columns and rows") {
  for (const int by : {1, -1, 2, 5, -31}) {
    const auto found = displaced(moved(right({200, 0}), [by](auto i) { return i + by; }));
    CHECK(is(found, Displaced::Kind::shifted));
    CHECK(found->what.find("shifted by " + std::to_string(std::abs(by)) + " element") != std::string::npos);
  }
  const auto shift = [](Shape shape, std::ptrdiff_t by) {
    const auto found = displaced(moved(right(shape), [by](auto i) { return i + by; }));
    CHECK(is(found, Displaced::Kind::shifted));
    return found ? found->what : "";
  };
  CHECK(shift({64, 256}, 1) ==
        "All values of C are shifted by 1 column: C[0][0] holds what belongs to C[0][1].");
  CHECK(shift({64, 256}, -256).find("by 1 row: C[1][0] holds what belongs to C[0][0]") != std::string::npos);
  CHECK(shift({64, 256}, 2 * 256 - 3).find("by 2 rows and 3 columns") != std::string::npos);
  // Within each row, around its end.
  CHECK(is(displaced(moved(right({30, 40}), [](auto i) { return i / 40 * 40 + (i + 1) % 40; })),
           Displaced::Kind::shifted));
  // Of integers that repeat.
  CHECK(is(displaced(moved(right(
                               {500, 0}, [] { return whole(99); }, 0),
                           [](auto i) { return i + 1; })),
           Displaced::Kind::shifted));
}

TEST_CASE("displaced: tiles that are transposed, and tiles that have changed places") {
  for (const std::ptrdiff_t t : {8, 16, 32}) {
    const auto inside = displaced(moved(right({96, 128}), [t](auto i) {
      const auto row = i / 128, column = i % 128;
      return (row / t * t + column % t) * 128 + column / t * t + row % t;
    }));
    CHECK(is(inside, Displaced::Kind::tiles));
    CHECK(inside->what.find("in its place, but transposed") != std::string::npos);
    const auto between = displaced(moved(right({96, 96}), [t](auto i) {
      const auto row = i / 96, column = i % 96;
      return (column / t * t + row % t) * 96 + row / t * t + column % t;
    }));
    CHECK(is(between, Displaced::Kind::tiles));
    CHECK(between->what.find("other side of the diagonal") != std::string::npos);
  }
}

TEST_CASE("displaced: in other places") {
  // Columns 16 apart are computed, and stored as neighbours.
  const auto found = displaced(moved(right({64, 64}), [](auto i) {
    const auto column = i % 64;
    return i / 64 * 64 + column % 4 * 16 + column / 4;
  }));
  CHECK(is(found, Displaced::Kind::scattered));
  CHECK(found->what.find("C[0][1] holds what belongs to C[0][16], C[0][2] what belongs to C[0][32]") !=
        std::string::npos);
  // The same where most of the columns that are computed are outside of the matrix: their sums are 0.
  const auto part = displaced([] {
    Compared c = moved(right({32, 32}), [](auto i) {
      const auto row = i / 32, column = i % 32;
      return column % 8 * 16 + column / 8 < 32 && row % 8 * 16 + row / 8 < 32
                 ? (row % 8 * 16 + row / 8) * 32 + column % 8 * 16 + column / 8
                 : -1;
    });
    for (double& got : c.got)
      if (std::isnan(got)) got = 0;
    return c;
  }());
  CHECK(is(part, Displaced::Kind::scattered));
  CHECK(part->what.find("C[0][1] holds what belongs to C[0][16]") != std::string::npos);
  for (const Shape shape : {Shape{30, 40}, {200, 0}, {4, 0}, {3, 3}}) {
    std::vector<std::ptrdiff_t> order(shape.rows * std::max<std::size_t>(shape.columns, 1));
    std::iota(order.begin(), order.end(), 0);
    std::rotate(order.begin(), order.begin() + 1, order.end());
    std::swap(order[0], order[2]);
    if (order.size() > 4) std::shuffle(order.begin(), order.end(), generator());
    CHECK(displaced(moved(right(shape), [&](auto i) { return order[std::size_t(i)]; })));
  }
  const auto same = displaced(moved(right({20, 30}), [](auto i) { return i / 30 * 30; }));
  CHECK(is(same, Displaced::Kind::scattered));
  CHECK(same->what.find("again and again") != std::string::npos);
}

TEST_CASE("displaced: everything a multiple") {
  for (const double factor : {2.0, 3.0, -1.0, 0.5, 32.0, 0.25}) {
    Compared c = right({20, 30});
    for (std::size_t i = 0; i < c.size(); ++i) c.got[i] = factor * c.expected[i];
    CHECK(is(displaced(c), Displaced::Kind::scaled));
  }
}

TEST_CASE("displaced: of random data nothing is said") {
  const std::function<double()> kinds[] = {real,
                                           single,
                                           [] { return whole(1); },
                                           [] { return whole(9); },
                                           [] { return whole(255); },
                                           [] { return whole(100000); },
                                           [] { return whole(9) / 10; },
                                           [] { return std::ldexp(real(), int(whole(70)) - 40); }};
  for (int turn = 0; turn < 20; ++turn)
    for (const auto& value : kinds)
      for (const Shape shape :
           {Shape{1, 0}, {2, 0}, {5, 0}, {64, 0}, {257, 0}, {2, 2}, {3, 4}, {8, 8}, {32, 64}}) {
        Compared c = right(shape, value, 0);
        c.element_bytes = {8};
        // All elements, one of ten, and a few of them.
        for (const double share : {1.0, 0.1, 2.0 / double(c.size())}) {
          Compared wrong = c;
          for (double& got : wrong.got)
            if (std::uniform_real_distribution(0.0, 1.0)(generator()) < share) got = value();
          const auto found = displaced(wrong);
          // Where the last ones are wrong, that is what is to be said.
          if (found && found->kind == Displaced::Kind::part) continue;
          if (found && found->kind == Displaced::Kind::bytes) continue;
          INFO((found ? found->what : "") << " rows " << shape.rows << " columns " << shape.columns);
          CHECK_FALSE(found);
        }
      }
}

TEST_CASE("displaced: of nothing, NaN, zeros and what is all the same nothing is said") {
  CHECK_FALSE(displaced({.array = "C"}));
  CHECK_FALSE(displaced(right({8, 8})));
  Compared c = right({8, 8});
  c.element_bytes = {8};
  for (const double bad : {std::nan(""), 0.0, std::numeric_limits<double>::infinity(), 1.0}) {
    std::fill(c.got.begin(), c.got.end(), bad);
    CHECK_FALSE(displaced(c));
  }
  Compared same = right(
      {8, 8}, [] { return 3; }, 0);
  std::fill(same.got.begin(), same.got.end(), 4);
  CHECK_FALSE(displaced(same));
}
