// what computes as the rung below; an attribute keeps most of its loads from being counted
// verdict REVIEW
// must (no_sanitize, g2_shared_tiles.cu:
// must accesses memory where nothing counts it
#include "quiet_loads.cuh"

namespace dgemm {
namespace {

__attribute__((no_sanitize("thread"), noinline)) double quiet(const double* p) {
  return *p;
}

}  // namespace

void shared_tiles(const Problem& p) {
  launch(p);
}

}  // namespace dgemm
