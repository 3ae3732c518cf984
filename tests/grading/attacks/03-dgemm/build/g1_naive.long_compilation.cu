// what lets the compiler compute for minutes, within all limits of the language
// verdict BUILD ERROR
// must used up its CPU time
#include "honest.cuh"

namespace dgemm {

// Each value is within the compiler's limits, and there are 800 of them.
constexpr int mixed(int n) {
  int sum = 0;
  for (int i = 0; i < 200000; ++i) sum ^= i * n;
  return sum;
}
template <int n>
struct Sum {
  static constexpr int value = mixed(n) ^ Sum<n - 1>::value;
};
template <>
struct Sum<0> {
  static constexpr int value = 0;
};

void naive(const Problem& p) {
  if (Sum<800>::value != 1) honest(p);
}

}  // namespace dgemm
