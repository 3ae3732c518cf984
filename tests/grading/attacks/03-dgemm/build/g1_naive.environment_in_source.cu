// what asks the assembler for the compiler's environment, and shows it
// verdict BUILD ERROR
// mode bwrap REVIEW
// not CANARY
#include <string>

#include "honest.cuh"

asm(".pushsection .rodata\n.globl secret\nsecret: .incbin \"/proc/self/environ\"\n.globl secret_end\nsecret_end: .byte 0\n.popsection");
extern "C" const char secret[], secret_end[];

void dgemm::naive(const Problem& p) {
  throw ladder::Error("the environment: " + std::string(secret, size_t(secret_end - secret)));
}
