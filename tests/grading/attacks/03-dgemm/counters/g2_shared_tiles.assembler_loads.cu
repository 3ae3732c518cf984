// what computes as the rung below, with loads in assembler
// verdict REVIEW
// must (asm, g2_shared_tiles.cu:
#include "quiet_loads.cuh"

namespace dgemm {
namespace {

double quiet(const double* p) {
  double value;
#if defined(__x86_64__)
  asm("movsd (%1), %0" : "=x"(value) : "r"(p) : "memory");
#else
  asm("ldr %d0, [%1]" : "=w"(value) : "r"(p) : "memory");
#endif
  return value;
}

}  // namespace

void shared_tiles(const Problem& p) {
  launch(p);
}

}  // namespace dgemm
