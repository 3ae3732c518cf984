// what ends with success before main
// verdict REVIEW
// must (exit)
// must CRASHED
#include <cstdlib>

#include "honest.cuh"

struct Before {
  Before() { std::exit(0); }
};
static Before before;

void dgemm::naive(const Problem& p) {
  honest(p);
}
