// what returns at once; a thread writes the result later
// verdict WRONG
// must C
#include <chrono>
#include <thread>

#include "honest.cuh"

void dgemm::naive(const Problem& p) {
  std::thread([p] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    honest(p);
  }).detach();
}
