// what sends itself signals by a timer while it works
// verdict REVIEW
// must handles signals
#include <signal.h>
#include <sys/time.h>

#include "honest.cuh"

void dgemm::naive(const Problem& p) {
  signal(SIGALRM, [](int) { raise(SIGUSR1); });
  signal(SIGUSR1, SIG_IGN);
  const itimerval often{{0, 10}, {0, 10}};
  setitimer(ITIMER_REAL, &often, nullptr);
  honest(p);
}
