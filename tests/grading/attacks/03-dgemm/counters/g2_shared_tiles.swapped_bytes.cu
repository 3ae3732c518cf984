// what computes as the rung below, with loads by a function of the C library that swaps bytes
// verdict REVIEW
// must calls in a kernel a function whose accesses nobody counts (swab)
#include <unistd.h>

#include "quiet_loads.cuh"

namespace dgemm {
namespace {

__device__ double quiet(const double* p) {
  double swapped, value;
  swab(p, &swapped, 8);
  swab(&swapped, &value, 8);
  return value;
}

}  // namespace

void shared_tiles(const Problem& p) {
  launch(p);
}

}  // namespace dgemm
