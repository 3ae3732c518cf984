/// @file
/// g8: 32 columns at a time. In g7 each column costs four launches, and each passes over what is left of A.
/// Here one work-group eliminates a panel of 32 columns in one launch. It works on a copy of the panel that
/// is stored by columns, and the rows that all its work-items need are in local memory. The rest of A then
/// changes once for 32 pivots. Source: none; the order of the work is that of LAPACK's dgetrf.

#include <algorithm>
#include <string>

#include "common/device/opencl.hpp"
#include "problem.hpp"

namespace lu {
namespace {

namespace cl = ladder::cl;
using ladder::cl::check;

constexpr std::size_t group_columns = 64;
constexpr std::size_t rows_each = 8;  // rows of a work-item, as in update_trailing
static_assert(panel_columns == 32, "NB in the kernels is this number");

const cl::Source kernels = R"(
#define NB 32  // columns of a panel

// One work-group of ITEMS work-items eliminates the panel at row and column j. P[c * n + r] is element (r, j
// + c) of A.
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void eliminate_panel(global double* A,   // n x n
                     global double* P,   // NB x n, workspace
                     global int* pivot,  // n
                     global int* info,   // 1
                     int n, int j) {
  local double U[NB][NB];  // row q: what a row with factor 1 loses in step q
  local double size[ITEMS];
  local int place[ITEMS];
  const uint t = get_local_id(0), columns = min(NB, n - j);
  // Copies: a warp moves 4 columns of 8 rows, whole sectors of both arrays.
  for (uint e = t; e / 256 * 8 < n - j; e += ITEMS) {
    const uint k = e % 4 + e / 32 % 8 * 4, r = j + e / 4 % 8 + e / 256 * 8;
    if (k < columns && r < n) P[k * n + r] = A[r * n + j + k];
  }
  barrier(CLK_GLOBAL_MEM_FENCE);
  for (uint c = 0; c < columns; ++c) {
    const int i = j + c;
    global double* column = P + c * n;
    double best = -1;
    int row = i;
    // TASK, 10 lines: Work-item t has rows j + t, j + t + ITEMS, …. In its rows from i on, subtract from
    //  column c what steps 0, …, c - 1 of this panel find: U[q][c] times the row's factor in P[q * n + r].
    //  Leave in best and row the largest absolute value of its rows and where it is, as in find_pivot.
    size[t] = best;
    place[t] = row;
    for (uint width = ITEMS / 2; width > 0; width /= 2) {
      barrier(CLK_LOCAL_MEM_FENCE);
      const uint other = t + width;
      if (t < width && (size[other] > size[t] || (size[other] == size[t] && place[other] < place[t]))) {
        size[t] = size[other];
        place[t] = place[other];
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    const int s = place[0];
    if (t == 0) {
      pivot[i] = s;
      if (size[0] == 0 && *info == 0) *info = i + 1;
    }
    // TASK, 14 lines: Swap rows i and s of the panel, one work-item for each column. Then row i loses, on the
    //  right of column c, what steps 0, …, c - 1 subtract, and becomes U[c]. Then column c becomes factors
    //  below row i; the divisor is the pivot, or 1 if it is zero. Who reads what another work-item has
    //  written?
  }
  barrier(CLK_GLOBAL_MEM_FENCE);
  for (uint e = t; e / 256 * 8 < n - j; e += ITEMS) {
    const uint k = e % 4 + e / 32 % 8 * 4, r = j + e / 4 % 8 + e / 256 * 8;
    if (k < columns && r < n) A[r * n + j + k] = P[k * n + r];
  }
}

// The panel's swaps for the columns on both sides of it; then those on its right lose L11.
kernel void swap_and_solve(global double* A,         // n x n
                           global const int* pivot,  // n
                           int n, int j) {
  const int c = get_global_id(0), end = min(j + NB, n);
  // TASK, 13 lines: This work-item has column c. Swap its elements in rows i and pivot[i], i = j, j + 1, ….
  //  On the right of the panel, row i then loses L[i][q] times row q, for j <= q < i. The panel's own columns
  //  are done.
}

// Rows and columns from j + NB on lose L21 U12: update_matrix of g7, for 32 pivots. Each element changes
// once.
kernel void update_trailing(global double* A,  // n x n
                            int n, int j) {
  const int c = get_global_id(0), first = j + NB + 8 * get_global_id(1);
  if (c < j + NB || c >= n || first >= n) return;
  double sum[8] = {0};
  for (int q = j; q < j + NB; ++q) {
    const double above = A[q * n + c];
#pragma unroll
    for (int a = 0; a < 8; ++a) sum[a] += A[min(first + a, n - 1) * n + q] * above;
  }
#pragma unroll
  for (int a = 0; a < 8; ++a)
    if (first + a < n) A[(first + a) * n + c] -= sum[a];
}
)";

}  // namespace

/// PA = LU on the device, a panel of columns at a time.
/// @throws ladder::Error when a call of OpenCL fails.
void local_panel(const Problem& p) {
  const std::size_t n = p.n, vector_bytes = n * sizeof(double), matrix_bytes = n * vector_bytes;
  *p.info = 0;
  if (n == 0) return;  // OpenCL knows neither empty buffers nor empty ranges
  static const std::size_t panel_items = cl::group_items(512);  // work-items of eliminate_panel
  static const std::size_t group_lines = cl::group_items(4 * group_columns) / group_columns;
  static const cl::Program program{kernels, "-DITEMS=" + std::to_string(panel_items)};
  const cl::Kernel eliminate_panel{program, "eliminate_panel"}, swap_and_solve{program, "swap_and_solve"};
  const cl::Kernel update_trailing{program, "update_trailing"};
  const cl::Queue queue;
  const cl::Buffer dA{CL_MEM_READ_WRITE, matrix_bytes}, dP{CL_MEM_READ_WRITE, panel_columns * vector_bytes};
  const cl::Buffer dpivot{CL_MEM_READ_WRITE, n * sizeof(int)}, dinfo{CL_MEM_READ_WRITE, sizeof(int)};

  // Starts update_trailing for the rows and columns first, …, n - 1.
  const auto launch_update = [&](std::size_t first) {
    if (first >= n) return;
    const auto rounded_up = [](std::size_t count, std::size_t unit) {
      return (count + unit - 1) / unit * unit;
    };
    const std::size_t begin = first / group_columns * group_columns;
    const std::size_t lines = (n - first + rows_each - 1) / rows_each;
    const std::size_t offset[] = {begin, 0}, group[] = {group_columns, group_lines};
    const std::size_t range[] = {rounded_up(n - begin, group_columns), rounded_up(lines, group_lines)};
    check(clEnqueueNDRangeKernel(queue.get(), update_trailing.get(), 2, offset, range, group, 0, nullptr,
                                 nullptr));
  };

  check(clEnqueueWriteBuffer(queue.get(), dA.get(), CL_FALSE, 0, matrix_bytes, p.A, 0, nullptr, nullptr));
  check(
      clEnqueueWriteBuffer(queue.get(), dinfo.get(), CL_FALSE, 0, sizeof(int), p.info, 0, nullptr, nullptr));
  for (int j = 0; j < p.n; j += panel_columns) {
    // TASK, 8 lines: Three launches: the panel, by one work-group of panel_items; the columns on both sides
    //  of it, one work-item for each of the n columns; what is left below and on the right.
    ladder::task();  // Delete this line when you start.
  }
  check(clEnqueueReadBuffer(queue.get(), dpivot.get(), CL_FALSE, 0, n * sizeof(int), p.pivot, 0, nullptr,
                            nullptr));
  check(clEnqueueReadBuffer(queue.get(), dinfo.get(), CL_FALSE, 0, sizeof(int), p.info, 0, nullptr, nullptr));
  check(clEnqueueReadBuffer(queue.get(), dA.get(), CL_TRUE, 0, matrix_bytes, p.A, 0, nullptr, nullptr));
}

}  // namespace lu
