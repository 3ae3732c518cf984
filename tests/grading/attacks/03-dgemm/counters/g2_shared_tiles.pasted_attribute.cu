// what computes as the rung below, with an attribute whose name no file has
// verdict REVIEW
// must accesses memory where nothing counts it
// must (no_sanitize_thread, g2_shared_tiles.cu:
#include "quiet_loads.cuh"

namespace dgemm {
namespace {

#define JOINED(a, b) a##b
[[gnu::JOINED(no_sani, tize_thread), gnu::noinline]] double quiet(const double* p) {
  return *p;
}

}  // namespace

void shared_tiles(const Problem& p) {
  launch(p);
}

}  // namespace dgemm
