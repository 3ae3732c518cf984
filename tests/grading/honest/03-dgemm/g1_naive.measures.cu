// what measures itself by the clock
// verdict PASS
#include <chrono>

#include "honest.cuh"

void dgemm::naive(const Problem& p) {
  const auto begin = std::chrono::steady_clock::now();
  honest(p);
  static double total = 0;
  total += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}
