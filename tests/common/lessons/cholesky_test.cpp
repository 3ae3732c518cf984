/// @file
/// The given parts of lesson 04: reader, generators, orders and structure, next to CHOLMOD.
// Guards: lessons/04-cholesky/README.md

#include <cholmod.h>
#include <unistd.h>
#include <zlib.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "given/matrix_market.hpp"
#include "given/ordering.hpp"
#include "given/structure.hpp"
#include "tests/common/catch.hpp"
#include "tiles.hpp"

using namespace cholesky;

namespace {

/// A file that is gone when the test is.
class File {
 public:
  explicit File(const std::string& text, bool packed = false)
      : path_(std::filesystem::temp_directory_path() /
              ("ladder-cholesky-" + std::to_string(getpid()) + ".mtx")) {
    if (!packed) {
      std::ofstream(path_) << text;
      return;
    }
    gzFile file = gzopen(path_.c_str(), "wb");
    gzwrite(file, text.data(), unsigned(text.size()));
    gzclose(file);
  }
  ~File() { std::filesystem::remove(path_); }
  std::string path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// What the reader says of a file, without the file's name: "3: reason".
std::string refusal(const std::string& text, std::optional<std::size_t> memory = {}) {
  const File file(text);
  try {
    read_matrix_market(file.path(), memory);
  } catch (const ladder::Error& error) {
    return std::string(error.what()).substr(file.path().size() + 1);
  }
  return "read";
}

const std::string header = "%%MatrixMarket matrix coordinate real symmetric\n";

void check_small(const Symmetric& A) {
  CHECK(A.n == 3);
  CHECK(A.nnz() == 7);
  CHECK(A.row == std::vector<int>{0, 1, 1, 2, 2});
  CHECK(A.value == std::vector<double>{4, -1, 5, -2, 6});
}

/// No entry joins two parts next to the border, and the order holds each row once.
void check_parts(const Symmetric& A, const Ordering& ordering) {
  std::vector<int> part_of(A.n, -1);
  std::size_t at = 0;
  for (std::size_t part = 0; part < ordering.rows.size(); ++part)
    for (int i = 0; i < ordering.rows[part]; ++i) part_of.at(ordering.order.at(at++)) = int(part);
  CHECK(at == ordering.order.size());
  CHECK(std::set<int>(ordering.order.begin(), ordering.order.end()).size() == std::size_t(A.n));
  const int border = int(ordering.rows.size()) - 1;
  int joined = 0;
  for (int j = 0; j < A.n; ++j)
    for (auto e = A.start[j]; e < A.start[j + 1]; ++e) {
      const int a = part_of[j], b = part_of[A.row[e]];
      joined += a != b && a != border && b != border;
    }
  CHECK(joined == 0);
}

/// CHOLMOD with an order of its own, or with a given one.
class Cholmod {
 public:
  Cholmod(const Symmetric& A, bool metis) {
    cholmod_l_start(&common_);
    common_.nmethods = 1;
    common_.method[0].ordering = metis ? CHOLMOD_METIS : CHOLMOD_NATURAL;
    common_.postorder = metis;
    common_.supernodal = CHOLMOD_SIMPLICIAL;
    common_.final_ll = true;
    A_ = cholmod_l_allocate_sparse(A.n, A.n, A.row.size(), 1, 1, -1, CHOLMOD_REAL, &common_);
    std::copy(A.start.begin(), A.start.end(), static_cast<std::int64_t*>(A_->p));
    std::copy(A.row.begin(), A.row.end(), static_cast<std::int64_t*>(A_->i));
    std::copy(A.value.begin(), A.value.end(), static_cast<double*>(A_->x));
    factor_ = cholmod_l_analyze(A_, &common_);
  }
  ~Cholmod() {
    cholmod_l_free_factor(&factor_, &common_);
    cholmod_l_free_sparse(&A_, &common_);
    cholmod_l_finish(&common_);
  }
  double nnz() const { return common_.lnz; }
  double flops() const { return common_.fl; }
  /// L, entry by entry: visit(row, column, value).
  template <class Visit>
  void factor(Visit visit) {
    cholmod_l_factorize(A_, factor_, &common_);
    const auto *p = static_cast<std::int64_t*>(factor_->p), *i = static_cast<std::int64_t*>(factor_->i),
               *nz = static_cast<std::int64_t*>(factor_->nz);
    const auto* x = static_cast<double*>(factor_->x);
    for (std::int64_t j = 0; j < std::int64_t(factor_->n); ++j)
      for (std::int64_t e = p[j]; e < p[j] + nz[j]; ++e) visit(int(i[e]), int(j), x[e]);
  }

