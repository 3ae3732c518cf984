/// @file
/// t2: look-ahead. A panel keeps few multiprocessors busy, for long: each pivot waits for the one before.
/// Here the next panel is eliminated while the update with this one still runs: it needs only its
/// own columns. Before: t1, one after the other. Source: none. Look-ahead: High Performance
/// Linpack.

#include <algorithm>

#include "augmented.cuh"
#include "choice.cuh"
#include "common/device/cuda.hpp"
#include "panels.cuh"
#include "problem.hpp"

namespace gauss {
namespace {

/// What a panel does to columns `begin` to `end` - 1: exchange and update.
/// @throws ladder::Error
void apply(cudaStream_t stream, const Augmented& M, int first, const Moves* moves, int begin, int end) {
  if (begin >= end) return;  // a grid must not be empty
  exchange<<<(end - begin + exchange_threads - 1) / exchange_threads, exchange_threads, 0, stream>>>(
      M, first, 0, moves, begin, end);
  ladder::check(cudaGetLastError());
  const dim3 tiles((end - begin + tile_columns - 1) / tile_columns, (M.n - first - nb) / tile_rows);
  if (tiles.y == 0) return;
  update<tile_columns><<<tiles, update_threads, factors_bytes<tile_columns>, stream>>>(M, first, nb, begin);
  ladder::check(cudaGetLastError());
}

}  // namespace

/// Solves A x = b with partial pivoting, 64 pivots at a time, the next panel ahead of the rest.
/// @throws ladder::Error when the device refuses a call, has no memory for a copy of A, or cannot hold all
/// rows at once.
void look_ahead(const Problem& p) {
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
  const ladder::Event factored(cudaEventDisableTiming), updated(cudaEventDisableTiming);
  for (int first = 0; first < M.n; first += nb) {
    const int next = first + nb;                           // first column of the next panel
    const int end = M.n + 1;                               // past b
    const int strip = std::min(next + tile_columns, end);  // past a tile: two panels
    Moves* const move = moves.get() + first / nb;
    launch_resident(ahead.get(), factor, (M.n - first + panel_rows - 1) / panel_rows, panel_rows,
                    sizeof(Panel), M, first, announcements.get(), move, p.info);
    // BEGIN SOLUTION Apply the panel to columns `next` to `strip` - 1 in stream `ahead`, to those from
    //  `strip` to `end` - 1 in stream `behind`. What must `behind` wait for? And what `ahead`: which columns
    //  of its strip did the panel before reach in stream `behind`? Record `factored` and `updated` where they
    //  are waited for. A wait for an event that nobody has recorded is over at once.
    //| [[maybe_unused]] strip, end;
    //| ladder::task();  // Delete this line when you start.
    ladder::check(cudaEventRecord(factored.get(), ahead.get()));
    ladder::check(cudaStreamWaitEvent(behind.get(), factored.get()));
    ladder::check(cudaStreamWaitEvent(ahead.get(), updated.get()));  // by the panel before
    apply(ahead.get(), M, first, move, next, strip);
    apply(behind.get(), M, first, move, strip, end);
    ladder::check(cudaEventRecord(updated.get(), behind.get()));
    // END SOLUTION
  }
  launch_resident(nullptr, substitute, substitution_blocks(M), substitution_threads, 0, M, p.n, p.x);
}

}  // namespace gauss
