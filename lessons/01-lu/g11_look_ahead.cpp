/// @file
/// g11: look-ahead. In g10 the whole device waits while one work-group eliminates a panel. Here the update
/// changes the next panel's columns first. Then that panel is eliminated in a queue of its own, while the
/// rest still changes. Source: none; look-ahead is how LINPACK programs and hybrid libraries hide the panel
/// (see README.md, Beyond).

#include <algorithm>
#include <string>

#include "common/device/opencl.hpp"
#include "problem.hpp"

namespace lu {
namespace {

namespace cl = ladder::cl;
using ladder::cl::check;

constexpr std::size_t tile_rows = 64, tile_columns = 64;  // that a group of update_trailing changes
constexpr std::size_t group_columns = 32, group_lines = 8;
static_assert(panel_columns == 32, "NB in the kernels is this number");

const cl::Source kernels = R"(
#define NB 32       // columns of a panel
#define ROWS 64     // of a tile
#define COLUMNS 64  // of a tile

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
    for (int r = j + t; r < n; r += ITEMS) {
      if (r < i) continue;
      double x = column[r];
      for (uint q = 0; q < c; ++q) x -= P[q * n + r] * U[q][c];
      column[r] = x;
      if (fabs(x) > best) {
        best = fabs(x);
        row = r;
      }
    }
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
    if (t < columns) {
      const double above = P[t * n + i];
      P[t * n + i] = P[t * n + s];
      P[t * n + s] = above;
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (t >= c && t < columns) {
      double x = P[t * n + i];
      for (uint q = 0; q < (t > c ? c : 0); ++q) x -= P[q * n + i] * U[q][t];
      U[c][t] = P[t * n + i] = x;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    for (int r = j + t; r < n; r += ITEMS)
      if (r > i) column[r] /= U[c][c] == 0 ? 1 : U[c][c];
  }
  barrier(CLK_GLOBAL_MEM_FENCE);
  for (uint e = t; e / 256 * 8 < n - j; e += ITEMS) {
    const uint k = e % 4 + e / 32 % 8 * 4, r = j + e / 4 % 8 + e / 256 * 8;
    if (k < columns && r < n) A[r * n + j + k] = P[k * n + r];
  }
}

// The panel's swaps for the columns of the range; then those on its right lose L11.
kernel void swap_and_solve(global double* A,         // n x n
                           global const int* pivot,  // n
                           int n, int j) {
  const int c = get_global_id(0), end = min(j + NB, n);
  if (c >= j && c < end) return;
  for (int i = j; i < end; ++i) {
    const int s = pivot[i];
    const double above = A[i * n + c];
    A[i * n + c] = A[s * n + c];
    A[s * n + c] = above;
  }
  if (c < j) return;
  for (int i = j + 1; i < end; ++i) {
    double x = A[i * n + c];
    for (int q = j; q < i; ++q) x -= A[i * n + q] * A[q * n + c];
    A[i * n + c] = x;
  }
}

// Rows from j + NB on lose L21 U12 in the columns from, …, to - 1: a tile of ROWS x COLUMNS by each
// work-group.
kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void update_trailing(global double* A,  // n x n
                     int n, int j, int from, int to) {
  local double Ls[ROWS][NB], Us[NB][COLUMNS];
  const int lx = get_local_id(0), ly = get_local_id(1);
  const int first_row = j + NB + ROWS * get_group_id(1), c = from + COLUMNS * get_group_id(0) + lx;
  for (int k = ly; k < ROWS; k += 8)
    Ls[k][lx] = first_row + k < n ? A[(first_row + k) * n + j + lx] : 0;
  for (int k = ly; k < NB; k += 8) {
    Us[k][lx] = c < to ? A[(j + k) * n + c] : 0;
    Us[k][lx + 32] = c + 32 < to ? A[(j + k) * n + c + 32] : 0;
  }
  double left[8][2];
#pragma unroll
  for (int a = 0; a < 8; ++a) {
    const int r = first_row + ly + 8 * a;
    left[a][0] = r < n && c < to ? A[r * n + c] : 0;
    left[a][1] = r < n && c + 32 < to ? A[r * n + c + 32] : 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int q = 0; q < NB; ++q) {
    const double u = Us[q][lx], v = Us[q][lx + 32];
#pragma unroll
    for (int a = 0; a < 8; ++a) {
      const double factor = Ls[ly + 8 * a][q];
      left[a][0] -= factor * u;
      left[a][1] -= factor * v;
    }
  }
#pragma unroll
  for (int a = 0; a < 8; ++a) {
    const int r = first_row + ly + 8 * a;
    if (r < n && c < to) A[r * n + c] = left[a][0];
    if (r < n && c + 32 < to) A[r * n + c + 32] = left[a][1];
  }
}
)";

}  // namespace

