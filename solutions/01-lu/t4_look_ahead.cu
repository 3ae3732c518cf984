/// @file
/// t4: look-ahead. In t3 most multiprocessors wait while one cluster factorises a panel. Here the next block
/// of columns is changed first, and factorised while all others are still changed. Before: t3, one thing
/// after another. Source: none.

#include <algorithm>

#include "cluster_launch.cuh"
#include "cluster_panel.cuh"
#include "common/device/cuda.hpp"
#include "problem.hpp"
#include "resident.cuh"

namespace lu {
namespace {

/// A block of columns, `first` to `end` - 1, that is factorised by panels of `columns` columns.
struct Block {
  int first, end, columns;
};

/// Begins to factorise a block: t3, within its columns.
void factorise(const Problem& p, const Panels& panels, const Block& block, cudaStream_t stream) {
  for (int i = block.first, width = 0; i < block.end; i += width) {
    width = std::min(block.columns, block.end - i);
    factorise(p, panels, i, width, block.columns, stream);
    const int done = i + width, size = (done - block.first) & -(done - block.first);
    const int end = std::min(block.end, done + size);
    exchange(p, i, width, block.first, block.end, size == width ? end : done, panels.from.get(),
             panels.to.get(), stream);
    if (done == block.end) break;
    if (size > width) solve(p, done - size, size, done, end, stream);
    subtract(p, done - size, size, {done, p.n, done, end}, stream);
  }
}

/// Begins to move the rows in columns `begin` to `end` - 1 as a block has chosen them.
void exchange_for(const Problem& p, const Panels& panels, const Block& block, int begin, int end,
                  cudaStream_t stream) {
  exchange_later(p, block.first, block.end - block.first, block.columns, begin, end, panels.from.get(),
                 panels.to.get(), stream);
}

}  // namespace

/// PA = LU, of a matrix that is on the device; while a block of columns is factorised, all on its right are
/// changed.
/// @throws ladder::Error when the device refuses a launch, or cannot hold a panel of four columns.
void look_ahead(const Problem& p) {
  ladder::check(cudaMemsetAsync(p.info, 0, sizeof *p.info));
  if (p.n == 0) return;
  const ladder::Stream urgent(cudaStreamDefault, ladder::greatest_priority());
  const ladder::Stream other;
  const Panels panels(p.n, {panel_kernel<true>, panel_kernel<false>});
  const ladder::Event factored(cudaEventDisableTiming), changed(cudaEventDisableTiming),
      rest_changed(cudaEventDisableTiming);
  const int outer = p.n <= 4096 ? 128 : 256;  // columns of a block
  Block before{};                             // the block on the left of this one
  for (int o = 0; o < p.n; o += outer) {
    const Block now{o, std::min(p.n, o + outer), panels.columns(p.n - o, o)};
    const int size = before.end - before.first;
    if (o > 0) {
      // BEGIN SOLUTION In the stream `urgent`: subtract the block before from the columns of this block:
      //  exchange_for, solve and subtract. When have all blocks further left done so? Record `changed` at the
      //  end.
      ladder::check(cudaStreamWaitEvent(urgent.get(), rest_changed.get()));
      exchange_for(p, panels, before, now.first, now.end, urgent.get());
      solve(p, before.first, size, now.first, now.end, urgent.get());
      subtract(p, before.first, size, {o, p.n, now.first, now.end}, urgent.get());
      ladder::check(cudaEventRecord(changed.get(), urgent.get()));
      // END SOLUTION
      // BEGIN SOLUTION In the stream `other`: rows move on the left of the block before, and all columns on
      //  the right of this block change in the same way. What must be done before? Wait for `changed` before
      //  the product, so that the panels begin first. Record `rest_changed` at the end.
      ladder::check(cudaStreamWaitEvent(other.get(), factored.get()));
      exchange_for(p, panels, before, 0, before.first, other.get());
      exchange_for(p, panels, before, now.end, p.n, other.get());
      if (now.end < p.n) solve(p, before.first, size, now.end, p.n, other.get());
      ladder::check(cudaStreamWaitEvent(other.get(), changed.get()));
      subtract(p, before.first, size, {o, p.n, now.end, p.n}, other.get());
      ladder::check(cudaEventRecord(rest_changed.get(), other.get()));
      // END SOLUTION
    }
    // BEGIN SOLUTION Factorise this block, in which stream? Record `factored`.
    //| [[maybe_unused]] size, now;
    //| ladder::task();  // Delete this line when you start.
    factorise(p, panels, now, urgent.get());
    ladder::check(cudaEventRecord(factored.get(), urgent.get()));
    // END SOLUTION
    before = now;
  }
  // BEGIN SOLUTION Rows move on the left of the last block.
  ladder::check(cudaStreamWaitEvent(other.get(), factored.get()));
  exchange_for(p, panels, before, 0, before.first, other.get());
  // END SOLUTION
}

}  // namespace lu
