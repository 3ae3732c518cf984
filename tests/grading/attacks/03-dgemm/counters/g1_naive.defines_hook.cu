// what defines the hooks of the executor that count
// verdict REVIEW
// must ladder_observe
#include "honest.cuh"

extern "C" void ladder_observe_begin() {}
extern "C" const char* ladder_observe_end(size_t* bytes) {
  *bytes = 2;
  return "{}";
}

void dgemm::naive(const Problem& p) {
  honest(p);
}
