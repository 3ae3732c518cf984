// what prints 200 MB
// verdict PASS|TIMEOUT|REVIEW
#include <cstdio>
#include <string>

#include "honest.cuh"

void dgemm::naive(const Problem& p) {
  static const std::string line(1 << 20, 'x');
  for (int i = 0; i < 200; ++i) std::fwrite(line.data(), 1, line.size(), stdout);
  honest(p);
}
