/// @file
/// g9: the processor takes the panel. In g8 the large product waits while the device eliminates 32 columns, one
/// after the other. Here the host eliminates the next panel while the device still updates the rest. So the device
/// updates the next panel's columns first; they travel through pinned memory in a queue of their own.
/// Source: none; the division of the work is that of hybrid libraries (see README.md, Beyond).

#include <algorithm>
#include <cmath>
#include <string>

#include "common/device/host.hpp"
#include "common/device/opencl.hpp"
#include "lu.hpp"
#include "pivot.hpp"

namespace lu {
namespace {

namespace cl = ladder::cl;
using ladder::cl::check;

constexpr int NB = panel_columns;
constexpr std::size_t tile = 64;  // rows and columns of A that a work-group updates

// As in g8, but for the columns from, …, to - 1 only.
const cl::Source kernels = R"(
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
typedef JOIN(double, V) vec;  // V neighbours in a row

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

// The swaps of the panel at j; then, on its right, L11^-1.
kernel __attribute__((reqd_work_group_size(NB / V, 1, 1)))
void swap_and_solve(global double* A,         // n x n
                    global const int* pivot,  // n
                    int n, int j, int from, int to) {
  local double L[NB][NB];
  local int place[NB], slot[NB];  // where row j + k goes: to row j + place[k], which is in U[slot[k]]
  local vec U[2 * NB][NB / V];
  const int t = get_local_id(0), c = from + V * get_global_id(0), width = min(NB, n - j);
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
#pragma unroll 16
  for (int k = 0; k < NB; ++k) {
    U[k][t] = load(A + min(j + k, n - 1) * n, c, to);
    U[NB + k][t] = load(A + min(j + place[k], n - 1) * n, c, to);
  }
  for (int k = 0; k < width; ++k) {
    const vec above = U[k][t];
    U[k][t] = U[slot[k]][t];
    U[slot[k]][t] = above;
  }
  for (int k = 0; k < width; ++k)
    if (slot[k] == NB + k) store(U[NB + k][t], A + (j + place[k]) * n, c, to);
  for (int b = 0; b < NB; b += 8) {
    vec x[8];
#pragma unroll
    for (int k = 0; k < 8; ++k) x[k] = U[b + k][t];
    if (c > j) {
      for (int q = 0; q < b; ++q)
#pragma unroll
        for (int k = 0; k < 8; ++k) x[k] -= L[b + k][q] * U[q][t];
#pragma unroll
      for (int q = 0; q < 8; ++q)
#pragma unroll
        for (int k = q + 1; k < 8; ++k) x[k] -= L[b + k][b + q] * x[q];
    }
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      U[b + k][t] = x[k];
      if (b + k < width) store(x[k], A + (j + b + k) * n, c, to);
    }
  }
}

// Rows from j + NB on lose L21 U12.
kernel __attribute__((reqd_work_group_size(GX, GY, 1)))
void update_trailing(global double* A,  // n x n
                     int n, int j, int from, int to) {
  local double Ls[T][NB];
  local vec Us[NB][T / V];
  const int lx = get_local_id(0), ly = get_local_id(1), t = ly * GX + lx;
  const int first_row = j + NB + T * get_group_id(1), first_column = from + T * get_group_id(0);
  for (uint k = t; k < T * NB / V; k += GX * GY) {
    const int r = k / (NB / V), q = k % (NB / V) * V;
    const vec x = first_row + r < n ? load(A + (first_row + r) * n, j + q, n) : 0;
    JOIN(vstore, V)(x, 0, &Ls[r][q]);
  }
  for (uint k = t; k < NB * T / V; k += GX * GY) {
    const int q = k / (T / V), v = k % (T / V);
    Us[q][v] = load(A + (j + q) * n, first_column + v * V, to);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int r0 = R * ly; r0 < T; r0 += R * GY)
    for (int v0 = lx; v0 < T / V; v0 += W * GX) {
      vec sum[R][W];
#pragma unroll
      for (int r = 0; r < R; ++r)
#pragma unroll
        for (int v = 0; v < W; ++v) sum[r][v] = 0;
      for (int q = 0; q < NB; ++q)
#pragma unroll
        for (int r = 0; r < R; ++r)
#pragma unroll
          for (int v = 0; v < W; ++v) sum[r][v] = mad(Ls[r0 + r][q], Us[q][v0 + v * GX], sum[r][v]);
#pragma unroll
      for (int r = 0; r < R; ++r)
#pragma unroll
        for (int v = 0; v < W; ++v) {
          const int row = first_row + r0 + r, c = first_column + (v0 + v * GX) * V;
          if (row < n) store(load(A + row * n, c, to) - sum[r][v], A + row * n, c, to);
        }
    }
}
)";

