// verdict PASS
// must sectors
// must right in all
// not findings
// Copies where a transform needs them: x and y are exchanged before and after the lines along x, and nowhere else.
#include "setup.cuh"

namespace npb_ft {
namespace {

__global__ void plane_of_numbers(int z, size_t points, State seed, State* state, Complex* plane) {
  State x = z == 0 ? seed : *state;
  for (size_t e = 0; e < points; e++) {
    State first = x * multiplier & mask;
    x = first * multiplier & mask;
    Complex number{scale * double(first), scale * double(x)};
    plane[e] = number;
  }
  *state = x;
}

__global__ void exchange(int rows, int columns, const Complex* from, Complex* to) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
  size_t plane = size_t(blockIdx.z) * rows * columns;
  if (column < columns) to[plane + column * size_t(rows) + row] = from[plane + row * size_t(columns) + column];
}

__global__ void stage(int n, size_t step, size_t lines, int done, int sign, const Complex* roots, int longest,
                      const Complex* x, Complex* y) {
  size_t line = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  if (line >= lines) return;
  size_t first = line / step * step * n + line % step;
  for (int j = 0; j < n / 2; j++) {
    int k = j % done;
    Complex w = roots[k * (longest / (2 * done))];
    w.im = sign * w.im;
    Complex a = x[first + j * step], b = w * x[first + (j + n / 2) * step];
    y[first + (2 * j - k) * step] = a + b;
    y[first + (2 * j - k + done) * step] = a - b;
  }
}

struct Grids {
  Complex *now, *other;
  void swap() {
    Complex* kept = now;
    now = other;
    other = kept;
  }
};

void along(const Problem& p, int n, size_t step, int sign, Grids& g) {
  for (int done = 1; done < n; done *= 2, g.swap()) {
    stage<<<blocks_of(p.points() / n), threads>>>(n, step, p.points() / n, done, sign, p.roots, p.longest(), g.now,
                                                  g.other);
    ladder::check(cudaGetLastError());
  }
}

void fft3(const Problem& p, int sign, Grids& g) {
  exchange<<<dim3(blocks_of(p.nx), p.ny, p.nz), threads>>>(p.ny, p.nx, g.now, g.other);
  g.swap();
  along(p, p.nx, p.ny, sign, g);
  exchange<<<dim3(blocks_of(p.ny), p.nx, p.nz), threads>>>(p.nx, p.ny, g.now, g.other);
  g.swap();
  along(p, p.ny, p.nx, sign, g);
  along(p, p.nz, size_t(p.nx) * p.ny, sign, g);
}

__global__ void checksum(const Problem p, const Complex* u, Complex* sum) {
  int q = blockIdx.x * blockDim.x + threadIdx.x + 1;
  Complex c = (1.0 / double(p.points())) * u[checksum_element(p, q)];
  atomicAdd(&sum->re, c.re);
  atomicAdd(&sum->im, c.im);
}

}  // namespace

void three_kernels(const Problem& p) {
  size_t factors = p.iterations * p.largest_square() + 1, plane = size_t(p.nx) * p.ny;
  Grids spectrum{p.work, p.work + p.points()};
  setup_roots<<<blocks_of(p.longest()), threads>>>(p.longest(), p.roots);
  setup_factors<<<blocks_of(factors), threads>>>(factors, p.factors);
  setup_squares<<<blocks_of(p.nx + p.ny + p.nz), threads>>>(p.nx, p.ny, p.nz, p.squares);
  for (int z = 0; z < p.nz; z++) plane_of_numbers<<<1, 1>>>(z, plane, p.seed, p.state, spectrum.now + z * plane);
  ladder::check(cudaMemset(p.checksums, 0, p.iterations * sizeof(Complex)));
  fft3(p, 1, spectrum);
  PointGrid grid(p);
  for (int t = 1; t <= p.iterations; t++) {
    Grids u{p.u, spectrum.other};
    evolve<<<grid.blocks, grid.block>>>(p.nx, t, spectrum.now, p.factors, p.squares, u.now);
    fft3(p, -1, u);
    checksum<<<checksum_points / threads, threads>>>(p, u.now, p.checksums + t - 1);
    ladder::check(cudaGetLastError());
    if (u.now != p.u && t == p.iterations)
      ladder::check(cudaMemcpy(p.u, u.now, p.points() * sizeof(Complex), cudaMemcpyDeviceToDevice));
  }
}

}  // namespace npb_ft
