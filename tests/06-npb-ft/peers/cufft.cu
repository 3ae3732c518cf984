/// @file
/// Peer: cuFFT on resident data, with NPB's rules: one transform of three axes in place for each time,
/// everything else by kernels of our own, those of g5. On a GPU only.

#include <cufft.h>

#include <string>

#include "passes.cuh"

namespace npb_ft {
namespace {

void check(cufftResult result, int line) {
  if (result != CUFFT_SUCCESS)
    throw ladder::Error("cufft.cu:" + std::to_string(line) + ": cuFFT result " + std::to_string(result));
}

/// A plan and its workspace, kept from call to call: only the first one pays for it, as NPB times no
/// allocation.
struct Plan {
  int nx = 0, ny = 0, nz = 0;
  cufftHandle handle = 0;
};

cufftHandle plan_for(const Problem& p) {
  static Plan plan;
  if (plan.nx == p.nx && plan.ny == p.ny && plan.nz == p.nz) return plan.handle;
  if (plan.handle) check(cufftDestroy(plan.handle), __LINE__);
  plan = {p.nx, p.ny, p.nz, 0};
  check(cufftPlan3d(&plan.handle, p.nz, p.ny, p.nx, CUFFT_Z2Z), __LINE__);
  return plan.handle;
}

void transform(const Problem& p, int direction, Complex* grid) {
  auto* const numbers = reinterpret_cast<cufftDoubleComplex*>(grid);
  check(cufftExecZ2Z(plan_for(p), numbers, numbers, direction), __LINE__);
}

}  // namespace

/// The checksums of all times, and the grid at the last one, by cuFFT.
void library(const Problem& p) {
  Complex* const spectrum = p.work;
  setup_all(p, spectrum);
  transform(p, CUFFT_FORWARD, spectrum);
  for (int t = 1; t <= p.iterations; ++t) {
    decay_to(p, t, spectrum);
    transform(p, CUFFT_INVERSE, p.u);
    checksum<<<checksum_points / threads, threads>>>(p, p.u, p.checksums + t - 1);
    ladder::check(cudaGetLastError());
  }
}

}  // namespace npb_ft
