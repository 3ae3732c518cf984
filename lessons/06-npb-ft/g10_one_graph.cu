/// @file
/// g10: one graph. All launches of a call are recorded once, and one call of the host starts them: in a
/// small class a pass takes no longer than its launch. The graph is kept for the next call with the same
/// arrays, and the seed is in memory, since it is another one then. Before: g9, three launches per
/// transform. Source: none.

#include <algorithm>
#include <optional>

#include "butterflies.cuh"
#include "common/device/cuda_graph.hpp"
#include "pass.hpp"
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
  __device__ int place(int e, int l) const {
    const int dense = e * element_apart + l * line_apart;
    return dense ^ (dense / 8 % 8);  // what eight neighbouring lanes want is in different banks
  }
};

/// The numbers of the stream that are the thread's elements at time 0. Lines go along x. The seed is in
/// p.state: what is in p itself is repeated by the graph.
template <int E>
__device__ __forceinline__ void make(Complex (&v)[E], const Elements& at, const Problem& p) {
  State x = *p.state * ladder::npb::power(2 * at.first + 1) & mask;
  const State stride = ladder::npb::power(2 * at.apart);
#pragma unroll
  for (int i = 0; i < E; ++i, x = x * stride & mask)
    v[i] = {scale * double(x), scale * double(x * multiplier & mask)};
}

/// Multiplies by what is left of each frequency after the time. Lines go along z.
template <int E>
__device__ __forceinline__ void let_decay(Complex (&v)[E], const Elements& at, const Problem& p, int time) {
  const double* const of_x = p.factors + (time - 1) * (p.nx + p.ny + p.nz);
  const double *const of_y = of_x + p.nx, *const of_z = of_y + p.ny;
  const double factor = of_x[at.line % p.nx] * of_y[at.line / p.nx];
#pragma unroll
  for (int i = 0; i < E; ++i) v[i] = factor * of_z[at.t + i * at.threads] * v[i];
}

/// Adds those of the thread's elements that are terms of the time's checksum, each as often as it is one.
/// Lines go along x.
template <int E>
__device__ __forceinline__ void add_terms(const Complex (&v)[E], const Elements& at, const Problem& p,
                                          int time) {
  const int y = at.line % p.ny, z = at.line / p.ny;
  if ((5 * y - 3 * z) % min(p.ny, p.nz) != 0) return;  // both are 15 q
  Complex terms{0, 0};
#pragma unroll
  for (int i = 0; i < E; ++i)
    for (int q = at.t + i * at.threads; q <= checksum_points; q += p.nx)
      if (q > 0 && 3 * q % p.ny == y && 5 * q % p.nz == z) terms = terms + v[i];
  if (terms.re == 0 && terms.im == 0) return;
  atomicAdd(&p.checksums[time - 1].re, 1.0 / double(p.points()) * terms.re);
  atomicAdd(&p.checksums[time - 1].im, 1.0 / double(p.points()) * terms.im);
}

/// One stage: transforms of length `done` become transforms of length R done. A thread has E elements of the
/// line, those at t + i n / E, so E / R butterflies.
/// @tparam sign      of the transform
/// @param root_step  roots[root_step] is exp(2 pi i / (R done))
template <int R, int sign, int E>
__device__ __forceinline__ void stage(Complex (&v)[E], int n, int t, int done, const Complex* roots,
                                      int root_step) {
#pragma unroll
  for (int q = 0; q < E / R; ++q) {
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
  }
}

/// After a stage of R: element r of butterfly j has moved to (j - k) R + k + r done. Thread t gets the
/// elements t + i n / E.
template <int R, int E>
__device__ __forceinline__ void exchange(Complex (&v)[E], const Lines& lines, int t, int l, int done,
                                         Complex* shared) {  // tile
  const int n = lines.n;
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
}

/// Where a block's lines exchange their elements: one array for all the kernels below, each of which is
/// another instance of their template.
__device__ __forceinline__ Complex* tile_of_block() {
  __shared__ Complex shared[tile];
  return shared;
}

