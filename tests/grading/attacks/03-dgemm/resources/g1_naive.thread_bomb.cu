// what starts threads that never end until no more can be started
// verdict CRASHED
// must n = 
#include <thread>
#include <unistd.h>

#include "honest.cuh"

void dgemm::naive(const Problem& p) {
  for (int i = 0; i < 100000; ++i) std::thread([] { for (;;) sleep(1000); }).detach();
  honest(p);
}
