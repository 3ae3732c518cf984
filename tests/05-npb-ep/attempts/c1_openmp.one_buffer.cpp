// verdict WRONG
// must a local variable that they share (line 38)
// must nothing orders
// not balance
// The array of numbers is declared before the loop: all threads have the same one.
#include <cmath>

#include "problem.hpp"

namespace npb_ep {
namespace {

State jump(State x, State n) {
  State a = multiplier;
  while (n > 0) {
    if (n & 1) x = x * a & mask;
    a = a * a & mask;
    n >>= 1;
  }
  return x;
}

const int batch = 2048;

}  // namespace

void openmp(const Problem& p) {
  double sx = 0, sy = 0;
  Count q[bins] = {};
  std::int64_t batches = (p.pairs + batch - 1) / batch;
  double r[2 * batch];
#pragma omp parallel for reduction(+ : sx, sy, q[:bins])
  for (std::int64_t b = 0; b < batches; b++) {
    std::int64_t first = b * batch;
    State x = jump(p.seed, 2 * first);
    for (int i = 0; i < 2 * batch; i++) {
      x = x * multiplier & mask;
      r[i] = 2 * scale * x - 1;
    }
    for (int i = 0; i < batch && first + i < p.pairs; i++) {
      double t = r[2 * i] * r[2 * i] + r[2 * i + 1] * r[2 * i + 1];
      if (t > 1) continue;
      double f = std::sqrt(-2 * std::log(t) / t), X = r[2 * i] * f, Y = r[2 * i + 1] * f;
      sx += X;
      sy += Y;
      q[(int)std::fmax(std::fabs(X), std::fabs(Y))]++;
    }
  }
  *p.sx = sx;
  *p.sy = sy;
  for (int l = 0; l < bins; l++) p.q[l] = q[l];
}

}  // namespace npb_ep
