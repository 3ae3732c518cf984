/// @file
/// c1: OpenMP. The baseline computes row after row. Rows do not need each other, but some have more entries
/// than others: each thread gets neighbouring rows with its share of the entries, and keeps them for all
/// iterations. Source: none; NPB's OpenMP version shares rows, too.

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "problem.hpp"

namespace npb_cg {
namespace {

/// Sums of a team, one for each thread. Neighbours would share a cache line, which costs time.
struct alignas(64) Part {
  double sum = 0;
};

/// What the parts of all threads add up to, in the same order for every thread.
double total(const std::vector<Part>& parts) {
  double sum = 0;
  for (const Part& part : parts) sum += part.sum;
  return sum;
}

/// The first row of each thread, and behind the last thread n: all threads have their share of the entries.
std::vector<int> first_rows(const Problem& p, int threads) {
  std::vector<int> first(threads + 1, p.n);
  // BEGIN SOLUTION For each thread t find the row in which entry nnz t / threads begins, or the next one.
  //  row_start increases, so it can be searched by halving.
  //| ladder::task();  // Delete this line when you start.
  for (int t = 0; t < threads; ++t) {
    const int entry = int((long long)p.nnz * t / threads);
    first[t] = int(std::lower_bound(p.row_start, p.row_start + p.n, entry) - p.row_start);
  }
  // END SOLUTION
  return first;
}

/// Row i of A, times v.
double row_times(const Problem& p, int i, const double* v) {  // n
  double sum = 0;
  for (int k = p.row_start[i]; k < p.row_start[i + 1]; ++k) sum += p.values[k] * v[p.columns[k]];
  return sum;
}

/// z = 0, r = d = x in the rows first to last - 1. @return their part of r . r
double start(const Problem& p, int first, int last) {
  double rho = 0;
  for (int i = first; i < last; ++i) {
    p.z[i] = 0, p.r[i] = p.d[i] = p.x[i];
    rho += p.x[i] * p.x[i];
  }
  return rho;
}

/// The part of ||x - A z||^2 in the rows first to last - 1.
double squares(const Problem& p, int first, int last) {
  double sum = 0;
  for (int i = first; i < last; ++i) {
    const double difference = p.x[i] - row_times(p, i, p.z);
    sum += difference * difference;
  }
  return sum;
}

}  // namespace

/// 25 iterations with all threads of the team, which is made once.
void openmp(const Problem& p) {
  const int threads = omp_get_max_threads();
  const std::vector<int> rows = first_rows(p, threads);
  std::vector<Part> rhos(threads), dqs(threads), lefts(threads);
  // BEGIN SOLUTION In one parallel region: start, 25 iterations, and squares, each thread on its rows.
  //  A thread leaves its parts of r . r, of d . q and of the norm in rhos, dqs and lefts. Before it reads
  //  what others have written, all must have written it: three barriers
  //  in an iteration, one before the first.
  //| ladder::task();  // Delete this line when you start.
  //| start(p, 0, p.n), squares(p, 0, p.n);
#pragma omp parallel num_threads(threads)
  {
    const int thread = omp_get_thread_num(), first = rows[thread], last = rows[thread + 1];
    rhos[thread].sum = start(p, first, last);
#pragma omp barrier
    double rho = total(rhos);
    for (int iteration = 0; iteration < iterations; ++iteration) {
      double mine = 0;
      for (int i = first; i < last; ++i) mine += p.d[i] * (p.q[i] = row_times(p, i, p.d));
      dqs[thread].sum = mine;
#pragma omp barrier
      const double dq = total(dqs), alpha = dq == 0 ? 0 : rho / dq, before = rho;
      mine = 0;
      for (int i = first; i < last; ++i) {
        p.z[i] += alpha * p.d[i];
        p.r[i] -= alpha * p.q[i];
        mine += p.r[i] * p.r[i];
      }
      rhos[thread].sum = mine;
#pragma omp barrier
      rho = total(rhos);
      const double beta = before == 0 ? 0 : rho / before;
      for (int i = first; i < last; ++i) p.d[i] = p.r[i] + beta * p.d[i];
#pragma omp barrier
    }
    lefts[thread].sum = squares(p, first, last);
  }
  // END SOLUTION
  *p.norm = std::sqrt(total(lefts));
}

}  // namespace npb_cg
