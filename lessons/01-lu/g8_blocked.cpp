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

constexpr std::size_t tile = 64;  // rows and columns of A that a work-group updates

// Sizes come as options -D. A panel has NB columns and groups of LX x LY work-items, each with RP rows. A tile of the rest has T rows
// and columns and a group of GX x GY work-items, each with R rows of W vectors of V columns at a time.
const cl::Source kernels = R"(
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
typedef JOIN(double, V) vec;  // V neighbours in a row
typedef JOIN(long, V) cols;   // their columns
#define PV (NB / V / LX)      // vectors of a row that a work-item of the panel has
#define ALONE (LX * LY == 1)  // one work-item does the panel

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

// Of count candidates the largest comes to place 0, of equal ones that of the lowest row. t: the work-item.
void compare(local double* size, local int* row, int t, int count) {
  while (count > 1) {
    const int left = (count + 3) / 4;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < left) {
      double best = size[t];
      int best_row = row[t];
#pragma unroll
      for (int k = 1; k < 4; ++k) {
        const int other = min(t + k * left, count - 1);
        if (size[other] > best || (size[other] == best && row[other] < best_row)) {
          best = size[other];
          best_row = row[other];
        }
      }
      size[t] = best;
      row[t] = best_row;
    }
    count = left;
  }
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}

// Steps i = from, …, to - 1 in the panel that begins at row and column j; more than one in one launch only where
// a work-item is alone. Step i swaps and eliminates in the panel, and prepares step i + 1: each group leaves
// the largest entry of column i + 1 among its rows, and that row; whoever owns row i + 1 leaves it behind those
// of the groups. So no group reads a row that another one is writing. Step j - 1 only prepares.
// A work-item has the vectors lx, lx + LX, … of RP rows, LY apart; it has more rows only where it is alone.
kernel __attribute__((reqd_work_group_size(LX, LY, 1)))
void eliminate_panel(global double* A,     // n x n
                     global int* pivot,    // n
                     global int* info,     // 1
                     global double* size,  // 2 x groups: largest entry of a group, by the parity of i
                     global int* place,    // 2 x groups: its row
                     global double* rows,  // 2 x (groups + 1) x NB: these rows, then row i
                     int n, int j, int from, int to) {
  local double group_size[LX * LY], row_size[LX * LY];
  local int group_place[LX * LY], row_place[LX * LY];
  const int lx = get_local_id(0), ly = get_local_id(1), t = ly * LX + lx;
  const int groups = get_num_groups(1), group = get_group_id(1);
  const int first = j + group * RP * LY + ly, width = min(NB, n - j);
  cols column[PV];
  for (int k = 0; k < PV; ++k) column[k] = JOIN(vload, V)(0, numbers + (lx + k * LX) * V);
  for (int i = from; i < to; ++i) {
    const int c = i - j, right = min(c + 1, width - 1), now = (i & 1) * groups, next = groups - now;
    global double *left = rows + (i & 1) * (groups + 1) * NB, *leave = rows + (~i & 1) * (groups + 1) * NB;
    // What needs no pivot is on its way before the pivot is known.
    vec x[RP][PV];
    double below[RP], beside[RP];  // columns c and c + 1
#pragma unroll
    for (int q = 0; q < RP; ++q) {
      global const double* row = A + min(first + q * LY, n - 1) * n + j;
      below[q] = c < 0 ? 0 : row[c];
      beside[q] = row[right];
      for (int k = 0; k < PV; ++k) x[q][k] = load(row, (lx + k * LX) * V, width);
    }
    double best = -1;
    int best_row = i + 1;
    // TASK Find the winner among the groups' candidates, size and place from now on; of equal ones the
    //  lowest row. One work-item writes pivot[i] and info. Its row is in `left`, at its group's place, and row i
    //  behind those of the groups; a work-item that is ALONE finds both in A. Then row i becomes the winner's and
    //  the winner's place gets the old row i, also left of column c. Rows below i lose factor times the pivot's
    //  row, and column c becomes the factors. Keep x as it is stored, and the largest entry of column c + 1 in best
    //  and best_row. With c < 0 there is nothing but this entry to find.
    if (c + 1 >= width) return;
    if (lx == 0) {
      row_size[ly] = best;
      row_place[ly] = best_row;
    }
    compare(row_size, row_place, t, LY);
    if (t == 0) {
      size[next + group] = row_size[0];
      place[next + group] = row_place[0];
    }
    if (!ALONE)
#pragma unroll
      for (int q = 0; q < RP; ++q)
        for (int k = 0; k < PV; ++k) {
          const int r = first + q * LY;
          if (r == row_place[0]) JOIN(vstore, V)(x[q][k], lx + k * LX, leave + group * NB);
          if (r == i + 1) JOIN(vstore, V)(x[q][k], lx + k * LX, leave + groups * NB);
        }
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
  // TASK This work-item has the columns c, …, c + V - 1. Bring rows j, …, j + width - 1 to U[.][t], and behind
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
  // TASK Bring the tile's strips of L21 and U12 to local memory, zeros for what lies outside of A. Then
  //  each work-item takes R rows from R * ly on, then R * GY rows further; of these the vectors lx and, with
  //  W > 1, lx + GX, …. It sums up their products over the NB columns in registers, and A loses these sums, once.
}
)";

