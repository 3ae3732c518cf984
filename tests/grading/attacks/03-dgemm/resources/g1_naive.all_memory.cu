// what touches memory until there is none
// verdict CRASHED|REVIEW|TIMEOUT
// not PASS
#include <vector>

#include "honest.cuh"

void dgemm::naive(const Problem& p) {
  static std::vector<std::vector<char>> all;
  for (;;) all.emplace_back(size_t{1} << 26, 1);
  honest(p);
}
