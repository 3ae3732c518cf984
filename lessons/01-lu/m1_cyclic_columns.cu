/// @file
/// m1: LU over GPUs. Blocks of columns are dealt out to the ranks in turn, each in the memory of its GPU. The
/// rank that has a block factorises it and broadcasts it. Then every rank moves its rows, and changes its
/// columns on the right. Before: t4, whose blocks are all on one GPU. Source: J. Dongarra, R. van de Geijn
/// and D. Walker, Scalability issues affecting the design of a dense linear algebra library, 1994.

#include <algorithm>
#include <vector>

#include "cluster_launch.cuh"
#include "cluster_panel.cuh"
#include "common/device/cuda.hpp"
#include "common/device/nccl.hpp"
#include "look_ahead.cuh"
#include "problem.hpp"
#include "resident.cuh"

namespace lu {
namespace {

using ladder::check;
using std::size_t;

/// Copies a block's columns, from its first row on, from one matrix to another.
void copy(const Problem& to, int to_column, const Problem& from, int from_column, const Block& block) {
  check(cudaMemcpy2DAsync(to.A + block.first * size_t(to.lda) + to_column, to.lda * sizeof(double),
                          from.A + block.first * size_t(from.lda) + from_column, from.lda * sizeof(double),
                          (block.end - block.first) * sizeof(double), from.n - block.first,
                          cudaMemcpyDeviceToDevice));
}

/// Every rank gets what `owner` has: the block's panel and pivots, how rows move, and info.
void broadcast(const Problem& panel, const Panels& panels, const Block& block, int owner, ncclComm_t all) {
  const int i = block.first, width = block.end - i;
  [[maybe_unused]] double* const rows = panel.A + i * size_t(panel.lda) + i;  // of the panel, from row i on
  check(ncclGroupStart());
  // TASK, 1 line: The panel's rows from i on: ncclBroadcast(from, to, elements, ncclDouble, owner, all,
  //  nullptr).
  ladder::task();  // Delete this line when you start.
  for (int* const numbers : {panels.from.get() + i, panels.to.get() + i, panel.pivot + i})
    check(ncclBroadcast(numbers, numbers, width, ncclInt, owner, all, nullptr));
  check(ncclBroadcast(panel.info, panel.info, 1, ncclInt, owner, all, nullptr));
  check(ncclGroupEnd());
}

}  // namespace

/// PA = LU, of a matrix whose columns are dealt out to the ranks.
/// @throws ladder::Error when the device refuses a launch, or a call of NCCL fails.
void cyclic_columns(const Problem& p) {
  check(cudaMemsetAsync(p.info, 0, sizeof *p.info));
  if (p.n == 0) return;
  const ncclComm_t all = ladder::communicator(std::vector<int>(p.ranks.count));
  const Panels panels(p.n, {panel_kernel<true>, panel_kernel<false>});
  const ladder::PooledBuffer<double> memory(size_t(p.n) * (cyclic_width + 1));
  for (int i = 0; i < p.n; i += cyclic_width) {
    const Block block{i, std::min(p.n, i + cyclic_width), panels.columns(p.n - i, i)};
    const int width = block.end - i;
    // A copy of the block in a matrix with rows of `width` elements: those of column i to block.end - 1. So
    // element (r, c) is panel.A[r * width + c], as kernels expect it, and nothing is between two rows.
    Problem panel = p;
    panel.A = memory.get();
    panel.lda = width;
    // TASK, 2 lines: Which rank has the block? Which columns of this rank are on its left, 0 to left - 1, and
    //  which on its right, right to p.lda - 1? p.ranks.share(c): how many of the first c columns of A the
    //  rank has.
    ladder::task();  // Delete this line when you start.
    const int owner = 0, left = 0, right = 0;
    // TASK, 6 lines: The owner copies the block to `panel`, factorises it there and copies it back. All
    //  broadcast.
    // TASK, 5 lines: Rows move on the left and on the right: exchange_for. On the right the rank solves for
    //  its rows of U, and subtracts: solve and subtract. Their last argument says where L is: in `panel`.
  }
}

}  // namespace lu
