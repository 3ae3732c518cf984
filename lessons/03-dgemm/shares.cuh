#pragma once
/// @file
/// Given, for t4: how the passes of all tiles of C are divided among the blocks of a grid, and where a part of a tile lies.
/// README.md has a picture. Source: none.

#include "common/device/cuda.hpp"

namespace dgemm {

/// How the passes of all tiles are divided. Tiles 0 to shared - 1 form a line of passes: pass q of the line is pass
/// q % passes of tile q / passes. The line is cut into one share per block. Each other tile is computed by one block.
struct Plan {
  int down, across;  ///< tiles of C
  int passes;        ///< of each tile
  int shared;        ///< tiles whose passes are in the line
  __host__ __device__ int tiles() const { return down * across; }
  __host__ __device__ long long line() const { return (long long)shared * passes; }
};

/// What a block computes at once: the passes first to last - 1 of a tile.
struct Piece {
  int tile, first, last;
};

/// What is left of a block's share: passes `pass` to `end` - 1 of the line.
struct Share {
  long long pass, end;
};

/// @return the block whose share has this pass of the line, when block b's share ends where the next one begins, at pass
/// line (b + 1) / gridDim.x of the line, rounded down.
inline __device__ int block_of(const Plan& plan, long long pass) {
  return int(((pass + 1) * gridDim.x - 1) / plan.line());
}

/// @return how many blocks of the kernel the device holds at once.
/// @throws ladder::Error
template <class Kernel>
int resident_blocks(Kernel kernel, int threads, std::size_t shared_bytes) {
  int device = 0, multiprocessors = 0, blocks = 0;
  ladder::check(cudaGetDevice(&device));
  ladder::check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  ladder::check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, shared_bytes));
  return blocks * multiprocessors;
}

}  // namespace dgemm
