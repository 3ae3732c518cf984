// what raises its own limits
// verdict REVIEW
// must (setrlimit)
#include <sys/resource.h>

#include "honest.cuh"

void dgemm::naive(const Problem& p) {
  const rlimit none{RLIM_INFINITY, RLIM_INFINITY};
  for (const int what : {RLIMIT_CPU, RLIMIT_NPROC, RLIMIT_FSIZE, RLIMIT_DATA}) setrlimit(static_cast<__rlimit_resource_t>(what), &none);
  honest(p);
}
