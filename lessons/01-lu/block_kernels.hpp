#pragma once
/// @file
/// The kernels of t1 and t6 besides their panel: what 32 eliminated columns, and then a block of them, mean
/// for the rest of A. Given: the update is the tile of 03/t2 and t3 with the tensor cores of 03/t1, as far as
/// OpenCL reaches them.

#include <string>

#include "common/device/opencl.hpp"
#include "problem.hpp"

namespace lu {

/// Rows and columns of A that a work-group of update_trailing changes, and its work-items.
inline constexpr int update_rows = 128, update_columns = 64, update_items = 128;
/// Columns of A of a work-group of the other kernels, and its work-items: this many times strip_lines.
inline constexpr int strip_columns = 32, strip_lines = 8;

/// What t1 and t6 use of a device.
struct Device {
  int units = 0;  ///< compute units: on a GPU as many work-groups of any size that is allowed run at once
  int capability = 0;  ///< of an NVIDIA GPU, 90 for 9.0: its compiler takes PTX; else 0
  bool is_cpu = false;
  bool is_simulator = false;  ///< Oclgrind is a device of each type at once
};

inline Device device_of_step() {
  Device device;
  cl_uint units = 0, vendor = 0, major = 0, minor = 0;
  cl_device_type type = 0;
  ladder::cl::check(clGetDeviceInfo(ladder::cl::device(), CL_DEVICE_TYPE, sizeof type, &type, nullptr));
  device.is_cpu = type & CL_DEVICE_TYPE_CPU;
  device.is_simulator = device.is_cpu && type & CL_DEVICE_TYPE_GPU;
  ladder::cl::check(
      clGetDeviceInfo(ladder::cl::device(), CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, nullptr));
  ladder::cl::check(
      clGetDeviceInfo(ladder::cl::device(), CL_DEVICE_VENDOR_ID, sizeof vendor, &vendor, nullptr));
  device.units = int(units);
  constexpr cl_device_info major_of_nvidia = 0x4000,
                           minor_of_nvidia = 0x4001;  // cl_nv_device_attribute_query
  const auto ask = [](cl_device_info what, cl_uint& value) {
    return clGetDeviceInfo(ladder::cl::device(), what, sizeof value, &value, nullptr) == CL_SUCCESS;
  };
  if (vendor == 0x10de && ask(major_of_nvidia, major) && ask(minor_of_nvidia, minor))
    device.capability = int(10 * major + minor);
  return device;
}

/// What the kernels are told of a device: CAPABILITY, and ON_CPU. Rolled loops have more instructions, each
/// of which a simulator steps through.
inline std::string macros_of(const Device& device) {
  const bool on_cpu = device.is_cpu && !device.is_simulator;
  return "-DCAPABILITY=" + std::to_string(device.capability) + (on_cpu ? " -DON_CPU" : "");
}

/// Columns of a work-group of solve_block: its memory has room for that many on a device that has at least 32
/// KiB of it.
constexpr int strip_of(const Device& device) {
  return device.capability >= 80 ? 32 : 16;
}

/// Waits for what `queue` has got so far.
/// @param mail  of work-groups that send each other messages; its first word is not 0 when one of them has
/// waited in vain
/// @throws ladder::Error when that has happened: work-groups have gone on without the message, so A is no LU.
inline void throw_if_late(cl_command_queue queue, const ladder::cl::Buffer& mail) {
  cl_uint late = 0;
  ladder::cl::check(
      clEnqueueReadBuffer(queue, mail.get(), CL_TRUE, 0, sizeof late, &late, 0, nullptr, nullptr));
  if (late != 0)
    throw ladder::Error(
        "a message between work-groups did not come within about a second, so A is not factorised: do all of "
        "them run at "
        "the same time? If so, another program kept one of them off the device: run again without it");
}

/// permute_and_solve, permute_block, solve_block, update_trailing. Macros: those of macros_of(); STRIP is
/// strip_of(), BLOCK a multiple of 32.
inline const ladder::cl::Source block_kernels = R"(
#define NB 32  // columns of a panel

// Constant indices keep an array in registers. A processor has too few of them, and its compilers take
// seconds for all that code.
#ifdef ON_CPU
#define UNROLL
#else
#define UNROLL _Pragma("unroll")
#endif

// x becomes L^-1 x for the unit lower triangle in Ls. All indices are known when it is compiled: x stays in
// registers.
#define SUBSTITUTE(x)                            \
  UNROLL for (int q = 0; q < NB; ++q)            \
    UNROLL for (int k = 1; k < NB; ++k)          \
      if (k > q) x[k] -= Ls[k][q] * x[q];

// Moves rows as a panel has: moves[0] rows, row moves[1] of A to row moves[2], and so on. A work-group has 32
// columns, a work-item every eighth of the rows in column c.
void permute(global double* A, global const int* moves, int n, int c) {
  const int ly = get_local_id(1), count = c < n ? min(moves[0], 2 * NB) : 0;
  double row[8];
  UNROLL for (int a = 0; a < 8; ++a)
    if (ly + 8 * a < count) row[a] = A[moves[1 + 2 * (ly + 8 * a)] * n + c];
  barrier(CLK_GLOBAL_MEM_FENCE);  // all rows are read before one is overwritten
  UNROLL for (int a = 0; a < 8; ++a)
    if (ly + 8 * a < count) A[moves[2 + 2 * (ly + 8 * a)] * n + c] = row[a];
}

// The columns from `from` on, as many as there are work-groups for: rows move as in the panel at row and
// column j. Columns from j + NB to end - 1 then lose L11 in the panel's rows.
kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void permute_and_solve(global double* A,         // n x n
                       global const int* moves,  // [panels][1 + 4 NB]: their number; from, to
                       int n, int j, int from, int end) {
  local double Ls[NB][NB];
  const int lx = get_local_id(0), ly = get_local_id(1), first = from + NB * get_group_id(0), c = first + lx;
  if (first == j) return;  // the panel itself
  permute(A, moves + j / NB * (1 + 4 * NB), n, c);
  if (first < j || first >= end) return;
  for (int k = ly; k < NB; k += 8) Ls[k][lx] = A[(j + k) * n + j + lx];
  barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
  if (ly > 0 || c >= n) return;
  double x[NB];
  UNROLL for (int k = 0; k < NB; ++k) x[k] = A[(j + k) * n + c];
  SUBSTITUTE(x)
  UNROLL for (int k = 1; k < NB; ++k) A[(j + k) * n + c] = x[k];
}

// All columns but begin, ..., kept - 1: rows move as in all panels from begin to end - 1.
kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void permute_block(global double* A,         // n x n
                   global const int* moves,  // [panels][1 + 4 NB]
                   int n, int begin, int end, int kept) {
  const int first = NB * get_group_id(0);
  if (begin <= first && first < kept) return;
  for (int j = begin; j < end; j += NB) {
    permute(A, moves + j / NB * (1 + 4 * NB), n, first + get_local_id(0));
    barrier(CLK_GLOBAL_MEM_FENCE);  // the next panel's rows are there
  }
}

// U12 = L11^-1 A12 for a block: rows j, ..., j + BLOCK - 1, the columns from `from` on, STRIP by each
// work-group.
kernel __attribute__((reqd_work_group_size(STRIP, 8, 1)))
void solve_block(global double* A,  // n x n
                 int n, int j, int from) {
  local double X[BLOCK][STRIP], Ls[NB][NB];
  const int lx = get_local_id(0), ly = get_local_id(1), c = from + STRIP * get_group_id(0) + lx;
  // k begins at 0: where it begins at ly, PoCL 5 may take one ly for all work-items after the barrier.
  for (int k = 0; k < BLOCK; k += 8) X[k + ly][lx] = c < n ? A[(j + k + ly) * n + c] : 0;
  for (int b = 0; b < BLOCK; b += NB)
    // L of rows r, ..., r + NB - 1 and columns b, ..., b + NB - 1 of the block.
    for (int r = b; r < BLOCK; r += NB) {
      for (uint e = ly * STRIP + lx; e < NB * NB; e += 8 * STRIP)
        Ls[e / NB][e % NB] = A[(j + r + e / NB) * n + j + b + e % NB];
      barrier(CLK_LOCAL_MEM_FENCE);
      if (r > b) {  // from rows ly, ly + 8, ... subtract multiples of the rows above
        double sum[NB / 8] = {0};
        UNROLL for (int q = 0; q < NB; ++q) {
          const double above = X[b + q][lx];
          UNROLL for (int a = 0; a < NB / 8; ++a) sum[a] += Ls[ly + 8 * a][q] * above;
        }
        UNROLL for (int a = 0; a < NB / 8; ++a) X[r + ly + 8 * a][lx] -= sum[a];
      } else if (ly == 0) {
        double x[NB];
        UNROLL for (int k = 0; k < NB; ++k) x[k] = X[b + k][lx];
        SUBSTITUTE(x)
        UNROLL for (int k = 1; k < NB; ++k) X[b + k][lx] = x[k];
      }
      barrier(CLK_LOCAL_MEM_FENCE);
    }
  if (c < n)
    for (int k = 0; k < BLOCK; k += 8) A[(j + k + ly) * n + c] = X[k + ly][lx];
}

#ifndef ROWS
#define ROWS 128    // of a tile
#endif
#define COLUMNS 64  // of a tile
#define DEPTH 16    // terms of the sum in one pass
#define THREADS 128 // 2 x 2 warps of 64 x 32 elements
// Buffers for parts of L21 and U12: copies that nobody waits for need two.
#define STAGES (CAPABILITY >= 80 ? 2 : 1)

// Where in its row an element lies: four neighbours stay together, so that rows g and columns t of a
// fragment, and rows t and columns g, are in different banks.
#define PLACE(row, column) ((column) ^ 4 * ((row) % 4))

// sum -= As Bs for 16 x 8 elements: rows row, ... of As, columns column, ... of Bs, terms k, ..., k + 3.
// Work-item lane of 32 has rows g and g + 8, columns 2 t and 2 t + 1 of the sum: the layout of mma.m16n8k4.
#if CAPABILITY >= 80
#define LOAD_LEFT(a, row, k)                       \
  a[0] = -As[(row) + g][PLACE(g, (k) + t)];         \
  a[1] = -As[(row) + g + 8][PLACE(g, (k) + t)];
#define LOAD_RIGHT(b, column, k) b = Bs[(k) + t][PLACE(t, (column) + g)];
void multiply_add(double* c, const double* a, double b) {
#if CAPABILITY >= 90
  asm volatile("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 "
      "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
      : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3]) : "d"(a[0]), "d"(a[1]), "d"(b));
