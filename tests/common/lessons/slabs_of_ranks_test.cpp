/// @file
/// Lesson 09: which planes of each grid every rank has, by hand.
// Guards: lessons/09-npb-mg/README.md

#include "lessons/09-npb-mg/problem.hpp"

#include <cstddef>
#include <vector>

#include "tests/common/catch.hpp"

namespace {

/// The planes that every rank has of a level.
std::vector<int> planes_of(const npb_mg::Problem& whole, int ranks, int level) {
  std::vector<int> planes;
  for (int rank = 0; rank < ranks; ++rank)
    planes.push_back(npb_mg::grid_of(whole.grid, whole.part(rank, ranks).ranks, level).nz);
  return planes;
}

}  // namespace

TEST_CASE("MG over ranks: slabs are whole planes of the first grid that all have") {
  using Planes = std::vector<int>;
  const npb_mg::Problem small{.grid = {6, 10, 14}}, large{.grid = {36, 44, 40}, .levels = 4};
  CHECK(planes_of(small, 2, 0) == Planes{6, 8});
  CHECK(planes_of(small, 2, 1) == Planes{7, 7});
  CHECK(planes_of(small, 4, 0) == Planes{2, 4, 4, 4});
  CHECK(planes_of(small, 7, 0) == Planes(7, 2));
  // 18 x 22 x 20 points are too many for one rank, 9 x 11 x 10 are few.
  CHECK(planes_of(large, 4, 0) == Planes{8, 12, 8, 12});
  CHECK(planes_of(large, 4, 1) == Planes{4, 6, 4, 6});
  CHECK(planes_of(large, 4, 2) == Planes(4, 10));
  // Ten planes would be too few.
  CHECK(planes_of(large, 11, 0) == Planes{2, 4, 4, 4, 4, 2, 4, 4, 4, 4, 4});
  CHECK(planes_of(large, 11, 1) == Planes(11, 20));
  CHECK_NOTHROW(large.part(0, 20));
  CHECK_THROWS_WITH(large.part(0, 21),
                    "a grid of 40 planes has slabs for 20 ranks at most, of two planes each; these are 21");
}

TEST_CASE("MG over ranks: arrays of a rank, with the planes before and after its slab") {
  const npb_mg::Problem whole{.grid = {36, 44, 40}, .levels = 3};
  const std::size_t plane = 38 * 46;
  const int first[] = {0, 8, 20, 28}, planes[] = {8, 12, 8, 12};
  for (int rank = 0; rank < 4; ++rank) {
    CAPTURE(rank);
    npb_mg::Problem own = whole.part(rank, 4);
    const auto blocks = own.blocks(whole);
    int array = 0;
    own.arrays([&](const char* name, ladder::Role role, auto&, std::size_t elements) {
      CAPTURE(name);
      const ladder::Block& block = blocks[array++];
      const bool coarse = role == ladder::Role::work;
      CHECK(elements ==
            (coarse ? (planes[rank] / 2 + 2) * 20 * 24 + 12 * 11 * 13 : (planes[rank] + 2) * plane));
      CHECK(block.rows * block.columns == (coarse ? 0 : elements));
      CHECK(block.first == (coarse ? 0 : first[rank] * plane));
    });
    CHECK(array == 5);
  }
}
