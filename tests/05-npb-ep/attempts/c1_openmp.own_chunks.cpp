// verdict PASS
// must right in all
// must balance
// not race
// No reduction clause: a chunk for each thread by its number, and a critical section at its end.
#include <omp.h>

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

}  // namespace

void openmp(const Problem& p) {
  *p.sx = *p.sy = 0;
  for (int l = 0; l < bins; l++) p.q[l] = 0;
#pragma omp parallel
  {
    int me = omp_get_thread_num(), team = omp_get_num_threads();
    std::int64_t first = p.pairs * me / team, last = p.pairs * (me + 1) / team;
    State x = jump(p.seed, 2 * first);
    double sx = 0, sy = 0;
    Count q[bins] = {};
    for (std::int64_t i = first; i < last; i++) {
      x = x * multiplier & mask;
      double X = 2 * scale * x - 1;
      x = x * multiplier & mask;
      double Y = 2 * scale * x - 1;
      double t = X * X + Y * Y;
      if (t > 1) continue;
      double f = std::sqrt(-2 * std::log(t) / t);
      sx += X * f;
      sy += Y * f;
      q[(int)std::fmax(std::fabs(X * f), std::fabs(Y * f))]++;
    }
#pragma omp critical
    {
      *p.sx += sx;
      *p.sy += sy;
      for (int l = 0; l < bins; l++) p.q[l] += q[l];
    }
  }
}

}  // namespace npb_ep
