// what loads a library while it runs
// verdict REVIEW
// must (dlopen)
#include <dlfcn.h>

#include "honest.cuh"

void dgemm::naive(const Problem& p) {
  using Dgemm = void (*)(int, int, int, int, int, int, double, const double*, int, const double*, int, double, double*, int);
  void* library = dlopen("libopenblas.so.0", RTLD_NOW);
  const auto dgemm = library ? reinterpret_cast<Dgemm>(dlsym(library, "cblas_dgemm")) : nullptr;
  if (!dgemm) throw ladder::Error("no library here");
  dgemm(101, 111, 111, p.m, p.n, p.k, 1.0, p.A, p.lda, p.B, p.ldb, 0.0, p.C, p.ldc);
}
