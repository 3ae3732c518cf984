// Which cases are watched for findings: each class, at sizes that are small enough.
// Guards: docs/rungs.md#what-the-words-mean

#include <vector>

#include "common/judge/findings/finding_cases.hpp"
#include "tests/common/catch.hpp"

using namespace ladder;

namespace {

Case one_case(const char* group, std::size_t bytes, double operations = 0) {
  Case one{.group = group, .label = "", .shape = {.scalars = {}, .arrays = {{"A", Role::in, bytes, 0}}}};
  if (operations > 0) one.model = [operations] { return Work{.fp64 = operations}; };
  return one;
}

using Watched = std::vector<FindingCase>;

Watch kernels() {
  Watch watch;
  watch.largest = 100;
  return watch;
}

Watch races() {
  Watch watch = kernels();
  watch.looks_for = "races";
  watch.repetitions = 3;
  return watch;
}

}  // namespace

TEST_CASE("watched cases: of each class the first and the largest that is small, none that must be refused") {
  std::vector<Case> cases{one_case("general", 10), one_case("general", 100), one_case("general", 90),
                          one_case("tails", 1),    one_case("tails", 1000),  one_case("wrong", 5)};
  cases.back().refused = "it must be refused";
  CHECK(finding_cases(cases, kernels()) == Watched{{0, 1}, {1, 1}, {3, 1}});
  CHECK(finding_cases(cases, races()) == Watched{{0, 3}, {1, 3}, {3, 3}});
}

TEST_CASE("watched cases: kernels see the first case of a class at any size, sanitizers small ones") {
  const std::vector<Case> cases{one_case("general", 10), one_case("several blocks", 500),
                                one_case("several blocks", 80), one_case("parts", 5000)};
  CHECK(finding_cases(cases, kernels()) == Watched{{0, 1}, {1, 1}, {3, 1}});
  CHECK(finding_cases({cases[0], cases[1], cases[2]}, races()) == Watched{{0, 3}, {2, 3}});
}

TEST_CASE(
    "watched cases: sanitizers see one large case, once: the class with the least work, and not seconds of "
    "it") {
  const std::vector<Case> cases{one_case("general", 10, 1e3),  one_case("classes", 10, 2e8),
                                one_case("threads", 500, 1e8), one_case("threads", 900, 1e7),
                                one_case("times", 500, 1.1e8), one_case("seeds", 90, 4e6)};
  CHECK(finding_cases(cases, races()) == Watched{{0, 3}, {2, 1}, {5, 3}});
  CHECK(finding_cases({cases[0], cases[1]}, races()) == Watched{{0, 3}});  // few bytes, but seconds
  CHECK(finding_cases({cases[0], cases[1]}, kernels()) == Watched{{0, 1}, {1, 1}});
}

TEST_CASE("watched cases: where none is small, the least one is watched all the same") {
  const std::vector<Case> cases{one_case("general", 3000, 9e8), one_case("tails", 4000, 8e8)};
  CHECK(finding_cases(cases, races()) == Watched{{1, 3}});
  CHECK(finding_cases({}, races()).empty());
}
