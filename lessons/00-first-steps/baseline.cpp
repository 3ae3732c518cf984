/// @file
/// Baseline: the seven computations of this lesson, sequential. Given complete; read it first.
/// Source: none.

#include <algorithm>

#include "problem.hpp"

namespace first_steps {
namespace {

/// g1 · each element by itself.
void brighten(const Problem& p) {
  for (int i = 0; i < p.rows * p.columns; ++i) p.B[i] = p.gain * p.A[i] + p.offset;
}

/// g2 · each element with its two neighbours in the row.
void blur(const Problem& p) {
  for (int i = 0; i < p.rows; ++i) {
    const float* A = p.A + std::size_t(i) * p.columns;
    float* B = p.B + std::size_t(i) * p.columns;
    for (int j = 0; j < p.columns; ++j) {
      const float left = A[std::max(j - 1, 0)], right = A[std::min(j + 1, p.columns - 1)];
      B[j] = 0.25f * left + 0.5f * A[j] + 0.25f * right;
    }
  }
}

/// g3, g4 · rows become columns.
void transpose(const Problem& p) {
  for (int i = 0; i < p.rows; ++i)
    for (int j = 0; j < p.columns; ++j)
      p.B[std::size_t(j) * p.rows + i] = p.A[std::size_t(i) * p.columns + j];
}

/// g5, g6, g10 · many numbers become one.
void sum_rows(const Problem& p) {
  for (int i = 0; i < p.rows; ++i) {
    double sum = 0;
    for (int j = 0; j < p.columns; ++j) sum += p.A[std::size_t(i) * p.columns + j];
    p.sum[i] = sum;
  }
}

/// g7 · many numbers become a few, and which one goes where is known only when it is read.
void count_values(const Problem& p) {
  std::fill(p.count, p.count + bins, 0u);
  for (int i = 0; i < p.rows * p.columns; ++i) ++p.count[int(p.A[i] * bins)];
}

/// g8 · how many before this one?
void find_places(const Problem& p) {
  for (int i = 0; i < p.rows; ++i) {
    int bright = 0;
    for (int j = 0; j < p.columns; ++j) {
      const std::size_t at = std::size_t(i) * p.columns + j;
      p.place[at] = bright;
      if (p.A[at] >= p.limit) ++bright;
    }
  }
}

/// g9 · much work, but only for some.
void soften(const Problem& p) {
  for (int i = 0; i < p.rows * p.columns; ++i) {
    float x = p.A[i];
    if (x >= p.limit)
      for (int step = 0; step < softening_steps; ++step) x -= x * x * x / 64;
    p.B[i] = x;
  }
}

}  // namespace

/// Computes what is wanted of the image.
void baseline(const Problem& p) {
  switch (p.wanted) {
    case Wanted::brightened:
      return brighten(p);
    case Wanted::blurred:
      return blur(p);
    case Wanted::transposed:
      return transpose(p);
    case Wanted::row_sums:
      return sum_rows(p);
    case Wanted::histogram:
      return count_values(p);
    case Wanted::places:
      return find_places(p);
    case Wanted::softened:
      return soften(p);
  }
}

}  // namespace first_steps
