/// @file
/// m3: panels broadcast under the product. In m2 all work is in one stream, and the GPU waits for each
/// broadcast. Here broadcasts have a stream of their own, and panels two places in memory: while one is
/// multiplied, the next one is sent. Source: R. Agarwal, F. Gustavson and M. Zubair, A High-Performance
/// Matrix-Multiplication Algorithm on a Distributed-Memory Parallel Computer, Using Overlapped Communication,
/// 1994.

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

constexpr int in_flight = 2;  // panels in memory at once: one is multiplied, one is sent

/// A place for a panel of A and one of B, and when the other stream may use it.
struct Panel {
  ladder::PooledBuffer<double> A, B;
  ladder::Event arrived{cudaEventDisableTiming};     // it can be multiplied
  ladder::Event multiplied{cudaEventDisableTiming};  // nobody reads it any more

  Panel(int rows, int columns, int depth) : A(size_t(rows) * depth), B(size_t(columns) * depth) {}
};

}  // namespace

/// C = A B, each matrix in blocks over a grid of ranks.
/// @throws ladder::Error when the device refuses a launch, or a call of NCCL fails.
void broadcast_under_product(const Problem& p) {
  const Grid grid = p.grid;
  const Range rows = share(p.m, grid.rows, grid.row), columns = share(p.n, grid.columns, grid.column);
  const Range columns_of_a = share(p.k, grid.columns, grid.column),
              rows_of_b = share(p.k, grid.rows, grid.row);
  // Blocking streams: they begin after the default stream's fill of C, and what comes later in the default
  // stream waits for them. They are there longer than the memory, which the default stream gives back. A
  // broadcast is a kernel of few blocks: with the greatest priority these do not queue behind those of a
  // product.
  const ladder::Stream products, broadcasts(cudaStreamDefault, ladder::greatest_priority());
  const int depth = panel_depth(p.k);
  std::vector<Panel> panels;
  for (int q = 0; q < in_flight; ++q) panels.emplace_back(rows.size, columns.size, depth);
  check(cudaMemset2DAsync(p.C, p.ldc * sizeof(double), 0, columns.size * sizeof(double), rows.size));

  std::vector<int> row_of(grid.rows * grid.columns), column_of(row_of);
  for (int r = 0; r < grid.rows * grid.columns; ++r) {
    row_of[r] = r / grid.columns;
    column_of[r] = r % grid.columns;
  }
  const ncclComm_t in_row = ladder::communicator(row_of), in_column = ladder::communicator(column_of);

  int i = 0, j = 0;  // of the grid: the row that has row p0 of B, and the column that has column p0 of A
  for (int p0 = 0, terms = 0, q = 0; p0 < p.k; p0 += terms, ++q) {
    while (share(p.k, grid.rows, i).end() <= p0) ++i;
    while (share(p.k, grid.columns, j).end() <= p0) ++j;
    terms = std::min({depth, share(p.k, grid.rows, i).end() - p0, share(p.k, grid.columns, j).end() - p0});
    // TASK, 17 lines: Panel q, packed, broadcast and multiplied as in m2, but in two streams. Which place
    //  does it take, and what must its stream wait for before it writes there? When may the product begin?
    //  Record `arrived` and `multiplied` where they are waited for. A wait for an event that nobody has
    //  recorded is over at once. The broadcasts do not need each other: between ncclGroupStart and
    //  ncclGroupEnd NCCL gets both at once.
    ladder::task();  // Delete this line when you start.
  }
}

}  // namespace dgemm
