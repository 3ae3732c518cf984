// what includes files of root's, so that the compiler quotes them
// verdict BUILD ERROR
// must BUILD ERROR
// not root:
#include "/etc/shadow"
#include "@SECRET@"
#include "@OTHER@"
#include "honest.cuh"

void dgemm::naive(const Problem& p) {
  honest(p);
}
