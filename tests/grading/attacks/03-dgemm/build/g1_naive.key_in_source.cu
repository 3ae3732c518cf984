// what asks the assembler for the class key
// verdict BUILD ERROR
// must BUILD ERROR
#include "honest.cuh"

asm("secret: .incbin \"@KEY@\"");

void dgemm::naive(const Problem& p) {
  honest(p);
}
