/// @file
/// g4: the tile of g3 without bank conflicts. There a warp reads a column of the tile, and all 32 elements of
/// it lie in one bank of shared memory: they come one after the other. Another length of the rows puts them
/// into different banks. Before: g3. Source: none.

#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace first_steps {
namespace {

constexpr int T = 32;  // a tile is T x T: a row of it is one warp

/// A block moves one tile: its rows to shared memory, its columns to B.
__global__ void transpose(int rows, int columns,
                          const float* A,  // rows x columns
                          float* B) {      // columns x rows
  // TASK, 7 lines: Declare the tile such that neither its rows nor its columns have two elements in one bank.
  //  Then go on as in g3.
}

}  // namespace

/// Transposes the image.
/// @throws ladder::Error when the device refuses the launch.
void padded_tile(const Problem& p) {
  // TASK, 4 lines: Launch one block of T x T threads for each tile of A, and check the launch.
  ladder::task();  // Delete this line when you start.
}

}  // namespace first_steps
