/// @file
/// m3: look-ahead over a grid of GPUs. In m2 no rank multiplies while a panel is factorised and sent. Here
/// the columns of the next block are changed first, and the next panel is factorised and broadcast in a
/// stream of its own, while all other columns are changed. Before: m2, one thing after another. Source: HPL,
/// which looks ahead as well.

#include <algorithm>

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
  if (!block.is_own_row())
    check(
        ncclSend(pieces.below(block, own), block.elements_below(own), ncclDouble, block.row, column, stream));
  for (int r = 0; r < block.ranks.rows() && block.is_own_row(); ++r)
    if (r != own)
      check(ncclRecv(pieces.below(block, r), block.elements_below(r), ncclDouble, r, column, stream));
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
  if (block.is_own_column() && !block.is_own_row())
    check(ncclRecv(piece, block.elements(own), ncclDouble, block.row, ranks.column, stream));
  for (int r = 0; r < block.ranks.rows() && block.is_owner(); ++r)
    if (r != own) check(ncclSend(pieces.piece(r), block.elements(r), ncclDouble, r, ranks.column, stream));
  check(ncclGroupEnd());
  check(ncclBroadcast(piece, piece, block.elements(own), ncclDouble, block.column, ranks.row, stream));
}

/// The beginning of a panel: its owner gets all rows of it.
void collect(const Problem& p, const GridBlock& block, const Pieces& pieces, const Communicators& ranks,
             cudaStream_t stream) {
  if (!block.is_own_column() || block.width() == 0) return;
  copy_own_piece(p, block, pieces, false, stream);
  collect(block, pieces, ranks.column, stream);
}

/// The end of it: every rank gets its piece, the pivots, and info. Messages begin when those before
/// `messages` are done: operations of two communicators must not meet on the device in another order on
/// another rank.
void factorise(const Problem& p, const GridBlock& block, const Panels& panels, const Pieces& pieces,
               const Communicators& ranks, const ladder::Event& messages, cudaStream_t stream) {
  if (block.is_owner()) factorise(p, block, panels, pieces, stream);
  check(cudaStreamWaitEvent(stream, messages.get()));
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
    const int source = block.grid_row(moves.from[k]), target = block.grid_row(moves.to[k]);
    for (int r = 0; r < p.ranks.rows(); ++r) {
      if (r == source || (r != block.row && !block.is_left_of(columns))) continue;
      if (own == source) check(ncclSend(new_rows, elements, ncclDouble, r, column, stream));
      if (own == r) check(ncclRecv(new_rows, elements, ncclDouble, source, column, stream));
    }
    if (target == block.row) continue;
    if (own == block.row) check(ncclSend(old_rows, elements, ncclDouble, target, column, stream));
    if (own == target) check(ncclRecv(old_rows, elements, ncclDouble, block.row, column, stream));
  }
  check(ncclGroupEnd());
  for (const Columns columns : parts) store_rows(p, block, moves, columns, moving, U, stream);
}

/// Solves for the block's rows of U in some columns on its right, and stores them in A.
void solve(const Problem& p, const GridBlock& block, const Pieces& pieces, const Problem& U, Columns columns,
           cudaStream_t stream) {
  if (columns.count() == 0) return;  // a grid must not be empty
  const Problem L = matrix(p, pieces.piece(p.ranks.row()), block.width());
  solve(U, 0, block.width(), columns.first, columns.last, stream, L);
  if (block.is_own_row()) store_u(p, block, U, columns, stream);
}

/// Subtracts the product from some columns of this rank, below the block.
void subtract(const Problem& p, const GridBlock& block, const Pieces& pieces, const Problem& U,
              Columns columns, cudaStream_t stream) {
  const Part part{p.ranks.share_of_rows(block.end), p.ranks.share_of_rows(p.n), columns.first, columns.last};
  subtract(p, part, block.width(), pieces.below(block), block.width(), U.A + columns.first, stream);
}

}  // namespace

/// PA = LU, of a matrix whose rows and columns are dealt out to a grid of ranks; while a panel is factorised
/// and sent, all columns on its right are changed.
/// @throws ladder::Error when the device refuses a launch, or a call of NCCL fails.
void look_ahead(const Problem& p) {
  check(cudaMemsetAsync(p.info, 0, sizeof *p.info));
  if (p.n == 0) return;
  // Blocking streams, which are there longer than the memory that the default stream gives back.
  const ladder::Stream urgent(cudaStreamDefault, ladder::greatest_priority()), other;
  const ladder::Event changed(cudaEventDisableTiming), exchanged(cudaEventDisableTiming);
  const Communicators ranks = communicators_of(p.ranks);
  const Panels panels(p.n, {panel_kernel<true>, panel_kernel<false>});
  const Pieces even(p), odd(p);  // of every second block: one is multiplied, one is made
  const MovingRows moving(p);
  const ladder::PooledBuffer<double> rows_of_u(size_t(cyclic_width) * p.lda);
  const Problem U = matrix(p, rows_of_u.get(), p.lda);
  const auto pieces_of = [&](const GridBlock& block) -> const Pieces& {
    return block.first / cyclic_width % 2 == 0 ? even : odd;
  };
  collect(p, GridBlock(p, 0), even, ranks, urgent.get());
  factorise(p, GridBlock(p, 0), panels, even, ranks, exchanged, urgent.get());
  for (int i = 0; i < p.n; i += cyclic_width) {
    const GridBlock block(p, i), next_block(p, std::min(p.n, block.end));
    const Pieces& pieces = pieces_of(block);
    const int end = p.ranks.share(block.end), end_of_next = p.ranks.share(next_block.end);
    const Columns left{0, end};
    const Columns next{end, end_of_next};
    const Columns right{end_of_next, p.lda};
    // The host waits for the pivots. The block's pieces are there then.
    const Moves moves = moves_of(p, block, urgent.get());
    // BEGIN SOLUTION In the stream `urgent`, in the columns of the next block: rows move, U, the product.
    //  Then collect the next panel. Which work of the stream `other` must be done before?
    //| ladder::task();  // Delete this line when you start.
    //| [[maybe_unused]] moves, pieces, next, right, left;
    check(cudaStreamWaitEvent(urgent.get(), changed.get()));
    exchange_rows(p, block, moves, {next}, moving, U, ranks.column, urgent.get());
    solve(p, block, pieces, U, next, urgent.get());
    subtract(p, block, pieces, U, next, urgent.get());
    collect(p, next_block, pieces_of(next_block), ranks, urgent.get());
    // END SOLUTION
    // BEGIN SOLUTION In the stream `other`: rows move in all other columns. Record `exchanged`: the next
    //  panel's messages begin after these.
    exchange_rows(p, block, moves, {left, right}, moving, U, ranks.column, other.get());
    check(cudaEventRecord(exchanged.get(), other.get()));
    // END SOLUTION
    if (block.is_own_column()) copy_own_piece(p, block, pieces, true, other.get());
    // BEGIN SOLUTION In the stream `other`: U and the product on the right of the next block. Record
    //  `changed`.
    solve(p, block, pieces, U, right, other.get());
    subtract(p, block, pieces, U, right, other.get());
    check(cudaEventRecord(changed.get(), other.get()));
    // END SOLUTION
    if (block.end == p.n) break;
    factorise(p, next_block, panels, pieces_of(next_block), ranks, exchanged, urgent.get());
  }
}

}  // namespace lu
