/// @file
/// Lesson 08: which rows and entries of a matrix each rank has, by hand.
// Guards: lessons/08-npb-cg/README.md

#include "lessons/08-npb-cg/problem.hpp"

#include "tests/common/catch.hpp"

TEST_CASE("CG over ranks: pieces of one length, the last ones shorter or empty") {
  const int row_start[] = {0, 2, 3, 3, 7, 8};
  const npb_cg::Problem whole{.n = 5, .nnz = 8, .row_start = row_start};
  struct Expected {
    int first, rows, entry, entries;
  };
  const Expected of_four[] = {{0, 2, 0, 3}, {2, 2, 3, 4}, {4, 1, 7, 1}, {5, 0, 8, 0}};
  for (int rank = 0; rank < 4; ++rank) {
    CAPTURE(rank);
    const Expected& expected = of_four[rank];
    npb_cg::Problem own = whole.part(rank, 4);
    CHECK(own.ranks.piece(5) == 2);
    CHECK(own.ranks.first(5) == expected.first);
    CHECK(own.ranks.rows(5) == expected.rows);
    CHECK(own.nnz == expected.entries);
    const auto blocks = own.blocks(whole);
    int array = 0;
    own.arrays([&](const char* name, ladder::Role role, auto&, std::size_t elements) {
      CAPTURE(name);
      const ladder::Block& block = blocks[array++];
      CHECK(block.rows * block.columns == (role == ladder::Role::work ? 0 : elements));
    });
    CHECK(array == 10);
    CHECK(int(blocks[0].first) == expected.first);  // row_start
    CHECK(int(blocks[2].first) == expected.entry);  // values
    CHECK(int(blocks[4].first) == expected.first);  // z
    CHECK(blocks[5].columns == (rank == 0));        // norm
  }
  CHECK(whole.ranks.rows(5) == 5);
}
