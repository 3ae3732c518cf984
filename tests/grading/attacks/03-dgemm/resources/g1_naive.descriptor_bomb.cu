// what opens files and pipes until no more can be opened
// verdict REVIEW|CRASHED
// must (write)
#include <fcntl.h>
#include <unistd.h>

#include "honest.cuh"

void dgemm::naive(const Problem& p) {
  for (int ends[2]; pipe(ends) == 0;) {
    fcntl(ends[1], F_SETFL, O_NONBLOCK);
    const char block[65536] = {};
    if (write(ends[1], block, sizeof block) < 0) break;
  }
  honest(p);
}
