/// @file
/// g12: the CPU eliminates the panels. In g11 one work-group does it, on one of many compute units. A core of
/// the CPU is faster at a chain of dependent steps, but the panel has to travel there and back. The order of
/// the work is g11's. Source: none; the division of the work is that of hybrid libraries (see README.md,
/// Beyond).

#include <algorithm>

#include "common/device/host.hpp"
#include "common/device/opencl.hpp"
#include "host_panel.hpp"
#include "problem.hpp"

namespace lu {
namespace {

using ladder::cl::check;

constexpr std::size_t tile_rows = 64, tile_columns = 64;  // that a group of update_trailing changes
constexpr std::size_t group_columns = 32, group_lines = 8;
static_assert(panel_columns == 32, "NB in the kernels is this number");

const cl::Source kernels = R"(
#define NB 32       // columns of a panel
#define ROWS 64     // of a tile
#define COLUMNS 64  // of a tile

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

/// PA = LU: panels on the host, all else on the device, both at the same time.
/// @throws ladder::Error when a call of OpenCL fails.
void hybrid(const Problem& p) {
  const std::size_t n = p.n, vector_bytes = n * sizeof(double), matrix_bytes = n * vector_bytes;
  *p.info = 0;
  if (n == 0) return;  // OpenCL knows neither empty buffers nor empty ranges
  static const cl::Program program{kernels};
  const cl::Kernel swap_and_solve{program, "swap_and_solve"}, update_trailing{program, "update_trailing"};
  const cl::Queue panels, rest;
  const cl::Buffer dA{CL_MEM_READ_WRITE, matrix_bytes}, dpivot{CL_MEM_READ_WRITE, n * sizeof(int)};
  const Pinned panel{panels, panel_columns * vector_bytes};

  // Copies the panel at j between A and the pinned memory, by clEnqueueReadBufferRect or
  // clEnqueueWriteBufferRect. Its event, when somebody waits for it.
  const auto copy = [&](auto enqueue, int j, cl_event* event) {
    const std::size_t at[] = {j * sizeof(double), std::size_t(j), 0}, zero[] = {0, 0, 0};
    const std::size_t region[] = {std::min<std::size_t>(panel_columns, n - j) * sizeof(double), n - j, 1};
    check(enqueue(panels.get(), dA.get(), CL_FALSE, at, zero, region, vector_bytes, 0,
                  panel_columns * sizeof(double), 0, panel.data(), 0, nullptr, event));
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
  for (int j = 0; j < p.n; j += panel_columns) {
    const int next = std::min(j + panel_columns, p.n), before = j - panel_columns;
    // TASK, 20 lines: In `panels`: apply the panel before this one to the columns j, …, next - 1, and order
    //  their copy to the host. Enqueue all that `rest` can do meanwhile. Then wait for the copy, factorise as
    //  ladder::HostWork "panel" of (n - j) * panel_columns doubles, and order the way back, of the panel and
    //  of its pivots.
    ladder::task();  // Delete this line when you start.
  }
  const int last = (p.n - 1) / panel_columns * panel_columns;
  apply(rest, last, 0, last);
  check(clEnqueueReadBuffer(rest.get(), dA.get(), CL_TRUE, 0, matrix_bytes, p.A, 0, nullptr, nullptr));
}

}  // namespace lu
