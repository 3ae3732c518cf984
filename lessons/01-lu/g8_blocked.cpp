/// @file
/// g8: 32 columns at a time. g7 passes over all that is left of A for each pivot. Here a panel of 32 columns is
/// eliminated first, with nothing but itself; then the block row is solved, and the rest of A changes once, by a
/// product of two strips that work-groups hold in local memory.
/// Source: none; the order of the work is that of LAPACK's dgetrf.

#include <algorithm>
#include <string>
#include <utility>

#include "common/device/opencl.hpp"
#include "lu.hpp"

namespace lu {
namespace {

namespace cl = ladder::cl;
using ladder::cl::check;

constexpr std::size_t tile = 64;    // rows and columns of A that a work-group updates
constexpr int columns_at_once = 2;  // of a panel, that all groups eliminate; more cost all of them more
constexpr int rows_at_once = 32;    // that a group then takes at a time

// Sizes come as options -D. A panel has NB columns. A group of eliminate_columns has G work-items, and takes K columns. A tile of the
// rest has T rows and columns and a group of GX x GY work-items, each with R rows of W vectors of V columns at a time.
const cl::Source kernels = R"(
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
typedef JOIN(double, V) vec;  // V neighbours in a row
typedef JOIN(long, V) cols;   // their columns
#define PV (NB / V)  // vectors of a row of the panel

// Elements c, …, c + V - 1 of a row of n elements; zeros for those beyond its end.
vec load(global const double* row, int c, int n) {
  if (c + V <= n) return JOIN(vload, V)(0, row + c);
  vec x = 0;
#pragma unroll
  for (int k = 0; k < V; ++k)
    if (c + k < n) ((double*)&x)[k] = row[c + k];
  return x;
}

void store(vec x, global double* row, int c, int n) {
  if (c + V <= n) {
    JOIN(vstore, V)(x, 0, row + c);
    return;
  }
#pragma unroll
  for (int k = 0; k < V; ++k)
    if (c + k < n) row[c + k] = ((double*)&x)[k];
}

constant long numbers[] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                           16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31};

// For one work-item: step after step in the panel that begins at row and column j, each in one pass over the rows
// below, which also finds the next pivot.
kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void eliminate_panel(global double* A,   // n x n
                     global int* pivot,  // n
                     global int* info,   // 1
                     int n, int j) {
  const int width = min(NB, n - j);
  cols column[PV];
  for (int k = 0; k < PV; ++k) column[k] = JOIN(vload, V)(0, numbers + k * V);
  int s = j;  // the row of the next pivot
  for (int r = j + 1; r < n; ++r)
    if (fabs(A[r * n + j]) > fabs(A[s * n + j])) s = r;
  for (int i = j; i < j + width; ++i) {
    const int c = i - j, right = min(c + 1, width - 1);
    global double *row_i = A + i * n + j, *row_s = A + s * n + j;
    // TASK, 25 lines: Write pivot[i], and info where the pivot is 0. Swap rows i and s of the panel, also left of column
    //  c. Then each row below i loses factor times row i on the right of column c, and column c becomes the factors;
    //  where the pivot is 0 they are 0. Leave in s the row of the largest entry of column c + 1, of equal ones the first.
  }
}

// Of G candidates the largest comes to place 0, of equal ones that of the lowest row. t: the work-item.
void compare(local double* size, local int* row, int t) {
  for (int count = G; count > 1; count = (count + 7) / 8) {
    const int left = (count + 7) / 8;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < left) {
      double best = size[t];
      int best_row = row[t];
#pragma unroll
      for (int k = 1; k < 8; ++k) {
        const int other = min(t + k * left, count - 1);
        if (size[other] > best || (size[other] == best && row[other] < best_row)) {
          best = size[other];
          best_row = row[other];
        }
      }
      size[t] = best;
      row[t] = best_row;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
}

// Which row of `from` stands in row r after the swaps of rows c0 + p and s[p], p = 0, …, count - 1.
int origin(int r, int c0, const int* s, int count) {  // K
#pragma unroll
  for (int p = K - 1; p >= 0; --p)
    if (p < count) r = r == c0 + p ? s[p] : r == s[p] ? c0 + p : r;
  return r;
}

// Element c of a row of `from`, less what the row loses in `count` steps with factors l.
double rest_of(global const double* row, int col, int c, local const double (*U)[NB],  // K x NB
               int count, const double* l) {                                         // K
  double x = row[c * col];
#pragma unroll
  for (int p = 0; p < K; ++p)
    if (p < count) x = fma(-l[p], U[p][c], x);
  return x;
}

// The row's factors in `count` steps, and zeros behind. All groups must find the same ones, to the last bit.
void find_factors(global const double* row, int col, int c0, local const double (*U)[NB],  // K x NB
                  int count, double* l) {                                                // K
#pragma unroll
  for (int p = 0; p < K; ++p) {
    const double x = p < count ? rest_of(row, col, c0 + p, U, p, l) : 0;
    l[p] = p < count && U[p][c0 + p] != 0 ? x / U[p][c0 + p] : x;
  }
}

// Steps c0, …, c0 + columns - 1 of a panel of m rows that begins at row and column j, columns <= K. Groups cannot wait
// for each other between two steps, but each can do what all need: every group eliminates these columns for itself, and
// finds the same pivots. Then its own rows lose what they have to lose in the other columns. Element (r, c) stands at
// r * row + c * col. The panel comes from one array and goes to another, so no group reads what another one writes.
kernel __attribute__((reqd_work_group_size(G, 1, 1)))
void eliminate_columns(global const double* from, int from_at, int from_row, int from_col,  //
                       global double* to, int to_at, int to_row, int to_col,                //
                       global int* pivot,                                                   // n
                       global int* info,                                                    // 1
                       int m, int j, int c0, int columns) {
  local double U[K][NB];  // the rows of the pivots, on the right of column c0
  local double size[G];
  local int place[G];
  const int t = get_local_id(0), width = min(NB, m);
  from += from_at;
  to += to_at;
  int s[K];  // rows c0 + q and s[q] change places
  double l[K];  // a row's factors in these steps
#pragma unroll
  for (int q = 0; q < K; ++q)
    if (q < columns) {
      // TASK, 25 lines: Find the largest entry of column c0 + q among rows c0 + q, …, m - 1 as they stand after q swaps and
      //  steps: each work-item among some of them, then compare. s[q] is its row, of equal ones the first. One work-item
      //  of one group writes pivot[j + c0 + q], and info where the pivot is 0. Bring that row to U[q].
    }
  // Lanes have neighbouring rows: the panel's columns are contiguous wherever it is not A itself.
  for (int r0 = 32 * get_group_id(0); r0 < m; r0 += 32 * get_num_groups(0)) {
    const int r = r0 + (t & 31), steps = clamp(r - c0, 0, columns);
    if (r >= m) continue;
    // TASK, 9 lines: Row r of `to`, columns t / 32, then G / 32 further: what stands there after all swaps, less what
    //  this row loses in its steps; in the columns of these steps its factors.
  }
}

// The swaps of the panel at j for the columns on both sides of it; then those on its right lose L11.
kernel __attribute__((reqd_work_group_size(NB / V, 1, 1)))
void swap_and_solve(global double* A,         // n x n
                    global const int* pivot,  // n
                    int n, int j) {
  local double L[NB][NB];
  local int place[NB], slot[NB];  // where row j + k goes: to row j + place[k], which is in U[slot[k]]
  local vec U[2 * NB][NB / V];
  const int t = get_local_id(0), c = V * get_global_id(0), width = min(NB, n - j);
  for (uint k = t; k < NB * NB; k += NB / V)
    L[k / NB][k % NB] = k / NB < width && k % NB < width ? A[(j + k / NB) * n + j + k % NB] : 0;
  for (uint k = t; k < NB; k += NB / V) place[k] = k < width ? pivot[j + k] - j : k;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint k = t; k < NB; k += NB / V) {
    int first = 0;
    while (place[first] != place[k]) ++first;
    slot[k] = place[k] < NB ? place[k] : NB + first;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  // TASK, 32 lines: This work-item has the columns c, …, c + V - 1. Bring rows j, …, j + width - 1 to U[.][t], and behind
  //  them, from U[NB][t] on, the rows that come up: all loads before the first swap. Rows k and slot[k] of U change
  //  places, k = 0, 1, …. On the right of the panel U becomes L11^-1 U: row k loses L[k][q] times row q, for q < k.
  //  Columns of the panel itself are done.
}

// Rows and columns from j + NB on lose L21 U12, a tile of T x T in each work-group.
kernel __attribute__((reqd_work_group_size(GX, GY, 1)))
void update_trailing(global double* A,  // n x n
                     int n, int j) {
  local double Ls[T][NB];
  local vec Us[NB][T / V];
  const int lx = get_local_id(0), ly = get_local_id(1), t = ly * GX + lx;
  const int first_row = j + NB + T * get_group_id(1), first_column = j + NB + T * get_group_id(0);
  // TASK, 30 lines: Bring the tile's strips of L21 and U12 to local memory, zeros for what lies outside of A. Then
  //  each work-item takes R rows from R * ly on, then R * GY rows further; of these the vectors lx and, with
  //  W > 1, lx + GX, …. It sums up their products over the NB columns in registers, and A loses these sums, once.
}
)";

/// How the work is shared out. A core of a processor is best at long pieces with wide vectors. A GPU wants many
/// work-items, and all of them meet only between two launches.
struct Shape {
  std::size_t panel,
      panel_groups;  // work-items of a group in eliminate_columns, and groups at most; 1: eliminate_panel
  std::size_t update[2];  // work-items of a group in update_trailing
  int sum_rows, vectors;  // that such a work-item sums up in registers
  int vector;             // columns of a vector
};

Shape shape() {
  cl_device_type type = 0;
  cl_uint units = 0, width = 0;
  check(clGetDeviceInfo(cl::device(), CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, nullptr));
  check(clGetDeviceInfo(cl::device(), CL_DEVICE_TYPE, sizeof type, &type, nullptr));
  check(clGetDeviceInfo(cl::device(), CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE, sizeof width, &width, nullptr));
  // Every group reads all rows of the panel: one for each unit is enough.
  if (type & CL_DEVICE_TYPE_GPU) return {units < 8 ? 32u : 512u, std::max(units, 2u), {16, 8}, 8, 2, 2};
  return {1, 1, {1, 1}, 4, 2, width >= 8 ? 8 : width >= 4 ? 4 : 2};
}

std::string options(const Shape& s) {
  const auto define = [](const char* name, std::size_t value) {
    return " -D " + std::string(name) + "=" + std::to_string(value);
  };
  return define("NB", panel_columns) + define("K", columns_at_once) +
         define("G", std::max<std::size_t>(s.panel, rows_at_once)) + define("T", tile) +
         define("GX", s.update[0]) + define("GY", s.update[1]) + define("R", s.sum_rows) +
         define("W", s.vectors) + define("V", s.vector);
}

}  // namespace

