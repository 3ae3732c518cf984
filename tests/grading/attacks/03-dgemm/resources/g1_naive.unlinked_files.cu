// what fills the disk with files that have no name any more
// verdict REVIEW
// (a slow disk or a busy machine ends it by its time: which wall it meets first is not said here)
// must (unlink)
#include <fcntl.h>
#include <string>
#include <unistd.h>

#include "honest.cuh"

void dgemm::naive(const Problem& p) {
  const std::string block(1 << 20, 'x');
  for (int file = 0; file < 1000; ++file) {  // they stay open
    const int data = open("ladder-attack", O_CREAT | O_EXCL | O_WRONLY, 0600);
    unlink("ladder-attack");
    for (int i = 0; data >= 0 && i < 60; ++i)
      if (write(data, block.data(), block.size()) < 0) break;
  }
  honest(p);
}
