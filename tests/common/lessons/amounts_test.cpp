/// @file
/// The necessary amount of each row at its size, against numbers that are worked out by hand or were measured
/// before.
// Guards: docs/glossary.md#the-metrics

#include <cmath>
#include <filesystem>
#include <functional>
#include <vector>

#include "common/lesson/rungs_file.hpp"
#include "tests/00-first-steps/amounts.hpp"
#include "tests/01-lu/amounts.hpp"
#include "tests/02-gauss/amounts.hpp"
#include "tests/03-dgemm/amounts.hpp"
#include "tests/04-cholesky/amounts.hpp"
#include "tests/05-npb-ep/amounts.hpp"
#include "tests/06-npb-ft/amounts.hpp"
#include "tests/07-npb-is/amounts.hpp"
#include "tests/08-npb-cg/amounts.hpp"
#include "tests/09-npb-mg/amounts.hpp"
#include "tests/common/catch.hpp"

namespace {

ladder::Lesson rungs_of(const char* lesson) {
  return ladder::read_rungs(std::filesystem::path(LADDER_PROJECT) / "lessons" / lesson / "rungs.toml");
}

/// Each row says of the work that it counts whether its amount is what every program needs, or the
/// reference's own cost.
void check_floor(const ladder::Target& target, double amount, double floor) {
  CHECK(ladder::bounds_work(target) == (!target.proof.empty() || !target.own_cost.empty()));
  CHECK(target.proof.empty() == !(floor > 0));
  if (target.proof.empty()) return;
  if (target.own_cost.empty())
    CHECK(floor == Approx(amount));
  else
    CHECK(floor < amount);
}

/// The amount of a row, once its floor is checked.
double checked_amount(const ladder::Amounts& amounts, const ladder::Step& row, const ladder::Target& target,
                      const void* given) {
  CAPTURE(target.amount, target.floor);  // names that rungs.toml has and amounts.hpp has not
  REQUIRE(ladder::find_amount(amounts, target.amount) != nullptr);
  REQUIRE((target.floor.empty() || ladder::find_amount(amounts, target.floor) != nullptr));
  const double amount = ladder::find_amount(amounts, target.amount)(given, row.ranks);
  check_floor(target, amount,
              target.floor.empty() ? 0 : ladder::find_amount(amounts, target.floor)(given, row.ranks));
  return amount;
}

/// @param expected  of the rows' targets, one after the other
/// @param problem   of a size, as the lesson's tests make it for that target
template <class Problem>
void check(const char* name, const ladder::Amounts& amounts, const std::vector<double>& expected,
           const std::function<Problem(const ladder::Target&)>& problem) {
  const ladder::Lesson lesson = rungs_of(name);
  std::size_t i = 0;
  for (const ladder::Step& row : lesson.steps)
    for (const ladder::Target& target : row.targets) {
      CAPTURE(name, row.file, target.metric);
      REQUIRE(i < expected.size());
      const Problem given = problem(target);
      CHECK(checked_amount(amounts, row, target, &given) == Approx(expected[i++]));
    }
  CHECK(i == expected.size());
}

/// Whether a benchmark's classes have the names and sizes that the command line knows from rungs.toml.
template <class Classes>
void check_classes(const char* lesson, const Classes& official) {
  const auto known = rungs_of(lesson).classes;
  REQUIRE(known.size() == std::size(official));
  for (std::size_t i = 0; i < known.size(); ++i) {
    CHECK(known[i].name == official[i].name);
    CHECK(known[i].size == official[i].size);
  }
}

}  // namespace

