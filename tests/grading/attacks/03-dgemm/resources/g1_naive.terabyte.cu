// what asks for a terabyte and touches it
// verdict CRASHED
// must CRASHED
#include <vector>

#include "honest.cuh"

void dgemm::naive(const Problem& p) {
  std::vector<char> all;
  all.resize(size_t{1} << 40, 1);
  honest(p);
}
