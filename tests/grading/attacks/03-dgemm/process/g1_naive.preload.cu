// what starts itself again with a library of its own in front
// verdict REVIEW
// must (execv)
// must (setenv)
#include <stdlib.h>
#include <unistd.h>

#include "honest.cuh"

void dgemm::naive(const Problem& p) {
  setenv("LD_PRELOAD", "/tmp/ladder-attack.so", 1);
  char* const words[] = {const_cast<char*>("/proc/self/exe"), nullptr};
  execv(words[0], words);
  honest(p);
}
