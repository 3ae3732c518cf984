/// @file
/// g6: a line goes through all of its stages between one read and one write of the grid. A thread has one
/// butterfly of each stage; between stages the threads of a line exchange their elements in shared memory.
/// Before: g5, where each of the log2(n) stages reads and writes the whole grid, and two copies per axis as
/// well. Source: none; this is how libraries do it.

#include <algorithm>

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

/// Transforms lines in place. A thread has butterfly j of every stage of one line: elements j and j + n / 2.
__global__ void __launch_bounds__(tile / 2)
    fft_lines(const Lines lines, [[maybe_unused]] int sign, [[maybe_unused]] const Complex* roots,
              [[maybe_unused]] int longest,  // roots: longest
              Complex* grid) {               // all lines
  [[maybe_unused]] __shared__ Complex shared[tile];
  const int n = lines.n, half = n / 2;  // half: threads of a line
  // Neighbouring threads have neighbouring elements of the grid: of a line along x, else of neighbouring
  // lines.
  const bool along = lines.step == 1;
  const int j = along ? threadIdx.x % half : threadIdx.x / lines.lines;
  const int l = along ? threadIdx.x / half : threadIdx.x % lines.lines;
  [[maybe_unused]] Complex* const line = grid + lines.first(blockIdx.x * lines.lines + l);
  [[maybe_unused]] const std::size_t step = lines.step;  // from one element to the next
  // TASK, 18 lines: Load the butterfly's two elements. The stages as in g2, with done = 1, 2, 4, … n / 2.
  //  After each but the last one sum and difference go to 2 j - k and 2 j - k + done of the line in shared
  //  memory (lines.place), and the thread loads elements j and j + n / 2 of the next stage. Which barriers
  //  does this need? Where do sum and difference of the last stage belong? Store them in the grid.
  ladder::task();  // Delete this line when you start.
  (void)lines.place(j, l);
}

void transform_axis(const Problem& p, int n, unsigned step, int sign, Complex* grid) {
  const std::size_t all = p.points() / n;
  const int together = int(std::min<std::size_t>(all, tile / n));
  const Lines lines{n, step, together, step == 1 ? 1 : together, step == 1 ? n : 1};
  fft_lines<<<unsigned(all / together), together * n / 2>>>(lines, sign, p.roots, p.longest(), grid);
  ladder::check(cudaGetLastError());
}

void transform(const Problem& p, int sign, Complex* grid) {
  transform_axis(p, p.nx, 1, sign, grid);
  transform_axis(p, p.ny, p.nx, sign, grid);
  transform_axis(p, p.nz, unsigned(p.nx) * p.ny, sign, grid);
}

}  // namespace

/// The checksums of all times, and the grid at the last one.
/// @throws ladder::Error when the device refuses a launch.
void shared_lines(const Problem& p) {
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
