#pragma once
/// @file
/// What g8 keeps in shared memory: the vectors and entries of a block's rows, and the vector of all rows.
/// Given: g8 says what is loaded when.

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "problem.hpp"

namespace npb_cg {

constexpr int block_threads = 1024;
constexpr int warps = block_threads / 32;
constexpr int at_once = 4;  // entries that a lane loads before it multiplies

/// What a block has room for in shared memory.
struct Room {
  int rows = 0;      // of vectors and of row_start; 0: these stay in device memory
  int elements = 0;  // of the vector that A is multiplied by: n or 0
  int entries = 0;

  std::size_t bytes() const {
    return (4 * rows + elements + entries) * sizeof(double) + (rows + 1) * sizeof(int) +
           entries * sizeof(std::uint16_t);
  }
};

/// What a block keeps: the vectors of its rows, then their entries, then the vector of all rows.
/// @param bytes  of shared memory
inline Room room_in(std::size_t bytes, const Problem& p, int blocks) {
  Room room{.rows = (p.n + blocks - 1) / blocks};
  if (room.bytes() > bytes) return {};
  if (p.n <= 1 << 16) {
    // Blocks differ in entries. NPB's rows have random lengths: none of 132 blocks has more than this.
    const double entries = double(p.nnz) / blocks * (1 + 1.25 / std::sqrt(room.rows));
    constexpr double entry_bytes = sizeof(double) + sizeof(std::uint16_t);
    // What is not shared is first-level cache, through which the vector comes if there is no room for it.
    room.entries = int(std::min(entries, double(bytes - room.bytes()) / entry_bytes));
    if (room.bytes() + p.n * sizeof(double) <= bytes) room.elements = p.n;
  }
  return room;
}

/// The rows of a block, and where their numbers are. Element i of d, q, r, z and row_start is at i - begin.
struct Share {
  int begin, end;  // rows
  int first;       // entry
  Room room;
  double *d, *q, *r, *z;  // in shared memory, or in device memory if that is too small
  const int* row_start;   // the same
  // Always in shared memory.
  double* vector;          // room.elements
  double* values;          // room.entries
  std::uint16_t* columns;  // room.entries
};

/// Also copies row_start: a barrier must follow before it is used.
static __device__ Share share_of(const Problem& p, Room room) {
  extern __shared__ double shared[];
  const int rows = (p.n + gridDim.x - 1) / gridDim.x, begin = min(p.n, int(blockIdx.x) * rows);
  const int end = min(p.n, begin + rows);
  const bool on_chip = room.rows > 0;
  double *const vector = shared + 4 * room.rows, *const values = vector + room.elements;
  int* const row_start = reinterpret_cast<int*>(values + room.entries);
  if (on_chip)
    for (int i = threadIdx.x; i <= end - begin; i += block_threads) row_start[i] = p.row_start[begin + i];
  return {.begin = begin,
          .end = end,
          .first = p.row_start[begin],
          .room = room,
          .d = on_chip ? shared : p.d + begin,
          .q = on_chip ? shared + rows : p.q + begin,
          .r = on_chip ? shared + 2 * rows : p.r + begin,
          .z = on_chip ? shared + 3 * rows : p.z + begin,
          .row_start = on_chip ? row_start : p.row_start + begin,
          .vector = vector,
          .values = values,
          .columns = reinterpret_cast<std::uint16_t*>(row_start + room.rows + 1)};
}

/// Entries begin to end - 1, times v, by one warp: the sum, in lane 0.
template <class Column>
static __device__ double sum_of(int begin, int end, const Column* columns, const double* values,
                                const double* v) {  // n
  double sum = 0;
  for (int first = begin + int(threadIdx.x % 32); first < end; first += at_once * 32) {
    int column[at_once];
    double value[at_once];
    for (int e = 0; e < at_once; ++e) {
      const int k = first + e * 32;
      column[e] = k < end ? columns[k] : 0;
      value[e] = k < end ? values[k] : 0;
    }
    for (int e = 0; e < at_once; ++e) sum += value[e] * v[column[e]];
  }
  for (int lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_down_sync(~0u, sum, lanes);
  return sum;
}

/// z = d = q = 0, r = x. @return this thread's part of r . r
static __device__ double start(const Problem& p, const Share& rows) {
  double part = 0;
  for (int i = rows.begin + int(threadIdx.x); i < rows.end; i += block_threads) {
    const int at = i - rows.begin;
    const double value = p.x[i];
    rows.z[at] = rows.d[at] = rows.q[at] = 0;
    p.r[i] = rows.r[at] = value;
    part += value * value;
  }
  return part;
}

/// a / b, as the contract has it.
static __device__ double ratio(double a, double b) {
  return b == 0 ? 0 : a / b;
}

}  // namespace npb_cg
