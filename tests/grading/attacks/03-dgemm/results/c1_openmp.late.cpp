// what returns at once; a thread writes the result later
// verdict WRONG
#include <chrono>
#include <thread>

#include "honest_openmp.hpp"

void dgemm::openmp(const Problem& p) {
  std::thread([p] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    honest(p);
  }).detach();
}
