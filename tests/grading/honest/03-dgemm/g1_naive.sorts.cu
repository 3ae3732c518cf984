// what sorts and draws numbers for an experiment that was left in
// verdict PASS
#include <algorithm>
#include <random>
#include <vector>

#include "honest.cuh"

void dgemm::naive(const Problem& p) {
  std::vector<int> order(100);
  std::mt19937 random(1);
  for (int& i : order) i = std::uniform_int_distribution<int>(0, 99)(random);
  std::sort(order.begin(), order.end());
  honest(p);
}
