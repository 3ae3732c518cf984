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

  // TASK, 6 lines: Two communicators: of the ranks in this rank's row of the grid, and of those in its
  //  column. ladder::communicator takes a color for each rank of the grid.
  ladder::task();  // Delete this line when you start.

  int i = 0, j = 0;  // of the grid: the row that has row p0 of B, and the column that has column p0 of A
  for (int p0 = 0, terms = 0; p0 < p.k; p0 += terms) {
    while (share(p.k, grid.rows, i).end() <= p0) ++i;
    while (share(p.k, grid.columns, j).end() <= p0) ++j;
    // TASK, 7 lines: The terms of a panel are all in one block of A and in one block of B: how many are they?
    //  Their owners pack them, and broadcast them to their row or column of the grid. Then add the product.
    //  Everything is in the default stream, NCCL's calls as well: each waits for what was issued before.
    terms = p.k;
  }
}

}  // namespace dgemm
