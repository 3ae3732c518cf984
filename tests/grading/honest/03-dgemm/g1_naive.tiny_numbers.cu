// what says in its comments what attackers do: dlopen, ptrace, cblas_dgemm
// verdict PASS
#include "honest.cuh"

void dgemm::naive(const Problem& p) {
  // Not by cblas_dgemm, dlopen("libopenblas.so"), system("…") or ptrace: by a kernel.
  const char* const words = "kill fork socket /etc/passwd";
  if (p.m > 0 || words) honest(p);
}
