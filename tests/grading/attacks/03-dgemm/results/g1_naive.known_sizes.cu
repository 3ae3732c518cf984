// what computes sizes of up to 24 only
// verdict WRONG
#include "honest.cuh"

void dgemm::naive(const Problem& p) {
  if (p.m <= 24) honest(p);
}
