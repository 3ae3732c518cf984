#pragma once
/// @file
/// Given, for m2 and m3: a panel whose rows are in several ranks of a column of the grid, and the rows that
/// its exchanges move. Source: none.

#include <algorithm>
#include <cstddef>
#include <vector>

#include "cluster_launch.cuh"
#include "common/device/cuda.hpp"
#include "look_ahead.cuh"
#include "problem.hpp"

namespace lu {

/// Columns of this rank, `first` to `last` - 1.
struct Columns {
  int first, last;
  constexpr int count() const { return last - first; }
};

/// A block of columns, `first` to `end` - 1, and the rows with the same numbers. The block on the diagonal is
/// its owner's, whose place in the grid is `row` and `column`.
struct GridBlock {
  Ranks ranks;
  int n, first, end, row, column;

  GridBlock(const Problem& p, int first)
      : ranks(p.ranks),
        n(p.n),
        first(first),
        end(std::min(p.n, first + cyclic_width)),
        row(first / cyclic_width % ranks.rows()),
        column(first / cyclic_width % ranks.columns()) {}

  constexpr int width() const { return end - first; }
  constexpr int owner() const { return row * ranks.columns() + column; }
  constexpr bool is_owner() const { return ranks.rank == owner(); }
  constexpr bool is_own_row() const { return ranks.row() == row; }
  constexpr bool is_own_column() const { return ranks.column() == column; }
  /// Whether these columns are on the right of the block; else they are on its left or in it.
  constexpr bool is_left_of(Columns columns) const { return columns.first >= ranks.share(end); }
  /// The row of the grid whose ranks have row `x` of A.
  constexpr int grid_row(int x) const { return x / cyclic_width % ranks.rows(); }
  /// Rows below the block that the ranks in a row of the grid have.
  constexpr int below(int grid_row) const {
    return ranks.share_of_rows(n, grid_row) - ranks.share_of_rows(end, grid_row);
  }
  /// Elements of a piece, and of its rows below the block.
  constexpr std::size_t elements(int grid_row) const {
    return std::size_t(width() + below(grid_row)) * width();
  }
  constexpr std::size_t elements_below(int grid_row) const { return std::size_t(below(grid_row)) * width(); }
};

/// Another matrix than A.
inline Problem matrix(Problem p, double* elements, int lda) {
  p.A = elements;
  p.lda = lda;
  return p;
}

/// Memory for a panel of each block, and for its pieces, one for each row of the grid. A piece has the rows
/// of the block on the diagonal, then those rows below it that the ranks of its row of the grid have. Nothing
/// is between two rows.
class Pieces {
 public:
  explicit Pieces(const Problem& p)
      : elements_(std::size_t(p.ranks.share_of_rows(p.n, 0) + cyclic_width) * cyclic_width),
        pieces_(elements_ * p.ranks.rows()),
        panel_(std::size_t(p.n) * (cyclic_width + 1)) {}

  double* piece(int grid_row) const { return pieces_.get() + grid_row * elements_; }
  /// Its rows below the block.
  double* below(const GridBlock& block, int grid_row) const {
    return piece(grid_row) + block.width() * block.width();
  }
  double* below(const GridBlock& block) const { return below(block, block.ranks.row()); }
  /// The panel as a matrix with rows of as many elements as the block has: element (r, c) is
  /// panel.A[r * panel.lda + c], for rows and columns from the block's first ones on.
  Problem panel(const Problem& p, const GridBlock& block) const {
    return matrix(p, panel_.get(), block.width());
  }
  std::size_t elements() const { return elements_; }  ///< from one piece to the next

