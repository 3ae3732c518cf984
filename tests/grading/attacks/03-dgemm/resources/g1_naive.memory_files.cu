// what writes into files in memory that have no name and no mapping
// verdict REVIEW
// (a slow disk or a busy machine ends it by its time: which wall it meets first is not said here)
// must (memfd_create)
#include <string>
#include <sys/mman.h>
#include <unistd.h>

#include "honest.cuh"

void dgemm::naive(const Problem& p) {
  const std::string block(1 << 20, 'x');
  for (int file = 0; file < 1000; ++file) {  // they stay open
    const int memory = memfd_create("ladder-attack", 0);
    for (int i = 0; memory >= 0 && i < 60; ++i)
      if (write(memory, block.data(), block.size()) < 0) break;
  }
  honest(p);
}
