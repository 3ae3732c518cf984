// Private tests of lesson 03: an example. Copy this folder out of the checkout, change it, and keep it to
// yourself.
#include "common/judge/private_tests.hpp"
#include "dgemm_test.cpp"  // the lesson's suite: its problems, how a result is verified

namespace {

/// Problems that no visible case has; names of classes are all that a student reads of them.
std::vector<test::Case> private_cases(const Step&) {
  using enum test::Entries;
  return {
      {"general", 72, 56, 104},
      {"tails", 45, 71, 29},
      {"tails", 97, 31, 66, uniform, 5, 2, 9},
      {"ill-scaled", 39, 58, 77, ill_scaled},
      {"not finite", 51, 34, 62, not_finite},
  };
}

const ladder::PrivateTable table({
    {"g1_naive.cu", [](Step& row) { row.points.correctness = 3; }},
    {"g2_shared_tiles.cu",
     [](Step& row) {
       row.points.correctness = 3;
       row.points.targets = 2;
       row.targets[0].size = 224;  // the idea must hold at another size, too
     }},
});

}  // namespace

LADDER_PRIVATE_JUDGE(suite, table, private_cases)
