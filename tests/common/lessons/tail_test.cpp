/// @file
/// Lesson 02: what waves and rounds predict, against counts worked by hand.
// Guards: lessons/02-gauss/README.md

#include <algorithm>

#include "tests/02-gauss/tail.hpp"
#include "tests/common/catch.hpp"

using gauss::test::block_counts;
using gauss::test::places_at_work;

namespace {

/// Of two numbers that come from the same sums in another order.
bool near(double a, double b) {
  return a > 0.999999 * b && a < 1.000001 * b;
}

}  // namespace

TEST_CASE("one row below the only pivot: one of the places works") {
  CHECK(near(places_at_work(2, 1, 1), 1));
  CHECK(near(places_at_work(2, 1, 4), 0.25));
  CHECK(near(places_at_work(2, 4, 4), 0.25));  // three blocks have no row
}

TEST_CASE("two pivots by hand: rows are divided among blocks, the one with the most decides") {
  // n = 3: 2 rows of 3 columns, then 1 row of 2. One block: 2 x 3 + 2 = 8 on one place, all of it useful.
  CHECK(near(places_at_work(3, 1, 1), 1));
  // Two blocks at once: 3 + 2 = 5 on two places.
  CHECK(near(places_at_work(3, 2, 2), 8.0 / 10));
  // Two blocks one after the other, each with a row: 3 + 3, then 2.
  CHECK(near(places_at_work(3, 2, 1), 1));
}

TEST_CASE("the speedup rises with the blocks up to a whole wave and falls after each one") {
  constexpr int n = 2000, places = 44;
  CHECK(places_at_work(n, 22, places) > 0.45);
  CHECK(places_at_work(n, 22, places) < 0.5);  // half of the places, and the last rows for fewer
  double drop = 1;
  for (const int waves : {1, 2, 3, 4}) {
    const double full = places_at_work(n, waves * places, places),
                 more = places_at_work(n, waves * places + 1, places);
    CHECK(full > 0.9);
    CHECK(more < 0.9 * full);
    CHECK(1 - more / full < drop);  // less from wave to wave
    drop = 1 - more / full;
  }
}

TEST_CASE("blocks without a row and empty devices are no division by zero") {
  CHECK(places_at_work(1, 5, 5) == 0);
  CHECK(places_at_work(0, 1, 1) == 0);
  CHECK(places_at_work(8, 0, 4) == 0);
  CHECK(places_at_work(8, 4, 0) == 0);
  CHECK(places_at_work(8, 1000, 4) > 0);
}

TEST_CASE("every whole wave and one block more are measured, in order, none twice") {
  const auto counts = block_counts(16, 3);
  for (const int expected : {2, 16, 17, 32, 33, 48, 49, 40})
    CHECK(std::count(counts.begin(), counts.end(), expected) == 1);
  CHECK(std::is_sorted(counts.begin(), counts.end()));
  CHECK(block_counts(1, 1).front() == 1);
}
