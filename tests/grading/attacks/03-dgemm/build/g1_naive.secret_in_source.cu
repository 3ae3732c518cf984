// what asks the assembler for a file of root's
// verdict BUILD ERROR
// must BUILD ERROR
#include "honest.cuh"

asm("secret: .incbin \"@SECRET@\"");

void dgemm::naive(const Problem& p) {
  honest(p);
}
