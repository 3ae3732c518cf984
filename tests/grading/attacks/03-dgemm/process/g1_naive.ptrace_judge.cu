// what attaches to its judge as a debugger
// verdict REVIEW
// must reaches for other processes (ptrace)
#include <sys/ptrace.h>
#include <unistd.h>

#include "honest.cuh"

void dgemm::naive(const Problem& p) {
  ptrace(PTRACE_ATTACH, getppid(), nullptr, nullptr);
  honest(p);
}
