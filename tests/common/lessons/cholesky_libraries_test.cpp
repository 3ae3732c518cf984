/// @file
/// The libraries that `./ladder reproduce 04` times: a row for each, also for one that is not here.
// Guards: docs/measuring.md#tables-of-the-sources

#include <string>
#include <vector>

#include "libraries.hpp"
#include "tests/common/catch.hpp"

using namespace cholesky;

TEST_CASE("lesson 04's table of libraries has a row for each, and says why one has nothing") {
  const Symmetric A = grid(12, 10, 3, 1);
  const auto runs = test::run_libraries(A, nested_dissection(A, 4).order, 10);
  std::vector<std::string> names;
  for (const auto& run : runs) names.push_back(run.name);
  CHECK(names == std::vector<std::string>{"CHOLMOD, our ordering", "CHOLMOD, its own",
                                          "Eigen SimplicialLLT, AMD", "cuDSS, its own"});
  for (const auto& run : runs) {
    INFO(run.name << ": " << run.reason);
    if (run.reason.empty()) {
      CHECK(run.analysis > 0);
      CHECK(run.factorisation > 0);
      CHECK(run.solve > 0);
      CHECK(run.nnz >= std::int64_t(A.row.size()));  // an entry of A is one of L, in any order
      CHECK(run.error < 1e-14);
    } else {
      CHECK(run.name == "cuDSS, its own");  // the others are always there
      CHECK(run.factorisation == 0);
      CHECK(run.error == 0);
    }
  }
}

TEST_CASE("cuDSS: what was looked for is the reason") {
  const Symmetric A = grid(4, 4, 1, 1);
  const auto run = test::run_cudss(A, 10);
  CHECK(run.name == "cuDSS, its own");
  const std::string expected = CUDSS_EXPECTED;  // what CMake found out
  if (!expected.empty())
    CHECK(run.reason == expected);
  else if (!run.reason.empty())
    CHECK(run.reason == "there is no GPU");  // any other is a failure of the library or of its call
}
