#pragma once
/// @file
/// Given, for m2 and m3: the communicators of a grid, and the pivots, which all ranks get. Source: none.

#include <vector>

#include "common/device/nccl.hpp"
#include "grid_panel.cuh"
#include "problem.hpp"

namespace lu {

/// All ranks, those in this rank's row of the grid, and those in its column. In its row a rank has the number
/// of its column, in its column that of its row.
struct Communicators {
  ncclComm_t all, row, column;
};

/// @throws ladder::Error
inline Communicators communicators_of(const Ranks& ranks) {
  std::vector<int> row_of(ranks.count), column_of(row_of);
  for (int r = 0; r < ranks.count; ++r) {
    row_of[r] = r / ranks.columns();
    column_of[r] = r % ranks.columns();
  }
  return {ladder::communicator(std::vector<int>(ranks.count)), ladder::communicator(row_of),
          ladder::communicator(column_of)};
}

/// Every rank gets the owner's pivots, and info.
inline void broadcast_pivots(const Problem& p, const GridBlock& block, ncclComm_t all, cudaStream_t stream) {
  int* const pivot = p.pivot + block.first;
  ladder::check(ncclGroupStart());
  ladder::check(ncclBroadcast(pivot, pivot, block.width(), ncclInt, block.owner(), all, stream));
  ladder::check(ncclBroadcast(p.info, p.info, 1, ncclInt, block.owner(), all, stream));
  ladder::check(ncclGroupEnd());
}

}  // namespace lu
