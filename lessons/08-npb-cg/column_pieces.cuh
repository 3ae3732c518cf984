#pragma once
/// @file
/// How g6 and g7 divide a product into blocks of rows and pieces of columns, and where the rows' parts of the
/// pieces begin. Given: the rungs say what a block does with them.

#include <algorithm>

#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace npb_cg {

constexpr int lanes = 16;   // that share a row's entries in a piece
constexpr int at_once = 4;  // entries that a lane loads before it multiplies

/// n / parts, rounded up.
constexpr int up(int n, int parts) {
  return (n + parts - 1) / parts;
}

/// How a product is divided: each block has some rows, and takes the columns a piece at a time.
struct Division {
  int n;
  int blocks, rows;    ///< of a block
  int pieces, length;  ///< columns of a piece

  std::size_t shared_bytes() const { return sizeof(double) * (length + rows); }
};

/// A block on each multiprocessor, whose shared memory holds the sums of its rows and a piece of the vector.
/// A row has about as many entries in a piece as its lanes load at once.
/// @throws ladder::Error when the device refuses a question.
inline Division division_of(const Problem& p) {
  int device = 0, multiprocessors = 0, shared = 0;
  ladder::check(cudaGetDevice(&device));
  ladder::check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  ladder::check(cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
  const int max_rows = shared / 4 / int(sizeof(double));
  const int blocks = std::max(multiprocessors, up(p.n, max_rows)), rows = up(p.n, blocks);
  // A quarter stays for the first-level cache, through which the matrix comes.
  const int longest = shared * 3 / 4 / int(sizeof(double)) - rows;
  const int pieces = std::max(up(p.n, longest), up(p.nnz / p.n, lanes * at_once));
  return {p.n, blocks, rows, pieces, up(p.n, pieces)};
}

/// Where each row's part in each piece begins: bounds[piece * n + i] is the first entry of row i whose column
/// is in the piece, or after it. One more line of bounds has the ends of the rows.
static __global__ void divide(Division v, const int* row_start, const int* columns,  // n + 1, nnz
                              int* bounds) {                                         // (pieces + 1) x n
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= v.n) return;
  int k = row_start[i];
  for (int piece = 0; piece <= v.pieces; ++piece) {
    const long long first = (long long)(piece)*v.length;
    for (int last = row_start[i + 1]; k < last;) {  // columns of a row increase
      const int middle = k + (last - k) / 2;
      if (columns[middle] < first)
        k = middle + 1;
      else
        last = middle;
    }
    bounds[(long long)(piece)*v.n + i] = k;
  }
}

}  // namespace npb_cg