#else
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
      : "+d"(c[0]), "+d"(c[1]) : "d"(a[0]), "d"(b));
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
      : "+d"(c[2]), "+d"(c[3]) : "d"(a[1]), "d"(b));
#endif
}
// Copies a pair without passing through registers; a pair outside of A becomes zeros.
void copy_pair(local double* to, global const double* from, int inside) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;"
      : : "r"((uint)(size_t)to), "l"((ulong)from), "r"(inside ? 16 : 0) : "memory");
}
void copy_one(local double* to, global const double* from, int inside) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;"
      : : "r"((uint)(size_t)to), "l"((ulong)from), "r"(inside ? 8 : 0) : "memory");
}
#define LOAD_PAIR(from) *(global const double2*)(from)
#define STORE_PAIR(both, to) *(global double2*)(to) = both
#define WAIT_FOR_COPIES asm volatile("cp.async.wait_all;" : : : "memory")
#else
#define LOAD_PAIR(from) vload2(0, from)
#define STORE_PAIR(both, to) vstore2(both, 0, to)
#define WAIT_FOR_COPIES
void copy_pair(local double* to, global const double* from, int inside) {
  vstore2(inside ? vload2(0, from) : (double2)(0, 0), 0, to);
}
void copy_one(local double* to, global const double* from, int inside) { to[0] = inside ? from[0] : 0; }
#endif

