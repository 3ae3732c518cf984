#include "libraries.hpp"

#include <cholmod.h>
#include <fmt/format.h>

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>

#include "common/base/error.hpp"
#include "tests/04-cholesky/cholmod_start.hpp"

namespace cholesky::test {

std::vector<double> right_hand_side(int n) {
  std::vector<double> b(n);
  for (int i = 0; i < n; ++i) b[i] = std::sin(0.7 * i + 1);
  return b;
}

double error_of(const Symmetric& A, const double* x, const std::vector<double>& b) {
  std::vector<double> residual = b, row_sum(A.n, 0.0);
  const auto add = [&](int i, int j, double value) {
    residual[i] -= value * x[j];
    row_sum[i] += std::abs(value);
  };
  double largest_x = 0, largest_b = 0, largest_row = 0, largest = 0;
  for (int j = 0; j < A.n; ++j)
    for (std::int64_t e = A.start[j]; e < A.start[j + 1]; ++e) {
      add(A.row[e], j, A.value[e]);
      if (A.row[e] != j) add(j, A.row[e], A.value[e]);
    }
  for (int i = 0; i < A.n; ++i) {
    largest = std::max(largest, std::abs(residual[i]));
    largest_row = std::max(largest_row, row_sum[i]);
    largest_x = std::max(largest_x, std::abs(x[i]));
    largest_b = std::max(largest_b, std::abs(b[i]));
  }
  return largest / (largest_row * largest_x + largest_b);
}

namespace {

using ladder::Stopwatch;

/// CHOLMOD's settings and what it acquires.
class Cholmod {
 public:
  explicit Cholmod(const Symmetric& A) {
    start_cholmod(common_);
    A_ = cholmod_l_allocate_sparse(A.n, A.n, A.row.size(), 1, 1, -1, CHOLMOD_REAL, &common_);
    if (!A_) throw ladder::Error("CHOLMOD has no memory");
    std::copy(A.start.begin(), A.start.end(), static_cast<std::int64_t*>(A_->p));
    std::copy(A.row.begin(), A.row.end(), static_cast<std::int64_t*>(A_->i));
    std::copy(A.value.begin(), A.value.end(), static_cast<double*>(A_->x));
  }
  ~Cholmod() {
    cholmod_l_free_dense(&x_, &common_);
    cholmod_l_free_factor(&factor_, &common_);
    cholmod_l_free_sparse(&A_, &common_);
    cholmod_l_finish(&common_);
  }
  Cholmod(const Cholmod&) = delete;
  Cholmod& operator=(const Cholmod&) = delete;

  /// @param order  of the rows; empty: CHOLMOD chooses
  LibraryRun run(const Symmetric& A, const std::vector<int>& order, double most_seconds) {
    LibraryRun result;
    const Stopwatch analysis;
    if (order.empty()) {
      factor_ = cholmod_l_analyze(A_, &common_);
    } else {
      common_.nmethods = 1;
      common_.method[0].ordering = CHOLMOD_GIVEN;
      std::vector<std::int64_t> given(order.begin(), order.end());
      factor_ = cholmod_l_analyze_p(A_, given.data(), nullptr, 0, &common_);
    }
    if (!factor_) throw ladder::Error("CHOLMOD could not analyse");
    result.analysis = analysis.seconds();
    result.nnz = std::int64_t(common_.lnz);
    result.flops = common_.fl;
    if (common_.fl / 5e9 > most_seconds) {
      result.reason = fmt::format("expected to take over {:.0f} s", most_seconds);
      return result;
    }
    result.factorisation = seconds_of([&] { cholmod_l_factorize(A_, factor_, &common_); });
    std::vector<double> values = right_hand_side(A.n);
    cholmod_dense b{};
    b.nrow = b.nzmax = b.d = values.size();
    b.ncol = 1;
    b.x = values.data();
    b.xtype = CHOLMOD_REAL;
    b.dtype = CHOLMOD_DOUBLE;
    result.solve = seconds_of([&] {
      cholmod_l_free_dense(&x_, &common_);
      x_ = cholmod_l_solve(CHOLMOD_A, factor_, &b, &common_);
    });
    if (!x_) throw ladder::Error("CHOLMOD could not solve");
    result.error = error_of(A, static_cast<const double*>(x_->x), values);
    return result;
  }

 private:
  cholmod_common common_{};
  cholmod_sparse* A_ = nullptr;
  cholmod_factor* factor_ = nullptr;
  cholmod_dense* x_ = nullptr;
};

LibraryRun run_eigen(const Symmetric& A, double most_seconds) {
  LibraryRun result;
  using Sparse = Eigen::SparseMatrix<double>;
  std::vector<Eigen::Triplet<double>> entries;
  for (int j = 0; j < A.n; ++j)
    for (std::int64_t e = A.start[j]; e < A.start[j + 1]; ++e) entries.emplace_back(A.row[e], j, A.value[e]);
  Sparse matrix(A.n, A.n);
  matrix.setFromTriplets(entries.begin(), entries.end());
  Eigen::SimplicialLLT<Sparse, Eigen::Lower> solver;
  const Stopwatch analysis;
  solver.analyzePattern(matrix);
  result.analysis = analysis.seconds();
  const auto& permutation = solver.permutationPinv().indices();
  const Fill fill = fill_of(A, {permutation.data(), permutation.data() + permutation.size()});
  result.nnz = fill.nnz, result.flops = fill.flops;
  if (fill.flops / 0.5e9 > most_seconds) {
    result.reason = fmt::format("expected to take over {:.0f} s", most_seconds);
    return result;
  }
  result.factorisation = seconds_of([&] { solver.factorize(matrix); });
  std::vector<double> b = right_hand_side(A.n);
  Eigen::VectorXd x;
  result.solve = seconds_of([&] { x = solver.solve(Eigen::Map<const Eigen::VectorXd>(b.data(), A.n)); });
  result.error = error_of(A, x.data(), b);
  return result;
}

}  // namespace

LibraryRun run_cholmod(const Symmetric& A, const std::vector<int>& order, double most_seconds) {
  return Cholmod(A).run(A, order, most_seconds);
}

std::vector<LibraryRun> run_libraries(const Symmetric& A, const std::vector<int>& order,
                                      double most_seconds) {
  std::vector<LibraryRun> all;
  all.push_back(Cholmod(A).run(A, order, most_seconds));
  all.back().name = "CHOLMOD, our ordering";
  all.push_back(Cholmod(A).run(A, {}, most_seconds));
  all.back().name = "CHOLMOD, its own";
  all.push_back(run_eigen(A, most_seconds));
  all.back().name = "Eigen SimplicialLLT, AMD";
  all.push_back(run_cudss(A, most_seconds));
  return all;
}

}  // namespace cholesky::test