 private:
  std::size_t elements_;
  ladder::PooledBuffer<double> pieces_, panel_;
};

/// Copies what this rank has of the block's columns, from the block's first row on, between A and its piece.
inline void copy_own_piece(const Problem& p, const GridBlock& block, const Pieces& pieces, bool to_a,
                           cudaStream_t stream) {
  const int top = p.ranks.share_of_rows(block.first), rows = p.ranks.share_of_rows(p.n) - top;
  if (rows == 0) return;
  double* const A = p.A + top * std::size_t(p.lda) + p.ranks.share(block.first);
  double* const piece = block.is_own_row() ? pieces.piece(block.row) : pieces.below(block, p.ranks.row());
  const std::size_t row = block.width() * sizeof(double), row_of_a = p.lda * sizeof(double);
  ladder::check(
      to_a ? cudaMemcpy2DAsync(A, row_of_a, piece, row, row, rows, cudaMemcpyDeviceToDevice, stream)
           : cudaMemcpy2DAsync(piece, row, A, row_of_a, row, rows, cudaMemcpyDeviceToDevice, stream));
}

/// Copies between a panel, whose rows are in the matrix's order, and its pieces. A block of threads copies a
/// row. The panel's first rows are in the owner's piece; it is from the panel that all pieces get them.
static __global__ void copy_panel(GridBlock block, double* panel, double* pieces, std::size_t elements,
                                  bool to_panel) {
  const int width = block.width(), row = blockIdx.x, c = threadIdx.x;
  const bool on_diagonal = row < width;
  const int x = block.first + row, own = block.grid_row(x);
  double* const in_panel = panel + std::size_t(row) * width + c;
  const int in_piece =
      on_diagonal ? row
                  : width + block.ranks.share_of_rows(x, own) - block.ranks.share_of_rows(block.end, own);
  for (int r = 0; r < block.ranks.rows(); ++r) {
    double* const there = pieces + r * elements + std::size_t(in_piece) * width + c;
    if (r == own && to_panel) *in_panel = *there;
    if ((r == own || on_diagonal) && !to_panel) *there = *in_panel;
  }
}

/// Factorises a panel, in its owner: it is made of the pieces, and cut into them again.
inline void factorise(const Problem& p, const GridBlock& block, const Panels& panels, const Pieces& pieces,
                      cudaStream_t stream) {
  const int i = block.first;
  const Problem panel = pieces.panel(p, block);
  const auto copy = [&](bool to_panel) {
    copy_panel<<<p.n - i, block.width(), 0, stream>>>(block, panel.A + i * std::size_t(panel.lda) + i,
                                                      pieces.piece(0), pieces.elements(), to_panel);
    ladder::check(cudaGetLastError());
  };
  copy(true);
  factorise(panel, panels, Block{i, block.end, panels.columns(p.n - i, i)}, stream);
  copy(false);
}

/// How the exchanges of a block move rows: row first + k was row from[k], and what was row first + k is row
/// to[k] now. Below the block there are only such rows that were in it, so this says all.
struct Moves {
  int from[cyclic_width], to[cyclic_width];
};

/// The moves of a block, for the host: it waits for the pivots.
/// @throws ladder::Error
inline Moves moves_of(const Problem& p, const GridBlock& block, cudaStream_t stream) {
  Moves moves{};
  int pivot[cyclic_width];  // of row block.first + k: pivot[k]
  ladder::check(cudaMemcpyAsync(pivot, p.pivot + block.first, block.width() * sizeof *pivot,
                                cudaMemcpyDeviceToHost, stream));
  ladder::check(cudaStreamSynchronize(stream));
  const auto exchange = [&](int k, int& row) {  // rows first + k and pivot[k]
    const int i = block.first + k;
    row = row == i ? pivot[k] : row == pivot[k] ? i : row;
  };
  for (int k = 0; k < block.width(); ++k) {
    moves.from[k] = moves.to[k] = block.first + k;
    for (int j = 0; j < block.width(); ++j) exchange(j, moves.to[k]);
    for (int j = block.width() - 1; j >= 0; --j) exchange(j, moves.from[k]);  // the last one was the last
  }
  return moves;
}

using Parts = std::vector<Columns>;

/// Rows of a block that follow each other, from its row `first` on, in some columns: what they will be is in
/// one row of the grid, and what they were goes to one.
struct Run {
  Columns columns;
  int first, rows;
};

inline std::vector<Run> runs_of(const GridBlock& block, const Moves& moves, const Parts& parts) {
  std::vector<Run> runs;
  const auto same = [&](const int(&rows)[cyclic_width], int k) {
    return block.grid_row(rows[k]) == block.grid_row(rows[k - 1]);
  };
  for (const Columns columns : parts)
    for (int k = 0; k < block.width() && columns.count() > 0; ++k) {
      const bool goes_on = k > 0 && same(moves.from, k) && same(moves.to, k);
      if (!goes_on) runs.push_back({columns, k, 0});
      ++runs.back().rows;
    }
  return runs;
}

/// Memory for a block's rows that move: its new rows and its old ones, in all columns of this rank. Some
/// columns have a place of their own, and nothing is there between two rows: a run is one message.
class MovingRows {
 public:
  explicit MovingRows(const Problem& p) : new_(std::size_t(cyclic_width) * p.lda), old_(new_.size()) {}
  double* new_rows(Columns columns, int k = 0) const { return new_.get() + place(columns, k); }
  double* old_rows(Columns columns, int k = 0) const { return old_.get() + place(columns, k); }

