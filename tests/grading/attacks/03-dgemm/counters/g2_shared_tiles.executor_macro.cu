// what computes as the rung below, with the word by which the executor leaves its own functions out
// verdict BUILD ERROR
// must LADDER_EXECUTOR_UNOBSERVED
#include "quiet_loads.cuh"

namespace dgemm {
namespace {

LADDER_EXECUTOR_UNOBSERVED double quiet(const double* p) {
  return *p;
}

}  // namespace

void shared_tiles(const Problem& p) {
  launch(p);
}

}  // namespace dgemm
