#pragma once
/// @file
/// Given, for t4, t5 and m1 to m3: a panel's kernel, launched in a stream as one cluster. Where there are no
/// clusters, its twin is launched cooperatively. Source: none.

#include <algorithm>
#include <bit>

#include "common/device/cuda.hpp"
#include "once_per_device.hpp"
#include "panel_post.cuh"
#include "problem.hpp"
#include "resident.cuh"

namespace lu {

using Kernel = void (*)(Problem, int, int, Post*, int*, int*);

/// The kernels of one rung for panels of 32, 16, 8 and 4 columns.
struct Kernels {
  Kernel (*clustered)(int columns);
  Kernel (*twin)(int columns);
};

/// @return the blocks of the largest cluster that a panel can have; 0 where the device or the program has no
/// clusters.
/// @throws ladder::Error
inline int asked_blocks_of_cluster([[maybe_unused]] const Kernels& kernels) {
  int blocks = 0;
#ifndef LADDER_EXECUTOR  // which has none
  int device = 0, possible = 0;
  ladder::check(cudaGetDevice(&device));
  ladder::check(cudaDeviceGetAttribute(&possible, cudaDevAttrClusterLaunch, device));
  cudaFuncAttributes attributes{};
  ladder::check(cudaFuncGetAttributes(&attributes, kernels.clustered(32)));
  if (possible == 0 || attributes.ptxVersion < 90) return 0;
  for (const int columns : {32, 16, 8, 4})  // more than 8 blocks: not on every device with clusters
    ladder::check(
        cudaFuncSetAttribute(kernels.clustered(columns), cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
  cudaLaunchConfig_t configuration{};
  configuration.gridDim = max_blocks;
  configuration.blockDim = most_threads;
  ladder::check(cudaOccupancyMaxPotentialClusterSize(&blocks, kernels.clustered(32), &configuration));
#endif
  return std::min(blocks, max_blocks);
}

/// The same, asked once per device.
inline int blocks_of_cluster(const Kernels& kernels) {
  return once_per_device(reinterpret_cast<const void*>(kernels.clustered(32)),
                         [&] { return asked_blocks_of_cluster(kernels); });
}

/// @return blocks of a panel without clusters: one on each multiprocessor, as each takes all registers.
/// @throws ladder::Error
inline int blocks_of_grid() {
  int device = 0, multiprocessors = 0;
  ladder::check(cudaGetDevice(&device));
  ladder::check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  return std::min(max_blocks, multiprocessors);
}

/// Launches a kernel as one cluster of `blocks` blocks.
/// @throws ladder::Error
inline void launch_cluster([[maybe_unused]] Kernel kernel, [[maybe_unused]] int blocks,
                           [[maybe_unused]] int threads, [[maybe_unused]] void** arguments,
                           [[maybe_unused]] cudaStream_t stream) {
#ifndef LADDER_EXECUTOR
  cudaLaunchAttribute attribute{};
  cudaLaunchConfig_t configuration{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {unsigned(blocks), 1, 1};
  configuration.gridDim = blocks;
  configuration.blockDim = threads;
  configuration.stream = stream;
  configuration.attrs = &attribute;
  configuration.numAttrs = 1;
  ladder::check(cudaLaunchKernelExC(&configuration, reinterpret_cast<const void*>(kernel), arguments));
#endif
}

/// What all panels share. Made after the streams that use it, so that its memory is given back while they are
/// there: the default stream does that when they have done their work.
struct Panels {
  Kernels kernels;
  int of_cluster, resident;
  ladder::PooledBuffer<Post> posts{2 * max_blocks};
  ladder::PooledBuffer<int> from, to;

  Panels(int n, const Kernels& kernels)
      : kernels(kernels),
        of_cluster(blocks_of_cluster(kernels)),
        resident(of_cluster > 0 ? of_cluster : blocks_of_grid()),
        from(n),
        to(n) {}

  /// @return columns of a panel that begins in column i: half as many, and threads hold twice as many rows.
  int columns(int m, int i) const {
    int columns = held;
    while (columns > 4 && (resident * most_threads * (held / columns) < m || i % columns != 0)) columns /= 2;
    return columns;
  }
};

/// Begins to factorise the panel of `width` columns from i on. @param columns that the kernel can do, at
/// least `width`
inline void factorise(const Problem& p, const Panels& panels, int i, int width, int columns,
                      cudaStream_t stream) {
  const int m = p.n - i;
  // At least two: for compute-sanitizer a block alone is no cluster, and may not store into its own memory as
  // one.
  const int blocks = std::min(panels.resident, std::max(2, int(std::bit_ceil(unsigned(m + 127) / 128))));
  const int warp_rows = blocks * 32 * (held / columns);  // of one warp in each block
  const int threads = (m + warp_rows - 1) / warp_rows * 32;
  Problem q = p;
  Post* posts = panels.posts.get();
  int *from = panels.from.get(), *to = panels.to.get();
  void* arguments[] = {&q, &i, &width, &posts, &from, &to};
  if (panels.of_cluster > 0)
    launch_cluster(panels.kernels.clustered(columns), blocks, threads, arguments, stream);
  else
    ladder::check(
        cudaLaunchCooperativeKernel(panels.kernels.twin(columns), blocks, threads, arguments, 0, stream));
}

}  // namespace lu
