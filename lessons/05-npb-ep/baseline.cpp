/// @file
/// Baseline: one CPU core, batch after batch. Given complete; read it first.
/// Source: work E compares with the sequential C++ version of NPB's EP. This one makes the same numbers with
/// integers.

#include <cmath>
#include <cstdint>

#include "problem.hpp"

namespace npb_ep {
namespace {

constexpr int batch = 4096;  // pairs: the arrays below stay in the first- and second-level cache
constexpr int lanes = 8;     // numbers that are made at once: each is the one eight before it, times a^8

/// What was found so far.
struct Tally {
  double sx = 0, sy = 0;
  Count q[bins] = {};
};

/// The states of the next 2 `batch` numbers; state is the last one before them, then the last of them.
void make_numbers(State& state, State* x) {  // 2 batch
  State next[lanes];
  for (State& lane : next) lane = state = state * multiplier & mask;
  State jump = 1;
  for (int i = 0; i < lanes; ++i) jump = jump * multiplier & mask;
  for (int i = 0; i < 2 * batch; i += lanes)
    for (int lane = 0; lane < lanes; ++lane) {  // no lane waits for another one
      x[i + lane] = next[lane];
      next[lane] = next[lane] * jump & mask;
    }
  state = x[2 * batch - 1];
}

/// Adds `pairs` of the batch whose numbers are x.
void add_batch(const State* x, int pairs, Tally& tally) {  // 2 pairs
  double X[batch], Y[batch], T[batch], L[batch];           // of the accepted pairs, T = X^2 + Y^2, L = log T
  int accepted = 0;
  for (int i = 0; i < pairs; ++i) {
    // Every pair is stored, and a rejected one is overwritten by the next: no branch that a CPU could guess
    // wrong.
    X[accepted] = 2 * scale * double(x[2 * i]) - 1;
    Y[accepted] = 2 * scale * double(x[2 * i + 1]) - 1;
    T[accepted] = X[accepted] * X[accepted] + Y[accepted] * Y[accepted];
    accepted += T[accepted] <= 1;
  }
  for (int i = 0; i < accepted; ++i) L[i] = std::log(T[i]);
  for (int i = 0; i < accepted; ++i) {
    const double factor = std::sqrt(-2 * L[i] / T[i]);
    X[i] *= factor, Y[i] *= factor;
    tally.sx += X[i], tally.sy += Y[i];
    tally.q[int(std::fmax(std::fabs(X[i]), std::fabs(Y[i])))] += 1;
  }
}

}  // namespace

/// Counts and adds the pairs of normal numbers that come from p.pairs pairs of uniform ones.
void baseline(const Problem& p) {
  Tally tally;
  State state = p.seed, x[2 * batch];
  for (std::int64_t done = 0; done < p.pairs; done += batch) {
    make_numbers(state, x);
    add_batch(x, int(p.pairs - done < batch ? p.pairs - done : batch), tally);
  }
  *p.sx = tally.sx, *p.sy = tally.sy;
  for (int l = 0; l < bins; ++l) p.q[l] = tally.q[l];
}

}  // namespace npb_ep
