#pragma once
/// @file
/// Given, for g6 to g8: everything but the transforms. The first grid as in g3, the checksum as in g4,
/// factors and decay as in g5. g9 and g10 take the tables alone. Source: none.

#include "setup.cuh"

namespace npb_ft {

/// factors[t - 1][i] = exp(decay t k^2), for kx of each x, then ky of each y, then kz of each z: as in g5.
[[maybe_unused]] static __global__ void setup_axis_factors(int nx, int ny, int nz, int iterations,
                                                           double* factors) {  // iterations x (nx + ny + nz)
  const int all = nx + ny + nz, e = blockIdx.x * blockDim.x + threadIdx.x, t = e / all + 1, i = e % all;
  if (t > iterations) return;
  const int k = i < nx ? frequency(i, nx) : i < nx + ny ? frequency(i - nx, ny) : frequency(i - nx - ny, nz);
  factors[e] = exp(decay * t * k * k);
}

constexpr int points_of_thread = 16;  // that a thread makes or lets decay

/// The grid at time 0: as in g3.
[[maybe_unused]] static __global__ void setup_initial(std::size_t points, State seed,
                                                      Complex* grid) {  // points
  std::size_t e = blockIdx.x * std::size_t(blockDim.x) * points_of_thread + threadIdx.x;
  if (e >= points) return;
  const State stride = ladder::npb::power(2 * blockDim.x);
  State x = seed * ladder::npb::power(2 * e + 1) & mask;
  for (int i = 0; i < points_of_thread && e < points; ++i, e += blockDim.x) {
    const Complex number{scale * double(x), scale * double(x * multiplier & mask)};
    grid[e] = number;  // as a whole: 16 bytes in one access
    x = x * stride & mask;
  }
}

/// u = spectrum after a time: as in g5.
[[maybe_unused]] static __global__ void decay_lines(int nx, int nz, const Complex* spectrum,  // nz x ny x nx
                                                    const double* factors,  // of this time: nx + ny + nz
                                                    Complex* u) {           // nz x ny x nx
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y, ny = gridDim.y;
  if (x >= nx) return;
  const double factor = factors[x] * factors[nx + y];
  const int first = blockIdx.z * points_of_thread, last = min(first + points_of_thread, nz);
#pragma unroll 4
  for (int z = first; z < last; ++z) {
    const std::size_t e = x + nx * (y + std::size_t(ny) * z);
    u[e] = factor * factors[nx + ny + z] * spectrum[e];
  }
}

/// sum += the 1,024 elements, divided by the number of points: as in g4.
[[maybe_unused]] static __global__ void checksum(const Problem p, const Complex* u,  // nz x ny x nx
                                                 Complex* sum) {                     // 1
  __shared__ Complex terms[threads];
  const int q = blockIdx.x * blockDim.x + threadIdx.x + 1;
  terms[threadIdx.x] = (1.0 / double(p.points())) * u[checksum_element(p, q)];
  for (int half = threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (int(threadIdx.x) < half) terms[threadIdx.x] = terms[threadIdx.x] + terms[threadIdx.x + half];
  }
  if (threadIdx.x > 0) return;
  atomicAdd(&sum->re, terms[0].re);
  atomicAdd(&sum->im, terms[0].im);
}

/// Roots and factors, and checksums of zero.
inline void setup_tables(const Problem& p, cudaStream_t stream = nullptr) {
  const int factors = p.iterations * (p.nx + p.ny + p.nz);
  setup_roots<<<blocks_of(p.longest()), threads, 0, stream>>>(p.longest(), p.roots);
  setup_axis_factors<<<blocks_of(factors), threads, 0, stream>>>(p.nx, p.ny, p.nz, p.iterations, p.factors);
  ladder::check(cudaMemsetAsync(p.checksums, 0, p.iterations * sizeof *p.checksums, stream));
  ladder::check(cudaGetLastError());
}

/// The tables, and the grid at time 0.
inline void setup_all(const Problem& p, Complex* grid) {
  setup_tables(p);
  setup_initial<<<blocks_of((p.points() + points_of_thread - 1) / points_of_thread), threads>>>(p.points(),
                                                                                                p.seed, grid);
  ladder::check(cudaGetLastError());
}

/// u = spectrum after time t.
inline void decay_to(const Problem& p, int t, const Complex* spectrum) {
  const int block = p.nx < threads ? p.nx : threads;
  const dim3 blocks((p.nx + block - 1) / block, p.ny, (p.nz + points_of_thread - 1) / points_of_thread);
  decay_lines<<<blocks, block>>>(p.nx, p.nz, spectrum, p.factors + (t - 1) * (p.nx + p.ny + p.nz), p.u);
  ladder::check(cudaGetLastError());
}

}  // namespace npb_ft
