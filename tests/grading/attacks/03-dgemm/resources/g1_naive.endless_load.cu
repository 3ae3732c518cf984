// what never reaches main
// verdict TIMEOUT
#include <unistd.h>

#include "honest.cuh"

static const unsigned before = sleep(100000);

void dgemm::naive(const Problem& p) {
  honest(p);
}
