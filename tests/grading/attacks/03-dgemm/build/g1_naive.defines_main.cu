// what has a main() of its own
// verdict BUILD ERROR
// must main
#include "honest.cuh"

int main() { return 0; }

void dgemm::naive(const Problem& p) {
  honest(p);
}