// The rows from `row` on and the columns from, ..., to - 1 lose L21 U12: columns j, ..., j + depth - 1 times
// rows j, ..., j + depth - 1. depth is a multiple of DEPTH.
kernel __attribute__((reqd_work_group_size(THREADS, 1, 1)))
void update_trailing(global double* A,  // n x n
                     int n, int j, int depth, int row, int from, int to) {
  local double Left[STAGES][ROWS][DEPTH] __attribute__((aligned(16)));  // for copies of pairs
  local double Right[STAGES][DEPTH][COLUMNS] __attribute__((aligned(16)));
  const uint item = get_local_id(0);  // unsigned: a division by a power of two is a shift
  const int warp = item / 32, g = item % 32 / 4, t = item % 4;
  const int row0 = row + ROWS * get_group_id(1), col0 = from + COLUMNS * get_group_id(0);
  const int i0 = warp / 2 * (ROWS / 2), j0 = warp % 2 * 32;  // the warp's part of the tile
  const int pairs = n % 2 == 0;  // then all pairs begin at a multiple of 16 bytes, as buffers of OpenCL do
  double sum[ROWS / 32][4][4];   // what is left of A; all of it is loaded at once, before the first product
  UNROLL for (int y = 0; y < ROWS / 16; ++y)
    UNROLL for (int x = 0; x < 4; ++x) {
      const int r = row0 + i0 + 8 * y + g, c = col0 + j0 + 8 * x + 2 * t;
      double2 both = (double2)(0, 0);
      if (r < n && c < to) {
        if (pairs) both = LOAD_PAIR(A + r * n + c);
        else both = (double2)(A[r * n + c], c + 1 < to ? A[r * n + c + 1] : 0);
      }
      sum[y / 2][x][y % 2 * 2] = both.x;
      sum[y / 2][x][y % 2 * 2 + 1] = both.y;
    }
  for (int p0 = (1 - STAGES) * DEPTH; p0 < depth; p0 += DEPTH) {
    const int next = p0 + (STAGES - 1) * DEPTH, stage = next / DEPTH % STAGES;
    WAIT_FOR_COPIES;               // this pass's part is here,
    barrier(CLK_LOCAL_MEM_FENCE);  // also that of others, and nobody reads the stage that is filled next
    if (next < depth) {
#pragma unroll 4
      for (uint e = 2 * item; e < ROWS * DEPTH; e += 2 * THREADS) {
        const int r = e / DEPTH, q = e % DEPTH, inside = row0 + r < n;
        global const double* source = A + (inside ? row0 + r : 0) * n + j + next + q;
        local double* target = &Left[stage][r][PLACE(r, q)];
        if (pairs) copy_pair(target, source, inside);
        else copy_one(target, source, inside), copy_one(target + 1, source + 1, inside);
      }
#pragma unroll 4
      for (uint e = 2 * item; e < DEPTH * COLUMNS; e += 2 * THREADS) {
        const int q = e / COLUMNS, c = e % COLUMNS, inside = col0 + c < to, both = col0 + c + 1 < to;
        global const double* source = A + (j + next + q) * n + (inside ? col0 + c : 0);
        local double* target = &Right[stage][q][PLACE(q, c)];
        if (pairs) copy_pair(target, source, inside);
        else copy_one(target, source, inside), copy_one(target + 1, both ? source + 1 : source, both);
      }
    }
    if (STAGES == 1) barrier(CLK_LOCAL_MEM_FENCE);
    if (p0 < 0) continue;
    local double (*As)[DEPTH] = Left[p0 / DEPTH % STAGES];
    local double (*Bs)[COLUMNS] = Right[p0 / DEPTH % STAGES];
#if CAPABILITY >= 80
    UNROLL for (int k = 0; k < DEPTH; k += 4) {
      double a[ROWS / 32][2], b[4];
      UNROLL for (int y = 0; y < ROWS / 32; ++y) { LOAD_LEFT(a[y], i0 + 16 * y, k) }
      UNROLL for (int x = 0; x < 4; ++x) { LOAD_RIGHT(b[x], j0 + 8 * x, k) }
      UNROLL for (int y = 0; y < ROWS / 32; ++y)
        UNROLL for (int x = 0; x < 4; ++x) multiply_add(sum[y][x], a[y], b[x]);
    }
#else
    for (int k = 0; k < DEPTH; ++k) {
      double a[ROWS / 16], b[8];
      UNROLL for (int y = 0; y < ROWS / 16; ++y) a[y] = As[i0 + 8 * y + g][PLACE(g, k)];
      UNROLL for (int x = 0; x < 8; ++x) b[x] = Bs[k][PLACE(k, j0 + 8 * (x / 2) + 2 * t + x % 2)];
      UNROLL for (int y = 0; y < ROWS / 16; ++y)
        UNROLL for (int x = 0; x < 8; ++x) sum[y / 2][x / 2][y % 2 * 2 + x % 2] -= a[y] * b[x];
    }
#endif
  }
  UNROLL for (int y = 0; y < ROWS / 16; ++y) {
    const int r = row0 + i0 + 8 * y + g;
    if (r >= n) break;
    UNROLL for (int x = 0; x < 4; ++x) {
      const int c = col0 + j0 + 8 * x + 2 * t;
      global double* C = A + r * n + c;
      const double left = sum[y / 2][x][y % 2 * 2], right = sum[y / 2][x][y % 2 * 2 + 1];
      if (pairs && c < to) STORE_PAIR((double2)(left, right), C);
      if (!pairs && c < to) C[0] = left;
      if (!pairs && c + 1 < to) C[1] = right;
    }
  }
}
)";

}  // namespace lu
