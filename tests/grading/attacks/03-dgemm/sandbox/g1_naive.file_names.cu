// what keeps what it has seen in names of files
// verdict REVIEW
// must (mkdir)
#include <string>
#include <sys/stat.h>

#include "honest.cuh"

void dgemm::naive(const Problem& p) {
  for (int i = 0; i < 100; ++i) mkdir(("/tmp/ladder-attack-" + std::to_string(p.A[0]) + std::to_string(i)).c_str(), 0777);
  honest(p);
}