TEST_CASE("necessary amounts of lessons 00 to 03") {
  check<first_steps::Problem>(
      "00-first-steps", first_steps::amounts, {1, 1, 16384, 4096, 1, 1, 4096, 65536, 16, 32, 0.5},
      [](const ladder::Target& t) { return first_steps::Problem{.rows = t.size, .columns = t.size}; });
  constexpr double of_grid = 196608 + 1015808 + 4 * 8 * 64 * 640 + 3 * (4 * 320 + 4 * 5);  // bytes
  check<lu::Problem>("01-lu", lu::amounts, {1,        96.0 * 64 * 64 * 64,
                                            10912,    4225536,
                                            65536,    1,
                                            44739072, 42672 + 6048,
                                            11,       10240,
                                            983040,   1,
                                            1,        25088,
                                            26,       1,
                                            1,        495380,
                                            of_grid,  1,
                                            of_grid},
                     [](const ladder::Target& t) { return lu::Problem{.n = t.size}; });
  check<gauss::Problem>("02-gauss", gauss::amounts,
                        {1, 64, 95 * 6 * 64, 1, 2970920, 265216, 1, 64, 1, 1563624, 1, 35840, 1, 200704},
                        [](const ladder::Target& t) {
                          return t.restricted
                                     ? gauss::Problem{.n = t.size, .lda = t.size, .blocks = 6, .threads = 64}
                                     : gauss::Problem{.n = t.size, .lda = t.size};
                        });
  check<dgemm::Problem>(
      "03-dgemm", dgemm::amounts,
      {1,      1,      4734976, 278528, 147456, 4096, 32,    147456, 1,    1, 1, 24.0 * 512 * 512,
       983040, 294912, 1,       294912, 65536,  32,   65536, 4,      16384},
      [](const ladder::Target& t) { return dgemm::Problem{.m = t.size, .n = t.size, .k = t.size}; });
}

TEST_CASE("necessary amounts of lesson 04, of three full tile columns") {
  const int column_start[] = {0, 3, 5, 6}, tile_row[] = {0, 1, 2, 1, 2, 2};
  // Entries: 3 of each diagonal tile, which has NaN above its diagonal, and one of tile (2, 0).
  std::vector<double> L(6 * 2 * 2, 0);
  for (const int diagonal : {0, 3, 5})
    L[4 * diagonal] = L[4 * diagonal + 1] = L[4 * diagonal + 3] = 1, L[4 * diagonal + 2] = NAN;
  L[4 * 2 + 2] = 1;
  const cholesky::Problem p{.n = 6,
                            .s = 2,
                            .tile_columns = 3,
                            .tiles = 6,
                            .column_start = column_start,
                            .tile_row = tile_row,
                            .L = L.data()};
  constexpr double tile = 8 * 2 * 2;
  CHECK(cholesky::tile_bytes(p, 1) == 6 * tile);
  CHECK(cholesky::one_tile_bytes(p, 1) == tile);
  CHECK(cholesky::solved_bytes(p, 1) == 2 * 3 * tile);
  for (const ladder::Step& row : rungs_of("04-cholesky").steps)
    for (const ladder::Target& target : row.targets) {
      CAPTURE(row.file, target.metric);
      checked_amount(cholesky::amounts, row, target, &p);
    }
  CHECK(cholesky::copied_bytes(p, 1) ==
        (3 + 3 + 3 + 3 + 4 + 3 + 3) * tile);  // solves and updates of 0, and of 1
  CHECK(cholesky::resident_bytes(p, 1) == (2 * 6 + 2) * tile);
  // Columns 0 and 1 are solved; 0 updates columns 1 and 2, whose tiles follow each other, and 1 column 2.
  CHECK(cholesky::few_launches(p, 1) == 2 + 3 + 2 * 3 + 2 * 2);
  CHECK(cholesky::batched_launches(p, 1) == 2 + 2 + 2 * 3 + 2 * 2);
  CHECK(cholesky::level_launches(p, 1) == 3 + cholesky::batched_launches(p, 1));
  // 10 entries, 3 tiles below the diagonal, 3 updates by column 0 and 1 by column 1.
  CHECK(cholesky::entry_bytes(p, 1) == 16 * 10 + 28 * 3 + 24 * 4 + 16 * 3 + 8 * 6);
  // The lists for x: 4 bytes for each tile in each of two orders, 3 numbers for each tile column, 2 ends.
  CHECK(cholesky::stays_bytes(p, 1) == 16 * 10 + 16 * 3 + 24 * 4 + 8 * 3 + 8 * 6 + 4 * (2 * 6 + 3 * 3 + 2));
  CHECK(cholesky::push_launches(p, 1) == 3 + 2 + 2 + 2 * 3 + 1);
  CHECK(cholesky::x_bytes(p, 1) == 8 * 6);
  CHECK(cholesky::solve_bytes(p, 1) ==
        Approx(6 * tile / 20 + 8 * 6 * 2 + 2 * 8 * 6 + 8 * 3 + 4 + 4 * (2 * 6 + 3 * 3 + 2)));
}

