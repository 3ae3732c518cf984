/// @file
/// m1: MPI. Each process computes some rows of C. It needs the same rows of A, and all of B: the rows of A
/// are scattered, B is broadcast, the rows of C are gathered. Rank 0 has the matrices; elsewhere A, B, C are
/// null. Source: work D, MPI version (block decomposition).

#include <algorithm>
#include <vector>

#include "common/device/mpi.hpp"
#include "problem.hpp"

namespace dgemm {
namespace {

using ladder::check;
using std::size_t;

/// C = A B for a process's own rows.
void multiply(int m, int n, int k,          // the sum has k terms
              const double* A, size_t lda,  // m x k, lda
              const double* B, size_t ldb,  // k x n, ldb
              double* C, size_t ldc) {      // m x n, ldc
  for (int i = 0; i < m; ++i) {
    std::fill(C + i * ldc, C + i * ldc + n, 0.0);
    for (int p = 0; p < k; ++p)
      for (int j = 0; j < n; ++j) C[i * ldc + j] += A[i * lda + p] * B[p * ldb + j];
  }
}

/// A row of a matrix as one MPI element: `columns` doubles, the next row `ld` doubles further. With it a
/// count is a number of rows (no overflow of int), a displacement is a row index, and padding stays at home.
ladder::Datatype row_type(int columns, size_t ld) {
  ladder::Datatype doubles, row;
  check(MPI_Type_contiguous(columns, MPI_DOUBLE, doubles.put()));
  check(MPI_Type_create_resized(doubles.get(), 0, MPI_Aint(ld * sizeof(double)), row.put()));
  check(MPI_Type_commit(row.put()));
  return row;
}

}  // namespace

/// C = A B on all ranks of MPI_COMM_WORLD; the result is on rank 0.
/// @throws ladder::Error when an MPI call fails.
void mpi(const Problem& p) {
  // BEGIN SOLUTION Divide the rows of C among the ranks: at most one row of difference, and m may be less
  //  than ranks. rows[r] and first[r] are the number of rows of rank r and the first of them. Then give each
  //  rank its rows of A and all of B, multiply, and send the rows of C back to rank 0. Only rank 0 has
  //  matrices and their padding.
  //| ladder::task();  // Delete this line when you start.
  int ranks = 0, rank = 0;
  check(MPI_Comm_size(MPI_COMM_WORLD, &ranks));
  check(MPI_Comm_rank(MPI_COMM_WORLD, &rank));

  std::vector<int> rows(ranks), first(ranks);
  for (int r = 0; r < ranks; ++r) {
    rows[r] = p.m / ranks + (r < p.m % ranks);  // the first ranks take the remainder
    first[r] = r == 0 ? 0 : first[r - 1] + rows[r - 1];
  }
  const int own = rows[rank];
  const bool root = rank == 0;

  // Rank 0 works in the matrices themselves: its rows are the first ones, at their place already.
  std::vector<double> A(root ? 0 : size_t(own) * p.k), B(root ? 0 : size_t(p.k) * p.n);
  std::vector<double> C(root ? 0 : size_t(own) * p.n);
  const size_t lda = root ? p.lda : p.k, ldb = root ? p.ldb : p.n, ldc = root ? p.ldc : p.n;
  const ladder::Datatype a_row = row_type(p.k, lda), b_row = row_type(p.n, ldb), c_row = row_type(p.n, ldc);

  check(MPI_Scatterv(p.A, rows.data(), first.data(), a_row.get(), root ? MPI_IN_PLACE : A.data(), own,
                     a_row.get(), 0, MPI_COMM_WORLD));
  check(MPI_Bcast(root ? const_cast<double*>(p.B) : B.data(), p.k, b_row.get(), 0, MPI_COMM_WORLD));

  multiply(own, p.n, p.k, root ? p.A : A.data(), lda, root ? p.B : B.data(), ldb, root ? p.C : C.data(), ldc);

  check(MPI_Gatherv(root ? MPI_IN_PLACE : C.data(), own, c_row.get(), p.C, rows.data(), first.data(),
                    c_row.get(), 0, MPI_COMM_WORLD));
  // END SOLUTION
}

}  // namespace dgemm
