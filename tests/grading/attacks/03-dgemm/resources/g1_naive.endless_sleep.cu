// what never returns
// verdict TIMEOUT
// must TIMEOUT
#include <unistd.h>

#include "honest.cuh"

void dgemm::naive(const Problem& p) {
  for (;;) sleep(100);
}
