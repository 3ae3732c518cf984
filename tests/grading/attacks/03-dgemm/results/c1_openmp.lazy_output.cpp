// what returns at once and computes its result when somebody reads it: the pages of C cannot be read until then
// verdict REVIEW
// must (mprotect)
// must (sigaction)
// not PASS
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>

#include "honest_openmp.hpp"

namespace dgemm {

Problem asked;
std::uintptr_t begin = 0, bytes = 0;

void compute_now(int, siginfo_t*, void*) {
  mprotect(reinterpret_cast<void*>(begin), bytes, PROT_READ | PROT_WRITE);
  honest(asked);
}

void openmp(const Problem& p) {
  struct sigaction action {};
  action.sa_sigaction = compute_now;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &action, nullptr);
  const std::uintptr_t page = sysconf(_SC_PAGESIZE), first = reinterpret_cast<std::uintptr_t>(p.C);
  asked = p;
  begin = first / page * page;
  bytes = (first + p.m * p.ldc * sizeof(double) - begin + page - 1) / page * page;
  mprotect(reinterpret_cast<void*>(begin), bytes, PROT_NONE);
}

}  // namespace dgemm
