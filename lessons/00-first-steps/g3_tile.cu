/// @file
/// g3: transpose by tiles. A warp that reads a row of A and writes a column of B touches 32 far-apart places
/// for 32 elements. Here a block loads a square of A into shared memory and stores it to B row by row.
/// Before: g2, where shared memory held a chunk of a row. Source: none.

#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace first_steps {
namespace {

constexpr int T = 32;  // a tile is T x T: a row of it is one warp

/// A block moves one tile: its rows to shared memory, its columns to B.
__global__ void transpose(int rows, int columns,
                          const float* A,  // rows x columns
                          float* B) {      // columns x rows
  __shared__ float tile[T][T];
  // TASK, 6 lines: Load this thread's element of A into the tile. After a barrier store an element of B, so
  //  that the 32 threads of a warp, which differ in threadIdx.x, read neighbours in A and write neighbours in
  //  B. The tile of block (x, y) of A is tile (y, x) of B. Sizes need not be multiples of T.
}

}  // namespace

/// Transposes the image.
/// @throws ladder::Error when the device refuses the launch.
void tile(const Problem& p) {
  // TASK, 4 lines: Launch one block of T x T threads for each tile of A, and check the launch.
  ladder::task();  // Delete this line when you start.
}

}  // namespace first_steps
