/// @file
/// A user's matrix in lesson 04: what is judged of it, and what is refused. Its condition is above 10^6.
// Guards: lessons/04-cholesky/README.md#your-own-matrix

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <string>
#include <vector>

#include "common/base/error.hpp"
#include "common/judge/session/instance.hpp"
#include "grillage.hpp"
#include "problems.hpp"
#include "reference.hpp"
#include "tests/common/catch.hpp"
#include "tiles.hpp"
#include "verify.hpp"

using namespace cholesky;
using test::Case;

namespace {

/// A matrix in a file of a name of its own, since what was read from a name is kept.
class MatrixFile {
 public:
  explicit MatrixFile(const std::string& text) {
    static int count = 0;
    path_ = std::filesystem::temp_directory_path() /
            ("ladder-matrix-" + std::to_string(getpid()) + "-" + std::to_string(++count) + ".mtx");
    std::ofstream(path_) << text;
  }
  ~MatrixFile() { std::filesystem::remove(path_); }
  std::string path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// What is said of a file, without its name: ":7: reason".
std::string refused(const std::string& text, std::optional<std::size_t> memory = {}) {
  const MatrixFile file(text);
  try {
    test::of_file(file.path(), true, memory);
  } catch (const ladder::Error& error) {
    return std::string(error.what()).substr(file.path().size());
  }
  return "taken";
}

/// A case with its inputs, and the result of the reference.
struct Solved {
  explicit Solved(const Case& of) : c(of), instance(test::shape(of)) {
    ladder::Random random(7);
    test::fill(c, random, instance.given());
    const Problem &given = instance.given(), &got = instance.got();
    std::copy_n(given.L, std::size_t(given.tiles) * given.s * given.s, got.L);
    Problem work = given;
    work.L = got.L, work.x = got.x, work.info = got.info;
    *got.info = test::factorise(work);
    solve(work);
  }
  std::string wrong() const { return test::compare(c, instance.given(), instance.got()).wrong; }

  Case c;
  ladder::Instance<Problem> instance;
};

}  // namespace

TEST_CASE("A matrix of condition 10^6 and more is solved with a backward error as small as any other's") {
  const MatrixFile file(test::grillage(29, 7));
  const Case c = test::of_file(file.path(), true);
  CHECK(c.size == 588);
  CHECK(test::name(c) ==
        std::filesystem::path(file.path()).filename().string() + ", n = 588, tiles of 16, 8 blocks");
  const Solved solved(c);
  const Problem &given = solved.instance.given(), &got = solved.instance.got();
  const auto found = test::compare(c, given, got);
  CHECK(found.wrong == "");
  CHECK(found.error < 1e-15);
  // A diagonal entry is at most the largest eigenvalue. Inverse iteration finds the smallest one from above.
  const Symmetric& A = test::prepare(c)->A;
  CHECK(std::count(given.L, given.L + std::size_t(given.tiles) * given.s * given.s, A.value[0]) > 0);
  double largest = 0;
  for (int i = 0; i < A.n; ++i) largest = std::max(largest, A.value[A.start[i]]);
  std::vector<double> b, x(got.x, got.x + got.n);
  Problem again = given;
  again.L = got.L, again.x = x.data();
  for (int i = 0; i < 5; ++i) {
    b = x;
    again.b = b.data();
    solve(again);
  }
  const double smallest = std::inner_product(x.begin(), x.end(), b.begin(), 0.0) /
                          std::inner_product(x.begin(), x.end(), x.begin(), 0.0);
  CHECK(largest / smallest > 1e6);
  CHECK(!test::compared(c, given, got));  // another x may be as good
}

TEST_CASE("Of a user's matrix L is right when L L^T is A, and x by its backward error") {
  const MatrixFile file(test::grillage(6, 5));
  const Case c = test::of_file(file.path(), false);
  Solved solved(c);
  const Problem& got = solved.instance.got();
  CHECK(solved.wrong() == "");
  double& element = tile(got, got.tiles - 1)[0];
  const double right = element;
  element = right * (1 + 1e-10);
  CHECK(solved.wrong().find("|A - L L^T| / sqrt(A[") != std::string::npos);
  element = right * (1 + 1e-14);  // rounding
  CHECK(solved.wrong() == "");
  element = 2 * right;
  CHECK(solved.wrong().find("1 of ") == 0);  // "1 of 12 tiles of L wrong"
  element = right;
  got.x[0] += 1e-6 * std::abs(got.x[0]);
  CHECK(solved.wrong().find("||Ax - b||") == 0);
}

TEST_CASE("In a matrix of many scales a wrong x shows in every row") {
  using test::Pattern;
  for (const auto& [pattern, size, tile] : {std::tuple{Pattern::grid, 8, 4}, {Pattern::shell, 5, 8}}) {
    Solved solved({"ill-scaled", pattern, size, tile, 2, test::Special::ill_scaled});
    const auto found = test::compare(solved.c, solved.instance.given(), solved.instance.got());
    CHECK(found.wrong == "");
    CHECK(found.error < 1e-15);
    const Problem& got = solved.instance.got();
    for (int i = 0; i < got.n; ++i) {
      if (got.row_of[i] < 0) continue;  // padding
      CAPTURE(i);
      const double right = got.x[i];
      got.x[i] = right * (1 + 1e-9);
      CHECK(solved.wrong().find("||Ax - b||") == 0);
      got.x[i] = right;
    }
  }
}

TEST_CASE("A matrix that is not positive definite, or too large, is refused with a line") {
  const std::string header = "%%MatrixMarket matrix coordinate real symmetric\n% rows\n3 3 4\n";
  CHECK(refused(header + "1 1 4\n2 2 -5\n3 2 1\n3 3 6\n") ==
        ":5: not positive definite: the diagonal entry of row 2 is -5");
  CHECK(refused("%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n1 1 4\n") ==
        ": not positive definite: the diagonal entry of row 2 is 0");
  // Which of the two rows is eliminated later is METIS's choice.
  const std::string pivot = refused(header + "1 1 4\n2 2 1\n3 2 2\n3 3 1\n");
  CHECK(pivot.find(": not positive definite: in the factorisation the pivot of row ") == 2);
  CHECK(refused(test::grillage(6, 5), 1000).find(": its factor in tiles takes ") == 0);
  CHECK(refused("%%MatrixMarket matrix coordinate complex symmetric\n1 1 1\n1 1 1 0\n") ==
        ":1: field complex: only real, integer and pattern");
  CHECK(refused("%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1\n") == "taken");
}
