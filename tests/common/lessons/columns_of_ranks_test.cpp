/// @file
/// Lesson 01: which columns of a matrix each rank has, one by one.
// Guards: lessons/01-lu/README.md

#include "lessons/01-lu/problem.hpp"

#include <vector>

#include "tests/common/catch.hpp"

TEST_CASE("LU over ranks: blocks of 64 columns in turn, some ranks with none") {
  for (const int n : {0, 1, 63, 64, 65, 131, 256, 300, 449})
    for (const int ranks : {1, 2, 3, 4, 7})
      for (int rank = 0; rank < ranks; ++rank) {
        CAPTURE(n, ranks, rank);
        const lu::Problem whole{.n = n};
        lu::Problem own = whole.part(rank, ranks);
        std::vector<int> columns;
        bool right = true;
        for (int c = 0; c < n; ++c) {
          right = right && own.ranks.share(c) == int(columns.size());
          if (c / 64 % ranks == rank) columns.push_back(c);
        }
        CHECK(right);
        CHECK(own.lda == int(columns.size()));
        const auto blocks = own.blocks(whole);
        for (int c = 0; c < own.lda; ++c)
          right = right && int(blocks[0].first + blocks[0].column_cycle.place(c)) == columns[c];
        CHECK(right);
        int array = 0;
        own.arrays([&](const char*, ladder::Role, auto&, std::size_t elements) {
          CHECK(blocks[array].rows * blocks[array].columns == elements);
          ++array;
        });
        CHECK(array == 3);
      }
}
