/// @file
/// m2: SUMMA. In m1 all matrices begin and end on rank 0. Here they are distributed: ranks form a grid, and
/// each has a block of A, of B and of C in the memory of its GPU. The sum is computed in panels of terms: who
/// has the columns of A broadcasts them along its row of the grid, who has the rows of B along its column,
/// and every rank multiplies the two. Source: R. van de Geijn and J. Watts, SUMMA, 1997.

#include <algorithm>
#include <vector>

#include "common/device/cuda.hpp"
#include "common/device/nccl.hpp"
#include "panel_product.cuh"
#include "problem.hpp"

namespace dgemm {
namespace {

using ladder::check;
using std::size_t;

}  // namespace

/// C = A B, each matrix in blocks over a grid of ranks.
/// @throws ladder::Error when the device refuses a launch, or a call of NCCL fails.
void summa(const Problem& p) {
  const Grid grid = p.grid;
  const Range rows = share(p.m, grid.rows, grid.row), columns = share(p.n, grid.columns, grid.column);
  const Range columns_of_a = share(p.k, grid.columns, grid.column),
              rows_of_b = share(p.k, grid.rows, grid.row);
  const int depth = panel_depth(p.k);
  const ladder::PooledBuffer<double> A(size_t(rows.size) * depth), B(size_t(columns.size) * depth);
  check(cudaMemset2DAsync(p.C, p.ldc * sizeof(double), 0, columns.size * sizeof(double), rows.size));

  // BEGIN SOLUTION Two communicators: of the ranks in this rank's row of the grid, and of those in its
  //  column. ladder::communicator takes a color for each rank of the grid.
  //| ladder::task();  // Delete this line when you start.
  std::vector<int> row_of(grid.rows * grid.columns), column_of(row_of);
  for (int r = 0; r < grid.rows * grid.columns; ++r) {
    row_of[r] = r / grid.columns;
    column_of[r] = r % grid.columns;
  }
  // Ranks keep their order: in its row a rank has the number of its column, in its column that of its row.
  const ncclComm_t in_row = ladder::communicator(row_of), in_column = ladder::communicator(column_of);
  // END SOLUTION

  int i = 0, j = 0;  // of the grid: the row that has row p0 of B, and the column that has column p0 of A
  for (int p0 = 0, terms = 0; p0 < p.k; p0 += terms) {
    while (share(p.k, grid.rows, i).end() <= p0) ++i;
    while (share(p.k, grid.columns, j).end() <= p0) ++j;
    // BEGIN SOLUTION The terms of a panel are all in one block of A and in one block of B: how many are they?
    //  Their owners pack them, and broadcast them to their row or column of the grid. Then add the product.
    //  Everything is in the default stream, NCCL's calls as well: each waits for what was issued before.
    //| terms = p.k;
    terms = std::min({depth, share(p.k, grid.rows, i).end() - p0, share(p.k, grid.columns, j).end() - p0});
    if (j == grid.column) pack(A.get(), p.A + (p0 - columns_of_a.first), p.lda, rows.size, terms);
    if (i == grid.row)
      pack(B.get(), p.B + (p0 - rows_of_b.first) * size_t(p.ldb), p.ldb, terms, columns.size);
    check(ncclBroadcast(A.get(), A.get(), size_t(rows.size) * terms, ncclDouble, j, in_row, nullptr));
    check(ncclBroadcast(B.get(), B.get(), size_t(columns.size) * terms, ncclDouble, i, in_column, nullptr));
    add_product(rows.size, columns.size, terms, A.get(), B.get(), p.C, p.ldc);
    // END SOLUTION
  }
}

}  // namespace dgemm
