// what leaves a process of its own session behind
// verdict REVIEW
// must (fork)
#include <unistd.h>

#include "honest.cuh"

void dgemm::naive(const Problem& p) {
  if (fork() == 0) {
    setsid();
    if (fork() == 0) sleep(3600);
    _exit(0);
  }
  honest(p);
}
