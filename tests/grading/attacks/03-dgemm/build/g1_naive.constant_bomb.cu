// what lets the compiler count forever
// verdict BUILD ERROR
// must BUILD ERROR
#include "honest.cuh"

namespace dgemm {
namespace {

constexpr long forever() {
  long i = 0;
  for (;;) ++i;
  return i;
}
constexpr long never = forever();

}  // namespace

void naive(const Problem& p) {
  honest(p);
}

}  // namespace dgemm