/// How the work is shared out. A core of a processor is best at long pieces with wide vectors. A GPU wants many
/// work-items, and all of them meet only between two launches.
struct Shape {
  std::size_t panel[2];   // work-items of a group in eliminate_panel: columns, rows
  std::size_t rows;       // that such a work-item has
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
  if (type & CL_DEVICE_TYPE_GPU) return {{16, units < 8 ? 2u : 16u}, units < 8 ? 2u : 4u, {16, 8}, 8, 2, 2};
  return {{1, 1}, 1, {1, 1}, 4, 2, width >= 8 ? 8 : width >= 4 ? 4 : 2};
}

std::string options(const Shape& s) {
  const auto define = [](const char* name, std::size_t value) {
    return " -D " + std::string(name) + "=" + std::to_string(value);
  };
  return define("NB", panel_columns) + define("LX", s.panel[0]) + define("LY", s.panel[1]) +
         define("RP", s.rows) + define("T", tile) + define("GX", s.update[0]) + define("GY", s.update[1]) +
         define("R", s.sum_rows) + define("W", s.vectors) + define("V", s.vector);
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
  const cl::Kernel eliminate_panel{program, "eliminate_panel"}, swap_and_solve{program, "swap_and_solve"};
  const cl::Kernel update_trailing{program, "update_trailing"};
  const cl::Queue queue, copies;
  const auto pieces = [](std::size_t count, std::size_t unit) { return (count + unit - 1) / unit; };
  const bool alone = s.panel[0] * s.panel[1] == 1;  // one work-item does the panel
  const auto panel_groups = [&](std::size_t m) { return alone ? 1 : pieces(m, s.panel[1] * s.rows); };
  const cl::Buffer dA{CL_MEM_READ_WRITE, matrix_bytes};
  const cl::Buffer dpivot{CL_MEM_READ_WRITE, n * sizeof(int)}, dinfo{CL_MEM_READ_WRITE, sizeof(int)};
  const cl::Buffer dsize{CL_MEM_READ_WRITE, 2 * panel_groups(n) * sizeof(double)};
  const cl::Buffer dplace{CL_MEM_READ_WRITE, 2 * panel_groups(n) * sizeof(int)};
  const cl::Buffer drows{CL_MEM_READ_WRITE, 2 * (panel_groups(n) + 1) * panel_columns * sizeof(double)};

  const auto launch = [&](const cl::Kernel& kernel, std::size_t columns, std::size_t rows,
                          const std::size_t(&group)[2], cl_event* done = nullptr) {
    const std::size_t range[] = {columns * group[0], rows * group[1]};
    check(clEnqueueNDRangeKernel(queue.get(), kernel.get(), 2, nullptr, range, group, 0, nullptr, done));
  };

  check(clEnqueueWriteBuffer(queue.get(), dA.get(), CL_FALSE, 0, matrix_bytes, p.A, 0, nullptr, nullptr));
  check(
      clEnqueueWriteBuffer(queue.get(), dinfo.get(), CL_FALSE, 0, sizeof(int), p.info, 0, nullptr, nullptr));
  const std::size_t strip = n * panel_columns;  // elements
  cl::Event solved{nullptr};                    // the strip of the panel before has its final elements
  std::size_t back = 0;                         // so many elements have been read back
  for (int j = 0; j < p.n; j += panel_columns) {
    const int end = std::min(j + panel_columns, p.n);
    const std::size_t groups = panel_groups(n - j);
    // TASK The panel: all steps from j - 1 on in one launch if a work-item is alone, else a launch for each.
    //  Then the columns beside it, in groups of tile columns, and the tiles below and on the right, if there are any.
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