/// Transforms lines. First is the radix of the first stage; the others have E.
template <Pass pass, int First, int E>
__global__ void __launch_bounds__(tile / 8, 3)
    fft_lines(const Lines lines, const Problem p, int time, const Complex* from, Complex* to) {
  Complex* const shared = tile_of_block();
  const int n = lines.n, of_line = n / E;  // threads
  // Neighbouring threads have neighbouring elements of the grid: of a line along x, else of neighbouring
  // lines.
  const bool along = lines.step == 1;
  const int t = along ? threadIdx.x % of_line : threadIdx.x / lines.lines;
  const int l = along ? threadIdx.x / of_line : threadIdx.x % lines.lines;
  const unsigned line = blockIdx.x * lines.lines + l;
  const Elements at{line, t, of_line, lines.first(line) + std::size_t(t) * lines.step,
                    std::size_t(of_line) * lines.step};
  Complex v[E];
  if constexpr (pass == Pass::initial) {
    make(v, at, p);
  } else {
#pragma unroll
    for (int i = 0; i < E; ++i) v[i] = from[at.first + i * at.apart];
  }
  if constexpr (pass == Pass::decay) let_decay(v, at, p, time);
  stage<First, sign_of(pass)>(v, n, t, 1, p.roots, 0);
  int root_step = p.longest() / First;
  for (int done = First; done < n; done *= E) {
    if (done == First)
      exchange<First>(v, lines, t, l, 1, shared);
    else
      exchange<E>(v, lines, t, l, done / E, shared);
    root_step /= E;
    stage<E, sign_of(pass)>(v, n, t, done, p.roots, root_step);
  }
  if constexpr (pass == Pass::checksum) add_terms(v, at, p, time);
#pragma unroll
  for (int i = 0; i < E; ++i) to[at.first + i * at.apart] = v[i];
}

template <Pass pass, int First, int E>
void launch(const Problem& p, Axis axis, int time, const Complex* from, Complex* to, cudaStream_t stream) {
  const auto [n, step] = axis;
  const std::size_t all = p.points() / n;
  const int together = int(std::min<std::size_t>(all, tile / 8 * E / n));
  const Lines lines{n, step, together, step == 1 ? 1 : together, step == 1 ? n : 1};
  const unsigned blocks = unsigned(all / together);
  fft_lines<pass, First, E><<<blocks, together*(n / E), 0, stream>>>(lines, p, time, from, to);
  ladder::check(cudaGetLastError());
}

template <Pass pass>
void run(const Problem& p, Axis axis, int time, const Complex* from, Complex* to, cudaStream_t stream) {
  if (axis.n == 2)
    launch<pass, 2, 2>(p, axis, time, from, to, stream);
  else if (axis.n == 4)
    launch<pass, 4, 4>(p, axis, time, from, to, stream);
  else if (log2_of(axis.n) % 3 == 0)
    launch<pass, 8, 8>(p, axis, time, from, to, stream);
  else if (log2_of(axis.n) % 3 == 1)
    launch<pass, 2, 8>(p, axis, time, from, to, stream);
  else
    launch<pass, 4, 8>(p, axis, time, from, to, stream);
}

/// Puts a call's work into the stream.
/// @throws ladder::Error when the device refuses a launch.
void enqueue(const Problem& p, cudaStream_t stream) {
  const Axis x{p.nx, 1}, y{p.ny, unsigned(p.nx)}, z{p.nz, unsigned(p.nx) * p.ny};
  Complex* const spectrum = p.work;
  setup_tables(p, stream);
  run<Pass::initial>(p, x, 0, nullptr, spectrum, stream);
  run<Pass::forward>(p, y, 0, spectrum, spectrum, stream);
  run<Pass::forward>(p, z, 0, spectrum, spectrum, stream);
  for (int t = 1; t <= p.iterations; ++t) {
    run<Pass::decay>(p, z, t, spectrum, p.u, stream);
    run<Pass::inverse>(p, y, t, p.u, p.u, stream);
    run<Pass::checksum>(p, x, t, p.u, p.u, stream);
  }
}

/// A graph of a call's work, ready to be launched.
/// @throws ladder::Error when the device refuses a call.
ladder::GraphExec record(const Problem& p) {
  const ladder::Stream recording;  // the default stream cannot be captured
  // TASK, 8 lines: Capture what `enqueue` puts into the stream, and make an executable graph of it.
  //  cudaStreamBeginCapture(stream, mode), with the mode cudaStreamCaptureModeThreadLocal: launches into the
  //  stream are recorded and do not run. cudaStreamEndCapture(stream, &captured) gives a cudaGraph_t, of
  //  which cudaGraphInstantiate(&ready, captured, 0) makes a cudaGraphExec_t. ladder::Graph(captured) and
  //  ladder::GraphExec(ready) own the two.
  ladder::task();  // Delete this line when you start.
  enqueue(p, recording.get());
  return ladder::GraphExec(nullptr);
}

/// A graph, and the arguments that it repeats.
struct Recorded {
  Problem problem;
  ladder::GraphExec executable;
};

}  // namespace

/// The checksums of all times, and the grid at the last one.
/// @throws ladder::Error when the device refuses a call.
void one_graph(const Problem& p) {
  static std::optional<Recorded> recorded;  // by the latest call that needed a new graph
  // TASK, 5 lines: Launch the graph with cudaGraphLaunch(executable, stream), in the default stream.
  //  A graph repeats the arguments that were captured. The next call may have other arrays, or the same ones
  //  and another seed. Which of the two needs another graph, and how does the seed get to `make`?
  ladder::task();  // Delete this line when you start.
}

}  // namespace npb_ft
