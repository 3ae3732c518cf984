/// @file
/// Lesson 03, g7: threads that copy rows together.
// Guards: lessons/03-dgemm/README.md#g7--matrices-on-the-host-copies-during-the-products

#include <cstddef>
#include <thread>
#include <vector>

#include "lessons/03-dgemm/copy_team.hpp"
#include "tests/common/catch.hpp"

using dgemm::CopyTeam;

namespace {

/// Copies rows with padding. @return whether they arrived, and the padding of the target is what it was.
bool copies(CopyTeam& team, int rows, int columns) {
  const std::size_t ld_from = columns + 3, ld_to = columns + 5;
  std::vector<double> from(ld_from * rows), to(ld_to * rows, -1);
  for (std::size_t e = 0; e < from.size(); ++e) from[e] = double(e);
  team.copy({to.data(), ld_to, from.data(), ld_from, rows, columns});
  for (int i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < ld_to; ++j)
      if (to[i * ld_to + j] != (j < std::size_t(columns) ? from[i * ld_from + j] : -1)) return false;
  return true;
}

constexpr std::size_t large = std::size_t(4) << 20;

}  // namespace

TEST_CASE("a team copies one row, none, one of many columns, and many") {
  CopyTeam team(large);
  for (int again = 0; again < 20; ++again) {
    CHECK(copies(team, 1, 1));
    CHECK(copies(team, 0, 7));
    CHECK(copies(team, 3, 200000));
    CHECK(copies(team, 1021, 509));
    CHECK(copies(team, 5, 0));
  }
}

TEST_CASE("two streams may let one team copy at the same time") {
  CopyTeam team(large);
  bool first = true, second = true;
  std::thread other([&] {
    for (int again = 0; again < 30; ++again) second = copies(team, 700, 300) && second;
  });
  for (int again = 0; again < 30; ++again) first = copies(team, 500, 400) && first;
  other.join();
  CHECK(first);
  CHECK(second);
}

TEST_CASE("small copies start no thread, and a team ends without any copy") {
  const CopyTeam small(CopyTeam::share_bytes - 1);
  CHECK(small.others() == 0);
  const CopyTeam team(large);
  CHECK(team.others() <= 7);
}
