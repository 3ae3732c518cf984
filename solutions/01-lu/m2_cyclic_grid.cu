/// @file
/// m2: LU over a grid of GPUs. Blocks of rows are dealt out as well: to the rows of the grid, in turn. A
/// panel is in a column of ranks: its owner collects it, factorises it, and each rank gets only the rows of L
/// that it multiplies. Rows that are exchanged may be in two ranks. Before: m1, where every rank has whole
/// columns, and gets whole panels. Source: J. Dongarra, R. van de Geijn and D. Walker, Scalability issues
/// affecting the design of a dense linear algebra library, 1994.

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
  // BEGIN SOLUTION What this rank has of the rows below the block, pieces.below(block, own): ncclSend(from,
  //  elements, ncclDouble, block.row, column, stream). The owner receives what each other row r of the grid
  //  has: ncclRecv.
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

/// Every rank gets the piece of its row of the grid, and with it the block on the diagonal: first the ranks
/// in the block's column of the grid, from the owner, then all others, each from the rank in its row that has
/// it.
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

/// Moves rows in some columns of this rank, `parts`: each is on the right of the block, or not. On the right
/// U has the block's new rows then.
void exchange_rows(const Problem& p, const GridBlock& block, const Moves& moves, const Parts& parts,
                   const MovingRows& moving, const Problem& U, ncclComm_t column, cudaStream_t stream) {
  const int own = p.ranks.row();
  for (const Columns columns : parts) load_rows(p, block, moves, columns, moving, stream);
  check(ncclGroupStart());
  for (const auto [columns, k, rows] : runs_of(block, moves, parts)) {
    const size_t elements = size_t(rows) * columns.count();
    double *const new_rows = moving.new_rows(columns, k), *const old_rows = moving.old_rows(columns, k);
    // BEGIN SOLUTION Several rows are one message. The new ones are in the rank with row moves.from[k] of A:
    //  the block's row of the grid gets them, in `new_rows`, and of columns on the right,
    //  block.is_left_of(columns), all others do. The old ones are in the block's row of the grid: the rank
    //  with row moves.to[k] gets them, in `old_rows`. block.grid_row(x) is the row of the grid with row x of
    //  A.
    //| ladder::task();
    //| [[maybe_unused]] own, elements, new_rows, old_rows, column;
    const int source = block.grid_row(moves.from[k]), target = block.grid_row(moves.to[k]);
    for (int r = 0; r < p.ranks.rows(); ++r) {
      if (r == source || (r != block.row && !block.is_left_of(columns))) continue;
      if (own == source) check(ncclSend(new_rows, elements, ncclDouble, r, column, stream));
      if (own == r) check(ncclRecv(new_rows, elements, ncclDouble, source, column, stream));
    }
    if (target == block.row) continue;
    if (own == block.row) check(ncclSend(old_rows, elements, ncclDouble, target, column, stream));
    if (own == target) check(ncclRecv(old_rows, elements, ncclDouble, block.row, column, stream));
    // END SOLUTION
  }
  check(ncclGroupEnd());
  for (const Columns columns : parts) store_rows(p, block, moves, columns, moving, U, stream);
}

/// Solves for the block's rows of U in some columns on its right, and stores them in A.
void solve(const Problem& p, const GridBlock& block, const Pieces& pieces, const Problem& U, Columns columns,
           cudaStream_t stream) {
  if (columns.count() == 0) return;  // a grid must not be empty
  const Problem L = matrix(p, pieces.piece(p.ranks.row()), block.width());
  // BEGIN SOLUTION On every rank: solve(U, i, rows, first, last, stream, L), where row i of U and of L is the
  //  block's first. Who has these rows in A gets them by store_u.
  //| ladder::task();
  //| [[maybe_unused]] p, U, L, stream;
  solve(U, 0, block.width(), columns.first, columns.last, stream, L);
  if (block.is_own_row()) store_u(p, block, U, columns, stream);
  // END SOLUTION
}

/// Subtracts the product from some columns of this rank, below the block.
void subtract(const Problem& p, const GridBlock& block, const Pieces& pieces, const Problem& U,
              Columns columns, cudaStream_t stream) {
  const Part part{p.ranks.share_of_rows(block.end), p.ranks.share_of_rows(p.n), columns.first, columns.last};
  // BEGIN SOLUTION subtract(p, part, terms, L, from row to row of L, U, stream):
  //  L from the block's end on, U from the first column.
  //| ladder::task();
  //| [[maybe_unused]] block, pieces, U, part, stream;
  subtract(p, part, block.width(), pieces.below(block), block.width(), U.A + columns.first, stream);
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
  const MovingRows moving(p);
  const ladder::PooledBuffer<double> rows_of_u(size_t(cyclic_width) * p.lda);
  const Problem U = matrix(p, rows_of_u.get(), p.lda);
  for (int i = 0; i < p.n; i += cyclic_width) {
    const GridBlock block(p, i);
    factorise(p, block, panels, pieces, ranks, nullptr);
    if (p.lda == 0) continue;
    const int end = p.ranks.share(block.end);
    const Columns left{0, end}, right{end, p.lda};  // with the block on the left
    exchange_rows(p, block, moves_of(p, block, nullptr), {left, right}, moving, U, ranks.column, nullptr);
    if (block.is_own_column()) copy_own_piece(p, block, pieces, true, nullptr);
    solve(p, block, pieces, U, right, nullptr);
    subtract(p, block, pieces, U, right, nullptr);
  }
}

}  // namespace lu