/// How the work is shared out, as in g8.
struct Shape {
  std::size_t update[2];  // work-items of a group in update_trailing
  int rows, vectors;      // that such a work-item sums up in registers
  int vector;             // columns of a vector
};

Shape shape() {
  cl_device_type type = 0;
  cl_uint width = 0;
  check(clGetDeviceInfo(cl::device(), CL_DEVICE_TYPE, sizeof type, &type, nullptr));
  check(clGetDeviceInfo(cl::device(), CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE, sizeof width, &width, nullptr));
  if (type & CL_DEVICE_TYPE_GPU) return {{16, 8}, 8, 2, 2};
  return {{1, 1}, 4, 2, width >= 8 ? 8 : width >= 4 ? 4 : 2};
}

std::string options(const Shape& s) {
  const auto define = [](const char* name, std::size_t value) {
    return " -D " + std::string(name) + "=" + std::to_string(value);
  };
  return define("NB", panel_columns) + define("T", tile) + define("GX", s.update[0]) +
         define("GY", s.update[1]) + define("R", s.rows) + define("W", s.vectors) + define("V", s.vector);
}

/// Memory of the host that the device copies from and to directly, mapped as long as this lives.
class Pinned {
 public:
  Pinned(const cl::Queue& queue, std::size_t bytes) : queue_(queue), buffer_(CL_MEM_ALLOC_HOST_PTR, bytes) {
    cl_int code = CL_SUCCESS;
    data_ = static_cast<double*>(clEnqueueMapBuffer(queue.get(), buffer_.get(), CL_TRUE,
                                                    CL_MAP_WRITE_INVALIDATE_REGION, 0, bytes, 0, nullptr,
                                                    nullptr, &code));
    check(code);
  }
  ~Pinned() { clEnqueueUnmapMemObject(queue_.get(), buffer_.get(), data_, 0, nullptr, nullptr); }
  Pinned(const Pinned&) = delete;
  Pinned& operator=(const Pinned&) = delete;
  double* data() const { return data_; }

 private:
  const cl::Queue& queue_;
  cl::Buffer buffer_;
  double* data_ = nullptr;
};

/// Eliminates a panel on the host, in strips of eight columns: what a strip changes on its right waits until the strip
/// is done, and comes eight columns at a time. All loops over eight are one vector operation.
/// @param P  m x NB; becomes L and U
/// @param j  the row and column of A that it begins at
void factorise(const Problem& p, double* P, int m, int j) {
  constexpr int V = 8;
  const int width = std::min(NB, p.n - j);
  for (int b = 0; b < width; b += V) {
    int s = b + largest(P + b * NB + b, m - b, NB);
    for (int c = b; c < std::min(b + V, width); ++c) {
      const double divisor = note_pivot(p, j + c, j + s, P[s * NB + c]);
      if (s != c) std::swap_ranges(P + c * NB, P + c * NB + width, P + s * NB);
      double above[V] = {}, best = -1;  // zeros where this step changes nothing
      for (int k = c + 1; k < std::min(b + V, width); ++k) above[k - b] = P[c * NB + k];
      s = c + 1;
      for (int r = c + 1; r < m; ++r) {
        double* row = P + r * NB + b;
        const double factor = row[c - b] / divisor;
        for (int k = 0; k < V; ++k) row[k] -= factor * above[k];
        row[c - b] = factor;
        if (c + 1 < b + V && std::abs(row[c + 1 - b]) > best) {
          best = std::abs(row[c + 1 - b]);
          s = r;
        }
      }
    }
    for (int r = b + 1; r < m; ++r)
      for (int k = b + V; k < width; k += V) {
        double row[V];
        std::copy_n(P + r * NB + k, V, row);
        for (int q = b; q < std::min(r, b + V); ++q)
          for (int v = 0; v < V; ++v) row[v] -= P[r * NB + q] * P[q * NB + k + v];
        std::copy_n(row, V, P + r * NB + k);
      }
  }
}

}  // namespace

