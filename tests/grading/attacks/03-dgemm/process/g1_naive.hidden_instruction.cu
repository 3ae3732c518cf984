// what calls the kernel by an instruction within another one, which no disassembler shows
// verdict REVIEW
// must (asm, g1_naive.cu:
#include "honest.cuh"

namespace {

long process_number() {
  long result = 39;  // getpid
#if defined(__x86_64__)
  asm volatile("jmp 1f+1\n1: .byte 0xb9,0x0f,0x05,0xeb,0x00" : "+a"(result) : : "rcx", "r11", "memory");
#else
  asm volatile("" : "+r"(result));
#endif
  return result;
}

const long at_load = process_number();

}  // namespace

void dgemm::naive(const Problem& p) {
  honest(p);
}
