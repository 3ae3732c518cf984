#pragma once
/// @file
/// Given, for g1 to g4: the arrays that stand when the first transform begins, but for the grid itself, and
/// the decay. Source: work E and NPB. Their indexmap has kx^2 + ky^2 + kz^2 for each point; here three short
/// arrays say the same.

#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace npb_ft {

constexpr int threads = 128;  // of a block, in the kernels of this lesson that do not choose another number

/// Blocks for a number of threads.
constexpr unsigned blocks_of(std::size_t work_items) {
  return unsigned((work_items + threads - 1) / threads);
}

/// roots[j] = exp(2 pi i j / n). The source's array u.
[[maybe_unused]] static __global__ void setup_roots(int n, Complex* roots) {  // n
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j >= n) return;
  Complex root;
  sincospi(2.0 * j / n, &root.im, &root.re);
  roots[j] = root;
}

/// factors[e] = exp(decay e), for e = t (kx^2 + ky^2 + kz^2). The source's array ex.
[[maybe_unused]] static __global__ void setup_factors(std::size_t count, double* factors) {  // count
  const std::size_t e = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x;
  if (e < count) factors[e] = exp(decay * double(e));
}

/// kx^2 for each x, then ky^2 for each y, then kz^2 for each z. The source's array indexmap.
[[maybe_unused]] static __global__ void setup_squares(int nx, int ny, int nz, int* squares) {  // nx + ny + nz
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= nx + ny + nz) return;
  const int k = i < nx ? frequency(i, nx) : i < nx + ny ? frequency(i - nx, ny) : frequency(i - nx - ny, nz);
  squares[i] = k * k;
}

/// u = spectrum after time t. One thread per point: x = blockIdx.x and threadIdx.x, y = blockIdx.y, z =
/// blockIdx.z.
[[maybe_unused]] static __global__ void evolve(int nx, int t, const Complex* spectrum,  // nz x ny x nx
                                               const double* factors,
                                               const int* squares,  // by t k^2; nx + ny + nz
                                               Complex* u) {        // nz x ny x nx
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y, z = blockIdx.z, ny = gridDim.y;
  if (x >= nx) return;
  const std::size_t e = x + nx * (y + std::size_t(ny) * z);
  const int square = squares[x] + squares[nx + y] + squares[nx + ny + z];
  u[e] = factors[std::size_t(t) * square] * spectrum[e];
}

/// Blocks and threads for kernels with one thread per point.
struct PointGrid {
  explicit PointGrid(const Problem& p)
      : block(p.nx < threads ? p.nx : threads), blocks((p.nx + block - 1) / block, p.ny, p.nz) {}
  unsigned block;
  dim3 blocks;
};

}  // namespace npb_ft
