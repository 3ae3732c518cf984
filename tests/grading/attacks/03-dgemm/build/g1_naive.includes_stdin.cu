// what includes standard input
// verdict REVIEW
// must (#include /dev/stdin
#include "/dev/stdin"
#include "honest.cuh"

void dgemm::naive(const Problem& p) {
  static_cast<void>(p);
}
