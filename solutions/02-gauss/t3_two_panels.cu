/// @file
/// t3: two panels per sweep. In t2 what is left of A is loaded and stored once for 64 pivots, and these bytes
/// take longer than the products. Here it is once for 128: the second panel is updated with the first
/// one before all other columns are. Before: t2, one panel per sweep. Source: none. Panels of panels: the
/// recursion of LAPACK's dgetrf2.

#include <algorithm>

#include "augmented.cuh"
#include "choice.cuh"
#include "common/device/cuda.hpp"
#include "panels.cuh"
#include "problem.hpp"

namespace gauss {
namespace {

/// The rows of columns `begin` to `end` - 1 move as the panel's, and those of its pivots are eliminated.
/// @param earlier  nb: by the rows of the panel before, too
/// @throws ladder::Error
void move_and_eliminate(cudaStream_t stream, const Augmented& M, int first, int earlier, const Moves* move,
                        int begin, int end) {
  if (begin >= end) return;  // a grid must not be empty
  const int blocks = (end - begin + exchange_threads - 1) / exchange_threads;
  exchange<<<blocks, exchange_threads, 0, stream>>>(M, first, earlier, move, begin, end);
  ladder::check(cudaGetLastError());
}

/// Subtracts the products of `terms` pivots from the rows below, columns `begin` to `end` - 1, in tiles of
/// `across` columns.
/// @throws ladder::Error
template <int across>
void multiply(cudaStream_t stream, const Augmented& M, int first, int terms, int begin, int end) {
  const dim3 tiles((std::max(end - begin, 0) + across - 1) / across, (M.n - first - terms) / tile_rows);
  if (tiles.x == 0 || tiles.y == 0) return;
  update<across><<<tiles, update_threads, factors_bytes<across>, stream>>>(M, first, terms, begin);
  ladder::check(cudaGetLastError());
}

}  // namespace

/// Solves A x = b with partial pivoting, 128 pivots per sweep, the next ones ahead of the rest.
/// @throws ladder::Error when the device refuses a call, has no memory for a copy of A, or cannot hold all
/// rows at once.
void two_panels(const Problem& p) {
  ladder::check(cudaMemsetAsync(p.info, 0, sizeof *p.info));
  if (p.n == 0) return;
  Augmented M = augmented(p);
  // Both are blocking streams: their work begins after the default stream's copy, and the substitution after
  // their work. They are there longer than the memory, which the default stream gives back when they are
  // done.
  const ladder::Stream ahead(cudaStreamDefault, ladder::greatest_priority());
  const ladder::Stream behind;
  const ladder::PooledBuffer<double> copy(M.elements());
  const ladder::PooledBuffer<Announcements> announcements(1);
  const ladder::PooledBuffer<Moves> moves(M.n / nb);  // one per panel: needed while the next are found
  M.data = copy.get();
  ladder::check(cudaMemsetAsync(announcements.get(), 0, announcements.bytes()));
  allow_shared_memory();
  copy_system<<<M.n, copy_threads>>>(p, M);
  ladder::check(cudaGetLastError());
  const ladder::Event one(cudaEventDisableTiming), two(cudaEventDisableTiming);  // panels are eliminated
  const ladder::Event moved(cudaEventDisableTiming);                             // as the first panel's
  const auto eliminate_panel = [&](int first) {
    launch_resident(ahead.get(), factor, (M.n - first + panel_rows - 1) / panel_rows, panel_rows,
                    sizeof(Panel), M, first, announcements.get(), moves.get() + first / nb, p.info);
  };
  for (int first = 0; first < M.n; first += 2 * nb) {
    const int second = first + nb;                         // first column of the second panel
    const int next = second + nb;                          // past it
    const int end = M.n + 1;                               // past b
    const int strip = std::min(next + tile_columns, end);  // past the two panels of the next sweep
    Moves* const move = moves.get() + first / nb;
    eliminate_panel(first);
    if (second == M.n) {  // a panel alone: there is only b next to it
      move_and_eliminate(ahead.get(), M, first, 0, move, second, end);
      break;
    }
    // BEGIN SOLUTION Subtract the products of the first panel from the second one's columns, `second` to
    //  `next` - 1; then it is eliminated. Its pivots come from rows of the first panel's ratios, too: columns
    //  `first` to `second` - 1 move with it. Meanwhile stream `behind` moves and eliminates all columns from
    //  `next` on as the first panel's. Those up to `strip` - 1 then go on in stream `ahead`, the rest in
    //  stream `behind`: the second panel's moves, and the products of both. Who waits for `one`, for `two`
    //  and for `moved`, and where is each recorded?
    //| [[maybe_unused]] next, strip, end, move;
    //| ladder::task();  // Delete this line when you start.
    ladder::check(cudaEventRecord(one.get(), ahead.get()));
    ladder::check(cudaStreamWaitEvent(behind.get(), one.get()));
    move_and_eliminate(behind.get(), M, first, 0, move, next, end);
    ladder::check(cudaEventRecord(moved.get(), behind.get()));

    move_and_eliminate(ahead.get(), M, first, 0, move, second, next);
    multiply<nb>(ahead.get(), M, first, nb, second, next);
    eliminate_panel(second);
    move_and_eliminate(ahead.get(), M, second, 0, move + 1, first, second);  // to its left: the ratios
    ladder::check(cudaEventRecord(two.get(), ahead.get()));
    ladder::check(cudaStreamWaitEvent(ahead.get(), moved.get()));
    move_and_eliminate(ahead.get(), M, second, nb, move + 1, next, strip);
    multiply<tile_columns>(ahead.get(), M, first, 2 * nb, next, strip);

    ladder::check(cudaStreamWaitEvent(behind.get(), two.get()));
    move_and_eliminate(behind.get(), M, second, nb, move + 1, strip, end);
    multiply<tile_columns>(behind.get(), M, first, 2 * nb, strip, end);
    // END SOLUTION
  }
  launch_resident(nullptr, substitute, substitution_blocks(M), substitution_threads, 0, M, p.n, p.x);
}

}  // namespace gauss
