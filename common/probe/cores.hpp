#pragma once
/// @file
/// What all cores of a processor compute at most. Programs that include this need OpenMP, and
/// -ffp-contract=fast, GCC's default, for multiply-adds.

#include <algorithm>
#include <type_traits>
#include <vector>

#include "common/probe/sample.hpp"

namespace ladder::probe {

#if defined(__AVX512F__)
inline constexpr int vector_bytes = 64;
#elif defined(__AVX__)
inline constexpr int vector_bytes = 32;
#else
inline constexpr int vector_bytes = 16;
#endif
template <class T>
struct Wide {
  typedef T Vector __attribute__((vector_size(vector_bytes)));
  static constexpr int width = vector_bytes / sizeof(T);
};

/// Independent chains: enough to hide the latency of a multiply-add on every port, few enough for the
/// registers.
inline constexpr int chains = 10;
inline volatile double sink;

/// Rates of all cores together: each times bursts of its own, so short that most of them nobody interrupts,
/// though other programs run. The best of a list is the sum of every core's best.
/// @param amount  of one burst on one core
/// @param prepare  called once on each core: returns what to time
template <class Prepare>
std::vector<double> rates_of_cores(double amount, Prepare&& prepare) {
  constexpr int bursts = 200;
  std::vector<double> sums(bursts);
#pragma omp parallel
  {
    auto work = prepare();
    work();
    std::vector<double> mine;
    for (int i = 0; i < bursts; ++i) mine.push_back(amount / seconds_of(work));
    std::sort(mine.begin(), mine.end());
#pragma omp critical
    for (int i = 0; i < bursts; ++i) sums[i] += mine[i];
  }
  return sums;
}

template <class T>
void multiply_add(long rounds) {
  constexpr double odd = std::is_integral_v<T> ? 3 : 0;  // integers that are neither 0 nor 1
  typename Wide<T>::Vector x[chains], a, b;
  for (int k = 0; k < Wide<T>::width; ++k) a[k] = T(0.999999 + odd), b[k] = T(1e-6 * (k + 1) + odd);
  for (int c = 0; c < chains; ++c) x[c] = b * T(c);
  for (long r = 0; r < rounds; ++r) {
#pragma GCC unroll 16
    for (int c = 0; c < chains; ++c) x[c] = x[c] * a + b;
  }
  double sum = 0;
  for (int c = 0; c < chains; ++c) {
    for (int k = 0; k < Wide<T>::width; ++k) sum += double(x[c][k]);
  }
  sink = sum;  // the compiler must not find out that nobody needs it
}

/// Operations per second, 2 for a multiply-add: a list as rates_of_cores() has it.
template <class T>
std::vector<double> multiply_add_rates() {
  constexpr long rounds = 100'000;
  return rates_of_cores(2.0 * chains * Wide<T>::width * rounds,
                        [] { return [] { multiply_add<T>(rounds); }; });
}

}  // namespace ladder::probe
