#pragma once
/// @file
/// What g12 needs on the host: memory that the device copies to and from by itself, and the elimination of a
/// panel. Given.

#include <algorithm>
#include <cmath>

#include "common/device/opencl.hpp"
#include "pivot.hpp"
#include "problem.hpp"

namespace lu {

namespace cl = ladder::cl;

/// Memory of the host that the device copies from and to directly, mapped as long as this lives.
class Pinned {
 public:
  Pinned(const cl::Queue& queue, std::size_t bytes) : queue_(queue), buffer_(CL_MEM_ALLOC_HOST_PTR, bytes) {
    cl_int code = CL_SUCCESS;
    data_ = static_cast<double*>(clEnqueueMapBuffer(queue.get(), buffer_.get(), CL_TRUE,
                                                    CL_MAP_WRITE_INVALIDATE_REGION, 0, bytes, 0, nullptr,
                                                    nullptr, &code));
    cl::check(code);
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

/// Eliminates a panel on the host, in strips of eight columns: what a strip changes on its right waits until
/// the strip is done, and comes eight columns at a time. All loops over eight are one vector operation.
/// @param P  m x panel_columns; becomes L and U
/// @param j  the row and column of A that it begins at
inline void factorise(const Problem& p, double* P, int m, int j) {
  constexpr int V = 8;
  const int width = std::min(panel_columns, p.n - j);
  for (int b = 0; b < width; b += V) {
    int s = b + largest(P + b * panel_columns + b, m - b, panel_columns);
    for (int c = b; c < std::min(b + V, width); ++c) {
      const double divisor = note_pivot(p, j + c, j + s, P[s * panel_columns + c]);
      if (s != c)
        std::swap_ranges(P + c * panel_columns, P + c * panel_columns + width, P + s * panel_columns);
      double above[V] = {}, best = -1;  // zeros where this step changes nothing
      for (int k = c + 1; k < std::min(b + V, width); ++k) above[k - b] = P[c * panel_columns + k];
      s = c + 1;
      for (int r = c + 1; r < m; ++r) {
        double* row = P + r * panel_columns + b;
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
        std::copy_n(P + r * panel_columns + k, V, row);
        for (int q = b; q < std::min(r, b + V); ++q)
          for (int v = 0; v < V; ++v) row[v] -= P[r * panel_columns + q] * P[q * panel_columns + k + v];
        std::copy_n(row, V, P + r * panel_columns + k);
      }
  }
}

}  // namespace lu
