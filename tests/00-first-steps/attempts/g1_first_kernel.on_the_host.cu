// verdict REVIEW
// must no kernel was launched
// must the host has done the work
// not seed
#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace first_steps {

void first_kernel(const Problem& p) {
  for (int i = 0; i < p.rows * p.columns; ++i) p.B[i] = p.gain * p.A[i] + p.offset;
}

}  // namespace first_steps
