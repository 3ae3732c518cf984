/// @file
/// Lesson 01: which columns of a matrix each rank has, one by one, and which elements each rank of a grid.
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

TEST_CASE("LU over a grid of ranks: each element is in one rank, where its row and its column say") {
  for (const int n : {0, 1, 64, 65, 200, 321})
    for (const int ranks : {1, 2, 3, 4, 6, 9}) {
      const lu::Problem whole{.n = n, .ranks = {.grid = true}};
      std::vector<int> owners(std::size_t(n) * n);
      bool right = true;
      for (int rank = 0; rank < ranks; ++rank) {
        CAPTURE(n, ranks, rank);
        const lu::Problem own = whole.part(rank, ranks);
        const ladder::Block block = own.blocks(whole)[0];
        CHECK(int(block.rows) == own.ranks.share_of_rows(n));
        CHECK(int(block.columns) == own.lda);
        for (std::size_t r = 0; r < block.rows; ++r)
          for (std::size_t c = 0; c < block.columns; ++c) {
            const std::size_t element =
                block.first + block.row_cycle.place(r) * block.ld + block.column_cycle.place(c);
            const int row = int(element) / n, column = int(element) % n;
            ++owners.at(element);
            right = right && row / 64 % own.ranks.rows() == own.ranks.row() &&
                    column / 64 % own.ranks.columns() == own.ranks.column() &&
                    own.ranks.share_of_rows(row) == int(r) && own.ranks.share(column) == int(c);
          }
      }
      for (const int count : owners) right = right && count == 1;
      CAPTURE(n, ranks);
      CHECK(right);
    }
  CHECK(lu::Ranks{0, 6, true}.rows() == 2);
  CHECK(lu::Ranks{0, 9, true}.columns() == 3);
  CHECK(lu::Ranks{0, 4}.rows() == 1);
}