/// PA = LU: panels on the host, all else on the device, both at the same time.
/// @throws ladder::Error when a call of OpenCL fails.
void hybrid(const Problem& p) {
  const std::size_t n = p.n, vector_bytes = n * sizeof(double), matrix_bytes = n * vector_bytes;
  *p.info = 0;
  if (n == 0) return;  // OpenCL knows neither empty buffers nor empty ranges
  static const Shape s = shape();
  static const cl::Program program{kernels, options(s)};
  const cl::Kernel swap_and_solve{program, "swap_and_solve"}, update_trailing{program, "update_trailing"};
  const cl::Queue compute, copies;
  const cl::Buffer dA{CL_MEM_READ_WRITE, matrix_bytes}, dpivot{CL_MEM_READ_WRITE, n * sizeof(int)};
  const Pinned panel{copies, n * NB * sizeof(double)};
  const int last = (p.n - 1) / NB * NB;  // where the last panel begins

  const auto launch = [&](const cl::Kernel& kernel, std::size_t columns, std::size_t rows,
                          const std::size_t(&group)[2]) {
    const std::size_t range[] = {columns * group[0], rows * group[1]};
    check(clEnqueueNDRangeKernel(compute.get(), kernel.get(), 2, nullptr, range, group, 0, nullptr, nullptr));
  };
  const auto pieces = [](std::size_t count) { return (count + tile - 1) / tile; };
  // What the panel at j means for the columns from, …, to - 1.
  const auto apply = [&](int j, int from, int to) {
    if (from >= to) return;
    cl::set_arguments(swap_and_solve, dA, dpivot, p.n, j, from, to);
    launch(swap_and_solve, (to - from + NB - 1) / NB, 1, {std::size_t(NB / s.vector), 1});
    if (from < j || j + NB >= p.n) return;
    cl::set_arguments(update_trailing, dA, p.n, j, from, to);
    launch(update_trailing, pieces(to - from), pieces(n - j - NB), s.update);
  };
  // Copies the panel at j between A and the pinned memory, after `before`. @return an event: it is there.
  const auto copy = [&](auto enqueue, int j, cl_event before) {
    const std::size_t at[] = {j * sizeof(double), std::size_t(j), 0}, zero[] = {0, 0, 0};
    const std::size_t region[] = {std::min<std::size_t>(NB, n - j) * sizeof(double), n - j, 1};
    cl_event done = nullptr;
    check(enqueue(copies.get(), dA.get(), CL_FALSE, at, zero, region, vector_bytes, 0, NB * sizeof(double), 0,
                  panel.data(), before ? 1 : 0, before ? &before : nullptr, &done));
    return cl::Event(done);
  };

  cl_event written = nullptr;
  check(clEnqueueWriteBuffer(compute.get(), dA.get(), CL_FALSE, 0, matrix_bytes, p.A, 0, nullptr, &written));
  cl::Event ready{written};  // the columns of the next panel are as they must be
  for (int j = 0; j < p.n; j += NB) {
    const int next = std::min(j + NB, p.n), after = std::min(next + NB, p.n);
    // TASK, 23 lines: Order the panel's copy to the host, as soon as its columns are ready. Before the host waits for it,
    //  order what is left of the panel before: its swaps on the left, and all columns from `next` on. Wait, factorise,
    //  as ladder::HostWork "panel" of (n - j) * NB doubles, and order the way back, the pivots j, …, next - 1 too. When
    //  they are there, the device may apply them to the columns next, …, after - 1, and the next panel is `ready`.
    ladder::task();  // Delete this line when you start.
  }
  apply(last, 0, last);
  check(clEnqueueReadBuffer(compute.get(), dA.get(), CL_TRUE, 0, matrix_bytes, p.A, 0, nullptr, nullptr));
}

}  // namespace lu
