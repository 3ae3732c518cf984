// what calls a library that does the work
// verdict REVIEW
// must cblas_dgemm
#include "honest.cuh"

extern "C" void cblas_dgemm(int, int, int, int, int, int, double, const double*, int, const double*, int, double, double*, int);

void dgemm::naive(const Problem& p) {
  cblas_dgemm(101, 111, 111, p.m, p.n, p.k, 1.0, p.A, p.lda, p.B, p.ldb, 0.0, p.C, p.ldc);
}