TEST_CASE("necessary amounts of lessons 05 to 09") {
  check<npb_ep::Problem>("05-npb-ep", npb_ep::amounts,
                         {1, 37683.2, 12 * 256, 1, 12 * 8, 1, 1, 40 * 262144, 27 * 1048576, 20 * 1048576, 1,
                          20 * 1048576, 32768, 1},
                         [](const ladder::Target& t) {
                           return npb_ep::Problem{.pairs = 1 << t.size, .batch = 1 << (t.size - 8)};
                         });
  check<npb_ft::Problem>(
      "06-npb-ft", npb_ft::amounts,
      {1, 256000, 231424, 4e-6, 2048, 0.25, 32, 32768, 589824, 9, 589824, 147456, 753664, 557056, 11, 1},
      [](const ladder::Target& t) {
        return npb_ft::Problem{
            .nx = 1 << (t.size + 2) / 3, .ny = 1 << (t.size + 1) / 3, .nz = 1 << t.size / 3, .iterations = 2};
      });
  check<npb_is::Problem>(
      "07-npb-is", npb_is::amounts,
      {1, 1 << 14, 3, 4 * 1024, 128, 3 * 2048 + 6 * 512, 1, 3 * 2048 + 3 * 4 * 128},
      [](const ladder::Target& t) { return npb_is::Problem{.n = 1 << t.size, .bins = 1 << (t.size - 4)}; });
  // 4 rows of 4 entries are all in one sector of the vector.
  check<npb_cg::Problem>("08-npb-cg", npb_cg::amounts,
                         {1, 52, 26 * (16 * 0.375 + 16 / 32.0 + 4.625 * 4) + 333, 51, 78, 52, 1,
                          26 * (16 * 0.375 + 3 * 1.625 + 4 * 2.7) + 229,
                          26 * (32 * 0.3125 + 4 * 1.875) + 16 * 39 / 32.0 + 4 * 15 + 229, 1, 52,
                          16 * 13.625 / 32 + 6.5 + 26 * 5 + 4 * 66 + 25 * 4 * 130, 8 * (26 * 4 + 52 * 2),
                          8 * (26 * 2 * 2 + 51 * 2), 1e-6 * (2.000512 + 4.256 + 25 * 38.5152 + 30.259416)},
                         [](const ladder::Target&) { return npb_cg::Problem{.n = 4, .nnz = 16}; });
  // 4 x 4 x 4 points: resid twice, psinv, interp; 2 x 2 x 2: psinv, rprj3. Rows of points, then borders.
  check<npb_mg::Problem>("09-npb-mg", npb_mg::amounts,
                         {1, 16 * (2 * 38 + 37 + 16) + 4 * 144 + 4 * (26.5 + 42) + 2 * 52,
                          4 * (3 * 112 + 36) + 4 * 4.75 + 2 * (56 + 54) + 2 * 1.75, 6, 5,
                          16 * (2 * 49 + 16) + 3 * 72 + 4 * 34.5 + 26 + 11 * 9.75 * 168 + 6 + 26,
                          4 * 34.5 + 26 + 11 * 9.75 * 168 + 6 + 26 + 8 * 48 + 7 * 30 + 10 * 34 + 48 + 72,
                          4 * (112 + 36) + 2 * (12 * 6 + 16) + 4 * 4.75 + 2 * (56 + 54) + 2 * 1.75, 2,
                          4 * 4 * 8 * 36 + 2 * 8 * 16, 1, 4 * 4 * 8 * 36 + 2 * 8 * 16},
                         [](const ladder::Target&) { return npb_mg::Problem{}; });
}

TEST_CASE("what rungs.toml asks for has a name in the lesson's Asks") {
  const auto check = [](const char* lesson, const auto& asks_of) {
    for (const ladder::Step& row : rungs_of(lesson).steps) {
      CAPTURE(lesson, row.file);
      CHECK_NOTHROW(asks_of(row));
    }
  };
  check("00-first-steps", first_steps::asks_of);
  check("01-lu", lu::asks_of);
  check("02-gauss", gauss::asks_of);
  check("03-dgemm", dgemm::asks_of);
  check("09-npb-mg", npb_mg::asks_of);
}

TEST_CASE("classes of NPB are the same in rungs.toml and in C++") {
  check_classes("05-npb-ep", npb_ep::official_classes);
  check_classes("06-npb-ft", npb_ft::official_classes);
  check_classes("07-npb-is", npb_is::official_classes);
  check_classes("08-npb-cg", npb_cg::official_classes);
  check_classes("09-npb-mg", npb_mg::official_classes);
}