/// PA = LU on the device, a panel of columns at a time.
/// @throws ladder::Error when a call of OpenCL fails.
void blocked(const Problem& p) {
  const std::size_t n = p.n, matrix_bytes = n * n * sizeof(double);
  *p.info = 0;
  if (n == 0) return;  // OpenCL knows neither empty buffers nor empty ranges
  static const Shape s = shape();
  static const cl::Program program{kernels, options(s)};
  const cl::Kernel eliminate_panel{program, "eliminate_panel"};
  const cl::Kernel eliminate_columns{program, "eliminate_columns"};
  const cl::Kernel swap_and_solve{program, "swap_and_solve"}, update_trailing{program, "update_trailing"};
  const cl::Queue queue, copies;
  const auto pieces = [](std::size_t count, std::size_t unit) { return (count + unit - 1) / unit; };
  const cl::Buffer dA{CL_MEM_READ_WRITE, matrix_bytes};
  const cl::Buffer dpivot{CL_MEM_READ_WRITE, n * sizeof(int)}, dinfo{CL_MEM_READ_WRITE, sizeof(int)};

  const auto launch = [&](const cl::Kernel& kernel, std::size_t columns, std::size_t rows,
                          const std::size_t(&group)[2], cl_event* done = nullptr) {
    const std::size_t range[] = {columns * group[0], rows * group[1]};
    check(clEnqueueNDRangeKernel(queue.get(), kernel.get(), 2, nullptr, range, group, 0, nullptr, done));
  };

  check(clEnqueueWriteBuffer(queue.get(), dA.get(), CL_FALSE, 0, matrix_bytes, p.A, 0, nullptr, nullptr));
  check(
      clEnqueueWriteBuffer(queue.get(), dinfo.get(), CL_FALSE, 0, sizeof(int), p.info, 0, nullptr, nullptr));
  // A panel of m rows: in A, or column by column in an array of its own. Element (r, c) is at + r * row + c * col.
  struct Panel {
    cl_mem array;
    int at, row, col;
  };
  const cl::Buffer first{CL_MEM_READ_WRITE, n * panel_columns * sizeof(double)};
  const cl::Buffer second{CL_MEM_READ_WRITE, n * panel_columns * sizeof(double)};
  const auto eliminate = [&](int j) {
    const int m = p.n - j, width = std::min(m, panel_columns);
    if (s.panel == 1) {
      cl::set_arguments(eliminate_panel, dA, dpivot, dinfo, p.n, j);
      launch(eliminate_panel, 1, 1, {1, 1});
      return;
    }
    const std::size_t groups = std::min(pieces(m, rows_at_once), s.panel_groups);
    const Panel in_A{dA.get(), j * p.n + j, p.n, 1};
    // TASK, 11 lines: A launch for each columns_at_once columns: from A to `first`, from there to `second` and back, and
    //  with the last launch to A. A panel so narrow that one would do takes two, the second one without columns.
  };

  const std::size_t strip = n * panel_columns;  // elements
  cl::Event solved{nullptr};                    // the strip of the panel before has its final elements
  std::size_t back = 0;                         // so many elements have been read back
  for (int j = 0; j < p.n; j += panel_columns) {
    const int end = std::min(j + panel_columns, p.n);
    // TASK, 17 lines: The panel. Then the columns beside it, in groups of panel_columns, and the tiles below and on the
    //  right, if there are any. The strip of the panel before is read back as soon as `solved` says that it is final.
    ladder::task();  // Delete this line when you start.
  }
  check(clEnqueueReadBuffer(queue.get(), dpivot.get(), CL_FALSE, 0, n * sizeof(int), p.pivot, 0, nullptr,
                            nullptr));
  check(clEnqueueReadBuffer(queue.get(), dinfo.get(), CL_FALSE, 0, sizeof(int), p.info, 0, nullptr, nullptr));
  check(clEnqueueReadBuffer(queue.get(), dA.get(), CL_TRUE, back * sizeof(double),
                            matrix_bytes - back * sizeof(double), p.A + back, 0, nullptr, nullptr));
  check(clFinish(copies.get()));
}

}  // namespace lu
