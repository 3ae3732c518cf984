#pragma once
/// @file
/// Given, for g5 and g6: a stencil that planes arrive at, and the tile of a block that computes the residual
/// and its means.

#include "grid.hpp"
#include "problem.hpp"

namespace npb_mg {

constexpr int fused_x = 32, fused_y = 32;  // fine columns for a block
constexpr int fused_rows = 3;              // of r for a thread: columns one row apart
constexpr int residual_x = fused_x + 1;    // of r, since a mean needs the points around a fine one
constexpr int residual_y = fused_y + 1;
constexpr int fused_columns = residual_x * residual_y / fused_rows;  // threads that compute r
constexpr int fused_threads = (fused_columns + 31) / 32 * 32;
static_assert(residual_y % fused_rows == 0 && fused_threads >= fused_x * fused_y / 4, "threads for all");

/// What the points of a column need of one plane: the column's own point, the sum of its four neighbours that
/// differ from it along one axis, and of those that differ along two.
struct Plane {
  double point, sides, corners;
};

/// A stencil at one point of each plane, while planes arrive one after the other.
struct Stencil {
  double sum = 0;    // at the last plane, without the plane that comes next
  double share = 0;  // of the last plane, in the sum at the next one
};

/// A plane arrives, with its share in the sum at its own point and in those at the points before and after.
/// @return the sum at the plane before it
__device__ inline double arrive(Stencil& stencil, double own, double share) {
  const double result = stencil.sum + share;
  stencil = {stencil.share + own, share};
  return result;
}

/// A point of a periodic axis, at most n past its ends.
__device__ inline int inside(int i, int n) {
  return i < 1 ? i + n : i > n ? i - n : i;
}

/// The columns of r that this thread computes.
/// @param rows  where its rows are in a plane of u, and the row before and the one after them
/// @return whether it has any
__device__ inline bool residual_columns(Grid g, int rows[fused_rows + 2]) {
  const int x = blockIdx.x * fused_x + threadIdx.x % residual_x + 1;
  const int y = blockIdx.y * fused_y + threadIdx.x / residual_x * fused_rows + 1;
  if (threadIdx.x >= fused_columns || x > g.nx + 1 || y > g.ny + 1) return false;
#pragma unroll
  for (int k = 0; k < fused_rows + 2; ++k)
    rows[k] = inside(min(y - 1 + k, g.ny + 2), g.ny) * (g.nx + 2) + inside(x, g.nx);
  return true;
}

/// Where the thread's first column of r is in a plane of shared memory; the others are residual_x apart.
__device__ inline int residual_place() {
  return threadIdx.x / residual_x * fused_rows * residual_x + threadIdx.x % residual_x;
}

/// The column of coarse points that this thread stores.
/// @param middle  where r of its fine column is in a plane of shared memory
/// @return whether it has one
__device__ inline bool mean_column(Grid coarse, int& x, int& y, int& middle) {
  const int column = threadIdx.x % (fused_x / 2), row = threadIdx.x / (fused_x / 2);
  x = blockIdx.x * (fused_x / 2) + column + 1;
  y = blockIdx.y * (fused_y / 2) + row + 1;
  middle = (2 * row + 1) * residual_x + 2 * column + 1;
  return threadIdx.x < fused_x * fused_y / 4 && x <= coarse.nx && y <= coarse.ny;
}

/// r of a thread's columns, while planes of u arrive one after the other.
struct Residuals {
  double u[fused_rows + 2][3];  // of the plane that arrives next: three threads with a column each have 27
  double v[fused_rows] = {};    // of the plane before it
  Stencil A[fused_rows];

  /// @param rows  of residual_columns()
  __device__ void load_u(const double* plane, const int rows[fused_rows + 2]) {
#pragma unroll
    for (int k = 0; k < fused_rows + 2; ++k)
#pragma unroll
      for (int dx = 0; dx < 3; ++dx) u[k][dx] = plane[rows[k] + dx - 1];
  }

  __device__ void load_v(const double* plane, const int rows[fused_rows + 2]) {
#pragma unroll
    for (int k = 0; k < fused_rows; ++k) v[k] = plane[rows[k + 1]];
  }

  /// The plane that was loaded arrives in column k.
  /// @return r of the plane before it
  __device__ double next(int k) {
    const double before = u[k][0] + u[k][2], row = u[k + 1][0] + u[k + 1][2],
                 after = u[k + 2][0] + u[k + 2][2];
    const double sides = row + u[k][1] + u[k + 2][1], corners = before + after;
    return v[k] - arrive(A[k], a0 * u[k + 1][1] + a2 * corners, a2 * sides + a3 * corners);
  }
};

}  // namespace npb_mg
