/// @file
/// The necessary amount of each row at its size, against numbers that are worked out by hand or were measured before.
// Guards: docs/glossary.md#the-metrics

#include <functional>
#include <string>
#include <vector>

#include "common/lesson/complete.hpp"
#include "lessons/00-first-steps/first_steps.hpp"
#include "lessons/01-lu/lu.hpp"
#include "lessons/02-gauss/gauss.hpp"
#include "lessons/03-dgemm/dgemm.hpp"
#include "lessons/04-cholesky/cholesky.hpp"
#include "lessons/05-npb-ep/npb_ep.hpp"
#include "lessons/06-npb-ft/npb_ft.hpp"
#include "tests/common/catch.hpp"

namespace {

/// Each row says of the work that it counts whether its amount is what every program needs, or the reference's own cost.
void check_floor(const ladder::Target& target, double amount, double floor) {
  CHECK(ladder::bounds_work(target) == (*target.proof != 0 || *target.own_cost != 0));
  CHECK((*target.proof != 0) == (floor > 0));
  if (*target.proof == 0) return;
  if (*target.own_cost == 0)
    CHECK(floor == Approx(amount));
  else
    CHECK(floor < amount);
}

/// @param expected  of the rows' targets, one after the other
/// @param problem   of a size, as the lesson's tests make it for that target
template <class Problem>
void check(const ladder::Lesson& lesson, const std::vector<double>& expected,
           const std::function<Problem(const ladder::Target&)>& problem) {
  std::size_t i = 0;
  for (const ladder::Step& row : lesson)
    for (const ladder::Target& target : row.targets) {
      if (*target.metric == 0) continue;
      CAPTURE(lesson.name, row.file, target.metric);
      REQUIRE(i < expected.size());
      const Problem given = problem(target);
      const double amount = target.amount(&given, row.ranks);
      CHECK(amount == Approx(expected[i++]));
      check_floor(target, amount, target.floor ? target.floor(&given, row.ranks) : 0);
    }
  CHECK(i == expected.size());
}

}  // namespace

TEST_CASE("necessary amounts of lessons 00 to 03") {
  check<first_steps::Problem>(
      first_steps::lesson, {1, 1, 16384, 4096, 1, 1, 4096, 65536, 16, 32, 0.5},
      [](const ladder::Target& t) { return first_steps::Problem{.rows = t.size, .columns = t.size}; });
  check<lu::Problem>(lu::lesson,
                     {1, 96.0 * 64 * 64 * 64, 10912, 4225536, 65536, 1, 44739072, 42672 + 6048, 11, 10240,
                      983040, 1, 1, 25088, 26, 1, 1},
                     [](const ladder::Target& t) { return lu::Problem{.n = t.size}; });
  check<gauss::Problem>(
      gauss::lesson, {1, 64, 95 * 6 * 64, 1, 2970920, 265216, 1, 64, 1, 1563624, 1, 35840, 1, 200704},
      [](const ladder::Target& t) {
        return t.restricted ? gauss::Problem{.n = t.size, .lda = t.size, .blocks = 6, .threads = 64}
                            : gauss::Problem{.n = t.size, .lda = t.size};
      });
  check<dgemm::Problem>(
      dgemm::lesson,
      {1, 1, 4734976, 278528, 147456, 4096, 32, 1, 1, 24.0 * 512 * 512, 983040, 65536, 32, 65536, 4, 16384},
      [](const ladder::Target& t) { return dgemm::Problem{.m = t.size, .n = t.size, .k = t.size}; });
}

TEST_CASE("necessary amounts of lesson 04, of three full tile columns") {
  const int column_start[] = {0, 3, 5, 6}, tile_row[] = {0, 1, 2, 1, 2, 2};
  const cholesky::Problem p{
      .s = 2, .tile_columns = 3, .tiles = 6, .column_start = column_start, .tile_row = tile_row};
  constexpr double tile = 8 * 2 * 2;
  CHECK(cholesky::tile_bytes(p, 1) == 6 * tile);
  CHECK(cholesky::one_tile_bytes(p, 1) == tile);
  CHECK(cholesky::solved_bytes(p, 1) == 2 * 3 * tile);
  for (const ladder::Step& row : cholesky::lesson)
    for (const ladder::Target& target : row.targets) {
      CAPTURE(row.file, target.metric);
      if (*target.metric != 0)
        check_floor(target, target.amount(&p, row.ranks), target.floor ? target.floor(&p, row.ranks) : 0);
    }
  CHECK(cholesky::copied_bytes(p, 1) ==
        (3 + 3 + 3 + 3 + 4 + 3 + 3) * tile);  // solves and updates of 0, and of 1
  CHECK(cholesky::resident_bytes(p, 1) == (2 * 6 + 2) * tile);
  // Columns 0 and 1 are solved; 0 updates columns 1 and 2, whose tiles follow each other, and 1 column 2.
  CHECK(cholesky::few_launches(p, 1) == 2 + 3 + 2 * 3 + 2 * 2);
  CHECK(cholesky::batched_launches(p, 1) == 2 + 2 + 2 * 3 + 2 * 2);
}

TEST_CASE("necessary amounts of lessons 05 and 06") {
  check<npb_ep::Problem>(npb_ep::lesson,
                         {1, 37683.2, 12 * 256, 10 * 256 + 2 * 4, 1, 12 * 8, 1, 1, 40 * 262144},
                         [](const ladder::Target& t) {
                           return npb_ep::Problem{.pairs = 1 << t.size, .batch = 1 << (t.size - 8)};
                         });
  check<npb_ft::Problem>(
      npb_ft::lesson, {1, 256000, 231424, 4e-6, 2048, 0.25, 32, 32768, 589824, 9, 589824, 147456, 753664},
      [](const ladder::Target& t) {
        return npb_ft::Problem{
            .nx = 1 << (t.size + 2) / 3, .ny = 1 << (t.size + 1) / 3, .nz = 1 << t.size / 3, .iterations = 2};
      });
}
