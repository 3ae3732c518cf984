// what prints every step that it takes
// verdict PASS
#include <iostream>

#include "honest.hpp"

void lu::branch_removal(const Problem& p) {
  std::cout << "n = " << p.n << "\n";
  honest(p, honest_kernels);
}
