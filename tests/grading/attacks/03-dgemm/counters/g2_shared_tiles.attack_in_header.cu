// what computes as the rung below; what keeps most of its loads from being counted is in a header that it brings along
// verdict REVIEW
// must (no_sanitize_thread, unseen.cuh:
// must (asm, unseen.cuh:
// must accesses memory where nothing counts it
#include "unseen.cuh"

void dgemm::shared_tiles(const Problem& p) {
  launch(p);
}
