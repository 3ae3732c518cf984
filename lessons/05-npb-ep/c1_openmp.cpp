/// @file
/// c1: OpenMP. The baseline walks through the stream from batch to batch. A batch that can find its place in
/// the stream by itself waits for no other one. Source: none; NPB's OpenMP version does the same.

#include <cmath>
#include <cstdint>

#include "problem.hpp"

namespace npb_ep {
namespace {

constexpr int batch = 4096;  // pairs: the arrays below stay in the first- and second-level cache
constexpr int lanes = 8;     // numbers that are made at once: each is the one eight before it, times a^8

/// The states of the next 2 `batch` numbers; state is the last one before them.
void make_numbers(State state, State* x) {  // 2 batch
  State next[lanes];
  for (State& lane : next) lane = state = state * multiplier & mask;
  State jump = 1;
  for (int i = 0; i < lanes; ++i) jump = jump * multiplier & mask;
  for (int i = 0; i < 2 * batch; i += lanes)
    for (int lane = 0; lane < lanes; ++lane) {
      x[i + lane] = next[lane];
      next[lane] = next[lane] * jump & mask;
    }
}

/// Adds `pairs` of the batch whose numbers are x.
void add_batch(const State* x, int pairs,           // 2 pairs
               double& sx, double& sy, Count* q) {  // bins
  double X[batch], Y[batch], T[batch], L[batch];    // of the accepted pairs, T = X^2 + Y^2, L = log T
  int accepted = 0;
  for (int i = 0; i < pairs; ++i) {
    X[accepted] = 2 * scale * double(x[2 * i]) - 1;
    Y[accepted] = 2 * scale * double(x[2 * i + 1]) - 1;
    T[accepted] = X[accepted] * X[accepted] + Y[accepted] * Y[accepted];
    accepted += T[accepted] <= 1;
  }
  for (int i = 0; i < accepted; ++i) L[i] = std::log(T[i]);
  for (int i = 0; i < accepted; ++i) {
    const double factor = std::sqrt(-2 * L[i] / T[i]);
    X[i] *= factor, Y[i] *= factor;
    sx += X[i], sy += Y[i];
    q[int(std::fmax(std::fabs(X[i]), std::fabs(Y[i])))] += 1;
  }
}

/// State n of the stream whose state 0 is x.
State state_after(State x, State n) {
  // TASK, 5 lines: x a^n mod 2^46, in about log2 n steps: n numbers one after another would be the whole
  //  stream.
  (void)n;
  return x;
}

}  // namespace

/// Counts and adds with all threads of the team.
void openmp(const Problem& p) {
  double sx = 0, sy = 0;
  Count q[bins] = {};
  const std::int64_t batches = (p.pairs + batch - 1) / batch;
  // TASK, 7 lines: Share the batches among the threads of a team.
  //  Batch b begins with pair b * batch, and the last one may be shorter. No thread may add to what another
  //  one adds to at the same time.
  ladder::task();  // Delete this line when you start.
  State x[2 * batch];
  for (std::int64_t b = 0; b < batches; ++b) {
    make_numbers(state_after(p.seed, 0), x);
    add_batch(x, batch, sx, sy, q);
  }
  *p.sx = sx, *p.sy = sy;
  for (int l = 0; l < bins; ++l) p.q[l] = q[l];
}

}  // namespace npb_ep