 private:
  static std::size_t place(Columns columns, int k) {
    return std::size_t(cyclic_width) * columns.first + std::size_t(k) * columns.count();
  }
  ladder::PooledBuffer<double> new_, old_;
};

constexpr int row_threads = 256;  // of a block, which copies a part of a row

/// What the block's rows will be, as far as this rank has them.
static __global__ void __launch_bounds__(row_threads)
    load_new_rows(Problem p, GridBlock block, Moves moves, Columns columns,
                  double* rows) {  // width x columns
  const int k = blockIdx.y, x = moves.from[k], c = blockIdx.x * row_threads + threadIdx.x;
  if (block.grid_row(x) != p.ranks.row() || c >= columns.count()) return;
  rows[k * columns.count() + c] = p.A[p.ranks.share_of_rows(x) * std::size_t(p.lda) + columns.first + c];
}

/// Stores what were the block's rows where they are now below the block, as far as that is in this rank.
static __global__ void __launch_bounds__(row_threads)
    store_old_rows(Problem p, GridBlock block, Moves moves, Columns columns,
                   const double* rows) {  // width x columns
  const int k = blockIdx.y, x = moves.to[k], c = blockIdx.x * row_threads + threadIdx.x;
  if (x < block.end || block.grid_row(x) != p.ranks.row() || c >= columns.count()) return;
  p.A[p.ranks.share_of_rows(x) * std::size_t(p.lda) + columns.first + c] = rows[k * columns.count() + c];
}

/// Copies the block's rows, in some columns of this rank, from one matrix to another.
inline void copy_rows(const GridBlock& block, Columns columns, const double* from, int ld, double* to,
                      int to_ld, cudaStream_t stream) {
  const std::size_t element = sizeof(double);
  ladder::check(cudaMemcpy2DAsync(to, to_ld * element, from, ld * element, columns.count() * element,
                                  block.width(), cudaMemcpyDeviceToDevice, stream));
}
/// Where the block's rows are in A, in some columns of this rank.
inline double* rows_in_a(const Problem& p, const GridBlock& block, Columns columns) {
  return p.A + p.ranks.share_of_rows(block.first) * std::size_t(p.lda) + columns.first;
}

/// @name What a rank has of the block's new and old rows, before messages bring it the others; and after
/// that. New rows are stored in A on the left of the block, and in U on its right, where they are still to be
/// solved for.
/// @{
inline dim3 blocks_of_rows(const GridBlock& block, Columns columns) {
  return dim3((columns.count() + row_threads - 1) / row_threads, block.width());
}
inline void load_rows(const Problem& p, const GridBlock& block, const Moves& moves, Columns columns,
                      const MovingRows& moving, cudaStream_t stream) {
  if (columns.count() == 0) return;
  load_new_rows<<<blocks_of_rows(block, columns), row_threads, 0, stream>>>(p, block, moves, columns,
                                                                            moving.new_rows(columns));
  ladder::check(cudaGetLastError());
  if (block.is_own_row())
    copy_rows(block, columns, rows_in_a(p, block, columns), p.lda, moving.old_rows(columns), columns.count(),
              stream);
}
inline void store_rows(const Problem& p, const GridBlock& block, const Moves& moves, Columns columns,
                       const MovingRows& moving, const Problem& U, cudaStream_t stream) {
  if (columns.count() == 0) return;
  store_old_rows<<<blocks_of_rows(block, columns), row_threads, 0, stream>>>(p, block, moves, columns,
                                                                             moving.old_rows(columns));
  ladder::check(cudaGetLastError());
  double* const to = block.is_left_of(columns) ? U.A + columns.first : rows_in_a(p, block, columns);
  if (block.is_left_of(columns) || block.is_own_row())
    copy_rows(block, columns, moving.new_rows(columns), columns.count(), to, p.lda, stream);
}
/// @}

/// Stores the block's rows of U in A: in the block's row of the grid.
inline void store_u(const Problem& p, const GridBlock& block, const Problem& U, Columns columns,
                    cudaStream_t stream) {
  copy_rows(block, columns, U.A + columns.first, U.lda, rows_in_a(p, block, columns), p.lda, stream);
}

}  // namespace lu
