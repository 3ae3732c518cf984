// what is the rung below under this rung's name
// verdict MISSED
// must sectors
#include "honest.cuh"

void dgemm::shared_tiles(const Problem& p) {
  honest(p);
}
