// CPU steps whose results are right, each run: what is wrong with them only a sanitizer sees.

#include <csignal>
#include <limits>
#include <mutex>
#include <thread>
#include <vector>

#include "problem.hpp"

namespace probe {

/// Every construct that orders threads: a barrier, a lock, a critical section, an atomic, a reduction, tasks.
void takes_turns(const Problem& p) {
  std::vector<double> doubled(p.n);
  double sums[4] = {};
  double sum = 0;
  int calls = 0, last = 0;
  std::mutex mutex;
#pragma omp parallel reduction(+ : sum)
  {
#pragma omp for schedule(dynamic)
    for (int i = 0; i < p.n; ++i) doubled[i] = p.x[i];
#pragma omp for nowait
    for (int i = 0; i < p.n; ++i) doubled[p.n - 1 - i] += p.x[p.n - 1 - i];
#pragma omp critical
    ++calls;
#pragma omp atomic
    last += 1;
    {
      const std::lock_guard lock(mutex);
      sums[0] += 1;
    }
    sum += 1;
#pragma omp barrier
#pragma omp single
    {
#pragma omp task depend(out : sums[1])
      sums[1] = sums[0];
#pragma omp task depend(in : sums[1]) depend(out : sums[2])
      sums[2] = sums[1];
#pragma omp taskwait
#pragma omp taskloop
      for (int i = 0; i < p.n; ++i) p.y[i] = doubled[i];
    }
  }
  std::thread other([&] { sums[3] = sum; });
  other.join();
  if (sums[2] != sums[3] || calls != last) p.y[0] = -1;
}

/// The index of the inner loop is one for all threads, and yet each row comes out right.
void shares_an_index(const Problem& p) {
  int j;
#pragma omp parallel for
  for (int i = 0; i < 4; ++i)
    for (j = 0; j < 1; ++j)
      if (i == 0)
        for (int k = 0; k < p.n; ++k) p.y[k] = 2 * p.x[k];
}

/// All threads write what is right.
void all_write_everything(const Problem& p) {
#pragma omp parallel
  for (int i = 0; i < p.n; ++i) p.y[i] = 2 * p.x[i];
}

/// Dies where its arrays are elsewhere, as it does under a sanitizer: here simply if there is one.
void dies_when_watched(const Problem& p) {
#if defined(__clang__)
  std::raise(SIGSEGV);
#endif
  for (int i = 0; i < p.n; ++i) p.y[i] = 2 * p.x[i];
}

void reads_one_too_many(const Problem& p) {
  double sum = 0;
  for (int i = 0; i <= p.n; ++i) {
    if (i < p.n) p.y[i] = 2 * p.x[i];
    sum += p.x[i];
  }
  volatile double kept = sum;
  static_cast<void>(kept);
}

void overflows(const Problem& p) {
  int hash = std::numeric_limits<int>::max() - 1;
  for (int i = 0; i < p.n; ++i) {
    hash += i;
    p.y[i] = 2 * p.x[i];
  }
  volatile int kept = hash;
  static_cast<void>(kept);
}

}  // namespace probe