/// PA = LU on the device; a panel is eliminated while the rest of A still changes.
/// @throws ladder::Error when a call of OpenCL fails.
void look_ahead(const Problem& p) {
  const std::size_t n = p.n, vector_bytes = n * sizeof(double), matrix_bytes = n * vector_bytes;
  *p.info = 0;
  if (n == 0) return;  // OpenCL knows neither empty buffers nor empty ranges
  static const std::size_t panel_items = cl::group_items(512);  // work-items of eliminate_panel
  static const cl::Program program{kernels, "-DITEMS=" + std::to_string(panel_items)};
  const cl::Kernel eliminate_panel{program, "eliminate_panel"}, swap_and_solve{program, "swap_and_solve"};
  const cl::Kernel update_trailing{program, "update_trailing"};
  const cl::Queue panels, rest;
  const cl::Buffer dA{CL_MEM_READ_WRITE, matrix_bytes}, dP{CL_MEM_READ_WRITE, panel_columns * vector_bytes};
  const cl::Buffer dpivot{CL_MEM_READ_WRITE, n * sizeof(int)}, dinfo{CL_MEM_READ_WRITE, sizeof(int)};

  const auto eliminate = [&](int j) {
    cl::set_arguments(eliminate_panel, dA, dP, dpivot, dinfo, p.n, j);
    check(clEnqueueNDRangeKernel(panels.get(), eliminate_panel.get(), 1, nullptr, &panel_items, &panel_items,
                                 0, nullptr, nullptr));
  };
  // What the panel at j means for the columns from, …, to - 1: swaps, and on its right the update.
  const auto apply = [&](const cl::Queue& queue, int j, std::size_t from, std::size_t to) {
    if (from >= to) return;
    const std::size_t columns = to - from, below = j + panel_columns;
    cl::set_arguments(swap_and_solve, dA, dpivot, p.n, j);
    check(clEnqueueNDRangeKernel(queue.get(), swap_and_solve.get(), 1, &from, &columns, nullptr, 0, nullptr,
                                 nullptr));
    if (from < below) return;
    const auto tiles = [](std::size_t count, std::size_t size) { return (count + size - 1) / size; };
    const std::size_t range[] = {tiles(columns, tile_columns) * group_columns,
                                 tiles(n - below, tile_rows) * group_lines};
    const std::size_t group[] = {group_columns, group_lines};
    cl::set_arguments(update_trailing, dA, p.n, j, int(from), int(to));
    check(clEnqueueNDRangeKernel(queue.get(), update_trailing.get(), 2, nullptr, range, group, 0, nullptr,
                                 nullptr));
  };
  // What `queue` gets from now on begins when all that `other` has got so far is done.
  const auto wait_for = [&](const cl::Queue& queue, const cl::Queue& other) {
    cl_event event = nullptr;
    check(clEnqueueMarkerWithWaitList(other.get(), 0, nullptr, &event));
    const cl::Event done{event};
    check(clFlush(other.get()));
    check(clEnqueueBarrierWithWaitList(queue.get(), 1, &event, nullptr));
  };

  check(clEnqueueWriteBuffer(panels.get(), dA.get(), CL_FALSE, 0, matrix_bytes, p.A, 0, nullptr, nullptr));
  check(
      clEnqueueWriteBuffer(panels.get(), dinfo.get(), CL_FALSE, 0, sizeof(int), p.info, 0, nullptr, nullptr));
  eliminate(0);
  for (int j = 0; j < p.n; j += panel_columns) {
    const std::size_t next = std::min(j + panel_columns, p.n),
                      after = std::min<std::size_t>(next + panel_columns, n);
    // TASK, 8 lines: The panel at j is in the queue `panels`. Let `panels` apply it to the next panel's
    //  columns, next, …, after - 1, and eliminate them at once. Let `rest` apply it to all other columns
    //  meanwhile. Which queue must wait for the other one, and before which of these commands?
    ladder::task();  // Delete this line when you start.
  }
  wait_for(rest, panels);
  check(clEnqueueReadBuffer(rest.get(), dpivot.get(), CL_FALSE, 0, n * sizeof(int), p.pivot, 0, nullptr,
                            nullptr));
  check(clEnqueueReadBuffer(rest.get(), dinfo.get(), CL_FALSE, 0, sizeof(int), p.info, 0, nullptr, nullptr));
  check(clEnqueueReadBuffer(rest.get(), dA.get(), CL_TRUE, 0, matrix_bytes, p.A, 0, nullptr, nullptr));
}

}  // namespace lu
