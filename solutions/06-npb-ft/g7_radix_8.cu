/// @file
/// g7: radix 8. A thread has eight elements of a line in registers: three levels of butterflies need no other
/// thread's elements, so that an exchange comes after every third level only. Before: g6, with two elements
/// in each thread and an exchange, with two barriers, after every level. Source: none; this is how libraries
/// do it.

#include <algorithm>

#include "butterflies.cuh"
#include "passes.cuh"

namespace npb_ft {
namespace {

constexpr int tile = 2048;  // elements of a block: a line of 2048, or several that lie next to each other

/// The lines along one axis, and how a block holds `lines` of them.
struct Lines {
  int n;              ///< elements of a line
  unsigned step;      ///< from one element to the next in the grid
  int lines;          ///< of a block
  int element_apart;  ///< in shared memory: from one element of a line to the next
  int line_apart;     ///< and from one line to the next
  __device__ std::size_t first(unsigned line) const {
    return line + line / step * std::size_t(step) * (n - 1);
  }
  /// The place in shared memory of element e of line l.
  __device__ int place(int e, int l) const { return e * element_apart + l * line_apart; }
};

/// One stage: transforms of length `done` become transforms of length R done. A thread has E elements of the
/// line, those at t + i n / E, so E / R butterflies. `sign` is the transform's.
/// @param root_step  roots[root_step] is exp(2 pi i / (R done))
template <int R, int sign, int E>
__device__ __forceinline__ void stage([[maybe_unused]] Complex (&v)[E], [[maybe_unused]] int n,
                                      [[maybe_unused]] int t, [[maybe_unused]] int done,
                                      [[maybe_unused]] const Complex* roots,  // longest
                                      [[maybe_unused]] int root_step) {
#pragma unroll
  for (int q = 0; q < E / R; ++q) {
    // BEGIN SOLUTION Butterfly j = t + q n / E takes elements j + r n / R, r < R: those are v[q + r E / R].
    //  Before it the r-th is turned r times by roots[k root_step], k = j % done.
    //| ladder::task();  // Delete this line when you start.
    Complex x[R];
#pragma unroll
    for (int r = 0; r < R; ++r) x[r] = v[q + r * (E / R)];
    if (done > 1) {
      Complex root = roots[((t + q * (n / E)) & (done - 1)) * root_step], turn = root;
      turn.im *= sign, root.im *= sign;
#pragma unroll
      for (int r = 1; r < R; ++r, turn = turn * root) x[r] = turn * x[r];
    }
    butterfly<R, sign>(x);
#pragma unroll
    for (int r = 0; r < R; ++r) v[q + r * (E / R)] = x[r];
    // END SOLUTION
  }
}

/// After a stage of R: element r of butterfly j has moved to (j - k) R + k + r done. Thread t gets the
/// elements t + i n / E.
template <int R, int E>
__device__ __forceinline__ void exchange([[maybe_unused]] Complex (&v)[E], const Lines& lines,
                                         [[maybe_unused]] int t, [[maybe_unused]] int l,
                                         [[maybe_unused]] int done,
                                         [[maybe_unused]] Complex* shared) {  // tile
  [[maybe_unused]] const int n = lines.n;
  // BEGIN SOLUTION Write, and read. Which barriers does this need, when it is called several times?
  //| ladder::task();  // Delete this line when you start.
#pragma unroll
  for (int q = 0; q < E / R; ++q) {
    const int j = t + q * (n / E), k = j & (done - 1);  // j % done
#pragma unroll
    for (int r = 0; r < R; ++r) shared[lines.place((j - k) * R + k + r * done, l)] = v[q + r * (E / R)];
  }
  __syncthreads();  // all of the line is there
#pragma unroll
  for (int i = 0; i < E; ++i) v[i] = shared[lines.place(t + i * (n / E), l)];
  __syncthreads();  // and all have read it, before the next exchange writes
  // END SOLUTION
}

/// Transforms lines in place. First is the radix of the first stage; the others have E.
template <int First, int E, int sign>
__global__ void __launch_bounds__(tile / 8, 3)
    fft_lines(const Lines lines, [[maybe_unused]] const Complex* roots,
              [[maybe_unused]] int longest,  // roots: longest
              Complex* grid) {               // all lines
  [[maybe_unused]] __shared__ Complex shared[tile];
  const int n = lines.n, of_line = n / E;  // threads
  // Neighbouring threads have neighbouring elements of the grid: of a line along x, else of neighbouring
  // lines.
  const bool along = lines.step == 1;
  const int t = along ? threadIdx.x % of_line : threadIdx.x / lines.lines;
  const int l = along ? threadIdx.x / of_line : threadIdx.x % lines.lines;
  [[maybe_unused]] Complex* const mine =
      grid + lines.first(blockIdx.x * lines.lines + l) + std::size_t(t) * lines.step;
  // From one of the thread's elements to the next.
  [[maybe_unused]] const std::size_t apart = std::size_t(of_line) * lines.step;
  // BEGIN SOLUTION Read the thread's elements, t + i n / E. A stage of First with done = 1; then, while done
  //  < n, an exchange and a stage of E. Write them back to where they were.
  //| ladder::task();  // Delete this line when you start.
  //| (void)lines.place(t, l);
  Complex v[E];
#pragma unroll
  for (int i = 0; i < E; ++i) v[i] = mine[i * apart];
  stage<First, sign>(v, n, t, 1, roots, 0);
  int root_step = longest / First;
  for (int done = First; done < n; done *= E) {
    if (done == First)
      exchange<First>(v, lines, t, l, 1, shared);
    else
      exchange<E>(v, lines, t, l, done / E, shared);
    root_step /= E;
    stage<E, sign>(v, n, t, done, roots, root_step);
  }
#pragma unroll
  for (int i = 0; i < E; ++i) mine[i * apart] = v[i];
  // END SOLUTION
}

template <int First, int E>
void launch(const Problem& p, int n, unsigned step, int sign, Complex* grid) {
  const std::size_t all = p.points() / n;
  const int together = int(std::min<std::size_t>(all, tile / 8 * E / n));
  const Lines lines{n, step, together, step == 1 ? 1 : together, step == 1 ? n : 1};
  const auto kernel = sign > 0 ? fft_lines<First, E, 1> : fft_lines<First, E, -1>;
  kernel<<<unsigned(all / together), together*(n / E)>>>(lines, p.roots, p.longest(), grid);
  ladder::check(cudaGetLastError());
}

void transform_axis(const Problem& p, int n, unsigned step, int sign, Complex* grid) {
  if (n == 2)
    launch<2, 2>(p, n, step, sign, grid);
  else if (n == 4)
    launch<4, 4>(p, n, step, sign, grid);
  else if (log2_of(n) % 3 == 0)
    launch<8, 8>(p, n, step, sign, grid);
  else if (log2_of(n) % 3 == 1)
    launch<2, 8>(p, n, step, sign, grid);
  else
    launch<4, 8>(p, n, step, sign, grid);
}

void transform(const Problem& p, int sign, Complex* grid) {
  transform_axis(p, p.nx, 1, sign, grid);
  transform_axis(p, p.ny, p.nx, sign, grid);
  transform_axis(p, p.nz, unsigned(p.nx) * p.ny, sign, grid);
}

}  // namespace

/// The checksums of all times, and the grid at the last one.
/// @throws ladder::Error when the device refuses a launch.
void radix_8(const Problem& p) {
  Complex* const spectrum = p.work;
  setup_all(p, spectrum);
  transform(p, 1, spectrum);
  for (int t = 1; t <= p.iterations; ++t) {
    decay_to(p, t, spectrum);
    transform(p, -1, p.u);
    checksum<<<checksum_points / threads, threads>>>(p, p.u, p.checksums + t - 1);
    ladder::check(cudaGetLastError());
  }
}

}  // namespace npb_ft