 private:
  cholmod_common common_{};
  cholmod_sparse* A_ = nullptr;
  cholmod_factor* factor_ = nullptr;
};

}  // namespace

TEST_CASE("Matrix Market: comments, gzip, integers, patterns, a missing diagonal") {
  const std::string entries = "3 3 5\n1 1 4\n2 1 -1\n% between\n2 2 5.0\n\n3 2 -2e0\n3 3 6\n";
  check_small(read_matrix_market(File(header + "% a comment\n" + entries).path()));
  check_small(read_matrix_market(File(header + entries, true).path()));
  check_small(read_matrix_market(File(header + "  % indented\n\t%too\n" + entries + " % last\n").path()));
  check_small(read_matrix_market(File("%%MatrixMarket MATRIX Coordinate integer symmetric\r\n3 3 5\r\n3 3 "
                                      "6\r\n1 1 4\r\n2 1 -1\r\n2 2 5\r\n3 2 -2")
                                     .path()));
  const Symmetric pattern = read_matrix_market(
      File("%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n").path());
  CHECK(pattern.value == std::vector<double>{1.01, -1, 2.01, -1, 1.01});
}

TEST_CASE("Matrix Market: a wrong file is refused with its line") {
  CHECK(refusal("1 1 1\n") == "1: does not begin with %%MatrixMarket");
  CHECK(refusal("%%MatrixMarket matrix array real symmetric\n") ==
        "1: format array: only coordinate, which is for sparse matrices");
  CHECK(refusal("%%MatrixMarket matrix coordinate complex symmetric\n") ==
        "1: field complex: only real, integer and pattern");
  CHECK(refusal("%%MatrixMarket matrix coordinate complex hermitian\n") ==
        "1: field complex: only real, integer and pattern");
  CHECK(refusal("%%MatrixMarket matrix coordinate real skew-symmetric\n") ==
        "1: symmetry skew-symmetric: its diagonal is 0, so it is not positive definite");
  CHECK(refusal("%%MatrixMarket matrix coordinate real odd\n") ==
        "1: symmetry odd: only symmetric and general");
  CHECK(refusal("%%MatrixMarket junk coordinate real symmetric\n") == "1: object junk: only matrix");
  CHECK(refusal("%%MatrixMarket matrix coordinate real\n") ==
        "1: has fewer words than %%MatrixMarket matrix coordinate real symmetric");
  CHECK(refusal(header) == "1: ends before the line of sizes");
  CHECK(refusal(header + "3 4 1\n") == "2: 3 rows and 4 columns: not square");
  CHECK(refusal(header + "3 x 1\n") == "2: expected the number of columns, a whole number");
  CHECK(refusal(header + "3 3 99999999999999999999\n") ==
        "2: the number of entries is 99999999999999999999, not in 0 to 6");
  CHECK(refusal(header + "3 3 7\n") == "2: the number of entries is 7, not in 0 to 6");
  CHECK(refusal(header + "3 3 1\n4 1 1\n") == "3: the row is 4, not in 1 to 3");
  CHECK(refusal(header + "3 3 1\n2 1\n") == "3: expected a value after row and column");
  CHECK(refusal(header + "3 3 1\n2 1 nan\n") == "3: the value is not finite");
  for (const std::string value : {"0x6p0", "0X1", "6.5a", "1,5", "1e"})
    CHECK(refusal(header + "3 3 1\n2 1 " + value + "\n") ==
          "3: the value " + value + " is not a decimal number");
  for (const std::string value : {"6.5", "6.0", "1e1"})
    CHECK(refusal("%%MatrixMarket matrix coordinate integer symmetric\n3 3 1\n2 1 " + value + "\n") ==
          "3: the value " + value + " is not a whole number, though the first line says integer");
  CHECK(refusal(header + "3 3 1\n2 1 1 7\n") == "3: more on the line than expected: 7");
  CHECK(refusal(header + "3 3 2\n2 1 1\n") == "3: ends after 1 of the 2 entries announced");
  CHECK(refusal(header + "3 3 1\n2 1 1\n2 2 1\n") == "4: more than the 1 entries announced");
  CHECK(refusal(header + "3 3 2\n2 1 1\n2 1 1\n") == "4: row 2, column 1 is there already, on line 3");
  CHECK(refusal(header + "3 3 2\n2 1 1\n1 2 1\n") ==
        "4: row 1, column 2 is there already, as row 2, column 1, on line 3");
  CHECK(refusal(header + "3 3 2\n1 2 1\n2 1 1\n") ==
        "4: row 2, column 1 is there already, as row 1, column 2, on line 3");
  CHECK_THROWS_AS(read_matrix_market("/nowhere/A.mtx"), ladder::Error);
}

TEST_CASE("Matrix Market: either triangle of a symmetric file, both of a general one") {
  check_small(read_matrix_market(File(header + "3 3 5\n1 2 -1\n2 2 5\n2 3 -2\n3 3 6\n1 1 4\n").path()));
  check_small(read_matrix_market(File(header + "3 3 5\n1 2 -1\n2 2 5\n3 2 -2\n3 3 6\n1 1 4\n").path()));
  const std::string general = "%%MatrixMarket matrix coordinate real general\n";
  const std::string entries = "1 1 4\n1 2 -1\n2 1 -1\n2 2 5\n3 2 -2\n2 3 -2\n3 3 6\n";
  check_small(read_matrix_market(File(general + "3 3 7\n" + entries).path()));
  // a zero may stand without its image
  CHECK(read_matrix_market(File(general + "3 3 8\n" + entries + "1 3 0\n").path()).row.size() == 5);
  CHECK(refusal(general + "3 3 8\n" + entries + "1 3 2.5\n") ==
        "10: row 1, column 3 is 2.5, but row 3, column 1 is not in the file: not symmetric");
  CHECK(refusal(general + "3 3 8\n" + entries + "3 1 2.5\n") ==
        "10: row 3, column 1 is 2.5, but row 1, column 3 is not in the file: not symmetric");
  CHECK(refusal(general + "2 2 2\n1 2 3\n2 1 -3\n") ==
        "4: row 2, column 1 is -3, but row 1, column 2 is 3, on line 3: not symmetric");
  CHECK(refusal(general + "2 2 2\n1 2 3\n1 2 3\n") == "4: row 1, column 2 is there already, on line 3");
  CHECK(refusal(general + "2 2 5\n") == "2: the number of entries is 5, not in 0 to 4");
  CHECK(refusal("%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n") ==
        "3: row 1, column 2 is 1, but row 2, column 1 is not in the file: not symmetric");
}

TEST_CASE("Matrix Market: what is too large for the memory is refused before it is read") {
  const std::string text = header + "1000000 1000000 2000000\n1 1 1\n";
  CHECK(
      refusal(text, 100'000'000) ==
      "2: 1000000 rows and 2000000 entries take up to 1 GB while they are read, more than the memory that is "
      "free here");
  CHECK(refusal(text) == "3: ends after 1 of the 2000000 entries announced");
}

TEST_CASE("The stand-ins have the orders and numbers of entries that the page states") {
  const Symmetric apache = apache2_like(1);
  CHECK(apache.n == 715176);
  CHECK(apache.nnz() == 4817870);
  const Symmetric parabolic = parabolic_fem_like(1);
  CHECK(parabolic.n == 525825);
  CHECK(parabolic.nnz() == 3674625);
  const Symmetric g2 = g2_circuit_like(1), again = g2_circuit_like(2);
  CHECK(g2.n == 150156);
  CHECK(std::abs(g2.nnz() / 726674.0 - 1) < 0.01);
  CHECK(g2.row == again.row);
  CHECK(g2.value != again.value);
  CHECK(g3_circuit_like(1).n == 1586340);
}

TEST_CASE("Orders have bordered block-diagonal form") {
  for (const Symmetric& A :
       {grid(20, 17, 1, 1), shell(9, 8, 1), circuit(25, 25, 40, 1), arrow(70, 2, 1), dense(3, 1),
        from_edges(40, {}, 1), from_edges(60, {{1, 2}, {2, 3}, {50, 51}}, 1)}) {
    for (const int blocks : {1, 2, 4, 8}) check_parts(A, nested_dissection(A, blocks));
    for (const int blocks : {1, 2, 3, 7}) check_parts(A, parallel_sections(A, blocks));
  }
  CHECK_THROWS_AS(nested_dissection(grid(9, 9, 1, 1), 3), ladder::Error);
}

TEST_CASE("Fill: as CHOLMOD counts it, and our order within 10 % of its METIS") {
  for (const Symmetric& A :
       {grid(60, 55, 1, 1), shell(24, 20, 1), circuit(60, 60, 250, 1), grid(12, 13, 11, 1)}) {
    const Fill natural = fill_of(A, nested_dissection(A, 1).order);
    const Cholmod same(permuted(A, nested_dissection(A, 1).order), false);
    CHECK(double(natural.nnz) == same.nnz());
    CHECK(natural.flops == same.flops());
    const Cholmod own(A, true);
    for (const int blocks : {1, 4, 8})
      CHECK(double(fill_of(A, nested_dissection(A, blocks).order).nnz) < 1.1 * own.nnz());
  }
}

TEST_CASE("L by tiles is CHOLMOD's for the same order") {
  // 16 rows of a small tile are solved together, the rest by OpenBLAS, and large tiles only by it.
  const int s = GENERATE(8, 17, 32, 97);
  CAPTURE(s);
  for (const Symmetric& A : {grid(13, 11, 1, 3), shell(6, 5, 3), circuit(15, 15, 20, 3)}) {
    const Ordering ordering = nested_dissection(A, 4);
    const Structure structure = structure_of(A, ordering, s);
    Problem p = shape_of(structure);
    std::vector<double> L(std::size_t(p.tiles) * p.s * p.s);
    p.L = L.data();
    p.column_start = structure.column_start.data();
    p.tile_row = structure.tile_row.data();
    fill_tiles(structure, A, NAN, p);
    Symmetric pattern = A;
    std::fill(pattern.value.begin(), pattern.value.end(), 0.0);
    CHECK(matrix_in_tiles(structure, pattern, p).value == A.value);
    for (int k = 0; k < p.tile_columns; ++k) {
      const int d = p.column_start[k], end = p.column_start[k + 1];
      REQUIRE(factorise_tile(tile(p, d), p.s) == 0);
      for (int t = d + 1; t < end; ++t) solve_tile(tile(p, d), tile(p, t), p.s);
      for (int u = d + 1; u < end; ++u)
        for (int t = u; t < end; ++t) {
          const int to = find(p, p.tile_row[t], p.tile_row[u]);
          REQUIRE(to >= 0);
          update_tile(tile(p, t), tile(p, u), tile(p, to), p.s);
        }
    }
    int wrong = 0;
    Cholmod(permuted(A, ordering.order), false).factor([&](int i, int j, double value) {
      const int row = structure.place[ordering.order[i]], column = structure.place[ordering.order[j]];
      const int t = find(p, row / p.s, column / p.s);
      REQUIRE(t >= 0);
      wrong += !(std::abs(tile(p, t)[column % p.s * p.s + row % p.s] - value) < 1e-12);
    });
    CHECK(wrong == 0);
  }
}

TEST_CASE("Every part begins with a tile of its own, and no tile joins two blocks") {
  const Symmetric A = grid(14, 14, 1, 1);
  const Structure structure = structure_of(A, nested_dissection(A, 4), 8);
  const int border = structure.part_start[4];
  for (int q = 0; q < 4; ++q)
    for (int k = structure.part_start[q]; k < structure.part_start[q + 1]; ++k)
      for (int t = structure.column_start[k]; t < structure.column_start[k + 1]; ++t)
        CHECK((structure.tile_row[t] < structure.part_start[q + 1] || structure.tile_row[t] >= border));
}
