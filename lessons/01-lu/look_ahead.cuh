#pragma once
/// @file
/// Given, for t5 and m1 to m3: t4's look-ahead, for any panel. Source: none.

#include <algorithm>

#include "cluster_launch.cuh"
#include "common/device/cuda.hpp"
#include "problem.hpp"
#include "resident.cuh"

namespace lu {

/// A block of columns, `first` to `end` - 1, that is factorised by panels of `columns` columns.
struct Block {
  int first, end, columns;
};

/// Begins to factorise a block, within its columns.
inline void factorise(const Problem& p, const Panels& panels, const Block& block, cudaStream_t stream) {
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
inline void exchange_for(const Problem& p, const Panels& panels, const Block& block, int begin, int end,
                         cudaStream_t stream) {
  exchange_later(p, block.first, block.end - block.first, block.columns, begin, end, panels.from.get(),
                 panels.to.get(), stream);
}

/// PA = LU of a matrix on the device; while a block of `outer` columns is factorised, all on its right are
/// changed.
/// @throws ladder::Error when the device refuses a launch, or cannot hold a panel of four columns.
inline void look_ahead(const Problem& p, const Kernels& kernels, int outer) {
  ladder::check(cudaMemsetAsync(p.info, 0, sizeof *p.info));
  if (p.n == 0) return;
  const ladder::Stream urgent(cudaStreamDefault, ladder::greatest_priority());
  const ladder::Stream other;
  const Panels panels(p.n, kernels);
  const ladder::Event factored(cudaEventDisableTiming), changed(cudaEventDisableTiming),
      rest_changed(cudaEventDisableTiming);
  Block before{};  // the block on the left of this one
  for (int o = 0; o < p.n; o += outer) {
    const Block now{o, std::min(p.n, o + outer), panels.columns(p.n - o, o)};
    const int size = before.end - before.first;
    if (o > 0) {
      ladder::check(cudaStreamWaitEvent(urgent.get(), rest_changed.get()));
      if (size <= before.columns) {  // one panel: its rows move and are solved for in one launch
        exchange(p, before.first, size, before.first, now.end, now.end, panels.from.get(), panels.to.get(),
                 urgent.get());
      } else {
        exchange_for(p, panels, before, now.first, now.end, urgent.get());
        solve(p, before.first, size, now.first, now.end, urgent.get());
      }
      subtract(p, before.first, size, {o, p.n, now.first, now.end}, urgent.get());
      ladder::check(cudaEventRecord(changed.get(), urgent.get()));
      ladder::check(cudaStreamWaitEvent(other.get(), factored.get()));
      exchange_for(p, panels, before, 0, before.first, other.get());
      exchange_for(p, panels, before, now.end, p.n, other.get());
      if (now.end < p.n) solve(p, before.first, size, now.end, p.n, other.get());
      ladder::check(cudaStreamWaitEvent(other.get(), changed.get()));
      subtract(p, before.first, size, {o, p.n, now.end, p.n}, other.get());
      ladder::check(cudaEventRecord(rest_changed.get(), other.get()));
    }
    factorise(p, panels, now, urgent.get());
    ladder::check(cudaEventRecord(factored.get(), urgent.get()));
    before = now;
  }
  ladder::check(cudaStreamWaitEvent(other.get(), factored.get()));
  exchange_for(p, panels, before, 0, before.first, other.get());
}

}  // namespace lu
