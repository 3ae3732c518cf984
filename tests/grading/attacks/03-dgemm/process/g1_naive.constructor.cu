// what ends with success in a constructor function, by an instruction
// verdict REVIEW
// must calls the kernel without the C library
// must CRASHED
#include "honest.cuh"

__attribute__((constructor)) static void before() {
  asm volatile("syscall" : : "a"(231), "D"(0) : "rcx", "r11", "memory");
}

void dgemm::naive(const Problem& p) {
  honest(p);
}
