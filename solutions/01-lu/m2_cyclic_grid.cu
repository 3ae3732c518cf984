/// @file
/// m2: LU over a grid of GPUs. Blocks of rows are dealt out as well: to the rows of the grid, in turn. A panel is
/// in a column of ranks: its owner collects it, factorises it, and each rank gets only the rows of L that it
/// multiplies. Rows that are exchanged may be in two ranks. Before: m1, where every rank has whole columns, and gets
/// whole panels. Source: J. Dongarra, R. van de Geijn and D. Walker, Scalability issues affecting the design of a
/// dense linear algebra library, 1994.

#include "cluster_launch.cuh"
#include "cluster_panel.cuh"
#include "common/device/cuda.hpp"
#include "common/device/nccl.hpp"
#include "grid_messages.hpp"
#include "grid_panel.cuh"
#include "problem.hpp"
#include "product.cuh"
#include "resident.cuh"

namespace lu {
namespace {

using ladder::check;
using std::size_t;

/// In the block's column of the grid the owner gets the rows of the panel that it does not have.
void collect(const GridBlock& block, const Pieces& pieces, ncclComm_t column, cudaStream_t stream) {
  const int own = block.ranks.row();
  check(ncclGroupStart());
  // BEGIN SOLUTION What this rank has of the rows below the block, pieces.below(block, own): ncclSend(from, elements,
  //  ncclDouble, block.row, column, stream). The owner receives what each other row r of the grid has: ncclRecv.
  //| ladder::task();  // Delete this line when you start.
  //| [[maybe_unused]] own, pieces, column, stream;
  if (!block.is_own_row())
    check(
        ncclSend(pieces.below(block, own), block.elements_below(own), ncclDouble, block.row, column, stream));
  for (int r = 0; r < block.ranks.rows() && block.is_own_row(); ++r)
    if (r != own)
      check(ncclRecv(pieces.below(block, r), block.elements_below(r), ncclDouble, r, column, stream));
  // END SOLUTION
  check(ncclGroupEnd());
}

/// Every rank gets the piece of its row of the grid, and with it the block on the diagonal: first the ranks in the
/// block's column of the grid, from the owner, then all others, each from the rank in its row that has it.
void distribute(const GridBlock& block, const Pieces& pieces, const Communicators& ranks,
                cudaStream_t stream) {
  const int own = block.ranks.row();
  double* const piece = pieces.piece(own);
  check(ncclGroupStart());
  // BEGIN SOLUTION The way back, but whole pieces; in the block's column of the grid.
  //| ladder::task();
  //| [[maybe_unused]] piece, ranks, stream;
  if (block.is_own_column() && !block.is_own_row())
    check(ncclRecv(piece, block.elements(own), ncclDouble, block.row, ranks.column, stream));
  for (int r = 0; r < block.ranks.rows() && block.is_owner(); ++r)
    if (r != own) check(ncclSend(pieces.piece(r), block.elements(r), ncclDouble, r, ranks.column, stream));
  // END SOLUTION
  check(ncclGroupEnd());
  // BEGIN SOLUTION ncclBroadcast in each row of the grid.
  check(ncclBroadcast(piece, piece, block.elements(own), ncclDouble, block.column, ranks.row, stream));
  // END SOLUTION
}

/// Factorises a block. Every rank gets its piece, the pivots, and info.
void factorise(const Problem& p, const GridBlock& block, const Panels& panels, const Pieces& pieces,
               const Communicators& ranks, cudaStream_t stream) {
  if (block.is_own_column()) {
    copy_own_piece(p, block, pieces, false, stream);
    collect(block, pieces, ranks.column, stream);
  }
  if (block.is_owner()) factorise(p, block, panels, pieces, stream);
  broadcast_pivots(p, block, ranks.all, stream);
  distribute(block, pieces, ranks, stream);
}

/// Moves rows in all columns of this rank. `rows` has the block's new ones then: whole in its row of the grid,
/// elsewhere from column `right` on.
void exchange_rows(const Problem& p, const GridBlock& block, const Moves& moves, int right, double* rows,
                   double* old_rows, ncclComm_t column, cudaStream_t stream) {
  const size_t own = p.ranks.row(), lda = p.lda;
  load_rows(p, block, moves, rows, old_rows, stream);
  check(ncclGroupStart());
  for (int k = 0; k < block.width(); ++k) {
    double *const new_row = rows + k * lda, *const old_row = old_rows + k * lda;
    // BEGIN SOLUTION The new row is in the rank with row moves.from[k] of A: all others of the column get it, in `new_row`; from
    //  which column on? The old row is in the block's row of the grid: the rank with row moves.to[k] gets it, in
    //  `old_row`. block.grid_row(x) is the row of the grid with row x of A.
    //| ladder::task();
    //| [[maybe_unused]] right, own, new_row, column;
    const int source = block.grid_row(moves.from[k]), target = block.grid_row(moves.to[k]);
    for (int r = 0; r < p.ranks.rows(); ++r) {
      const int first = r == block.row ? 0 : right;
      if (r == source) continue;
      if (own == source) check(ncclSend(new_row + first, lda - first, ncclDouble, r, column, stream));
      if (own == r) check(ncclRecv(new_row + first, lda - first, ncclDouble, source, column, stream));
    }
    if (target == block.row) continue;
    if (own == block.row) check(ncclSend(old_row, lda, ncclDouble, target, column, stream));
    if (own == target) check(ncclRecv(old_row, lda, ncclDouble, block.row, column, stream));
    // END SOLUTION
  }
  check(ncclGroupEnd());
  store_rows(p, block, moves, old_rows, stream);
}

/// Solves for the rows of U on the right of the block. Stores the block's rows and its columns in A.
void solve(const Problem& p, const GridBlock& block, const Pieces& pieces, const Problem& U, int right,
           cudaStream_t stream) {
  const Problem L = matrix(p, pieces.piece(p.ranks.row()), block.width());
  // BEGIN SOLUTION On every rank: solve(U, i, rows, right, p.lda, stream, L), where row i of U and of L is the block's first. Who
  //  has these rows in A gets them by store_u, and who has the block's columns gets those by copy_own_piece.
  //| ladder::task();
  //| [[maybe_unused]] p, right, U, L, stream;
  if (right < p.lda) solve(U, 0, block.width(), right, p.lda, stream, L);  // a grid must not be empty
  if (block.is_own_row()) store_u(p, block, U, stream);
  if (block.is_own_column()) copy_own_piece(p, block, pieces, true, stream);
  // END SOLUTION
}

/// Subtracts the product from columns `first` to `last` - 1 of this rank, below the block.
void subtract(const Problem& p, const GridBlock& block, const Pieces& pieces, const Problem& U, int first,
              int last, cudaStream_t stream) {
  const Part part{p.ranks.share_of_rows(block.end), p.ranks.share_of_rows(p.n), first, last};
  // BEGIN SOLUTION subtract(p, part, terms, L, from row to row of L, U, stream): L from the block's end on, U from column `first`.
  //| ladder::task();
  //| [[maybe_unused]] block, pieces, U, part, stream;
  subtract(p, part, block.width(), pieces.below(block, p.ranks.row()), block.width(), U.A + first, stream);
  // END SOLUTION
}

}  // namespace

/// PA = LU, of a matrix whose rows and columns are dealt out to a grid of ranks.
/// @throws ladder::Error when the device refuses a launch, or a call of NCCL fails.
void cyclic_grid(const Problem& p) {
  check(cudaMemsetAsync(p.info, 0, sizeof *p.info));
  if (p.n == 0) return;
  const Communicators ranks = communicators_of(p.ranks);
  const Panels panels(p.n, {panel_kernel<true>, panel_kernel<false>});
  const Pieces pieces(p);
  const ladder::PooledBuffer<double> rows(size_t(cyclic_width) * p.lda), old_rows(rows.size());
  const Problem U = matrix(p, rows.get(), p.lda);
  for (int i = 0; i < p.n; i += cyclic_width) {
    const GridBlock block(p, i);
    factorise(p, block, panels, pieces, ranks, nullptr);
    if (p.lda == 0) continue;
    const int right =
        p.ranks.share(block.end);  // of this rank's columns the first one on the right of the block
    exchange_rows(p, block, moves_of(p, block, nullptr), right, U.A, old_rows.get(), ranks.column, nullptr);
    solve(p, block, pieces, U, right, nullptr);
    subtract(p, block, pieces, U, right, p.lda, nullptr);
  }
}

}  // namespace lu
