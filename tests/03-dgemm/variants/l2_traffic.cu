/// @file
/// g1 and g2 for a profiler, each twice: the second launch of each finds in L2 what the first left there. On
/// a GPU only.

#include "common/device/cuda.hpp"
#include "problem.hpp"

#if __has_include("solutions/03-dgemm/g1_naive.cu")
#include "solutions/03-dgemm/g1_naive.cu"
#include "solutions/03-dgemm/g2_shared_tiles.cu"
#else
namespace dgemm {
void naive(const Problem&) {
  throw ladder::Error("this needs the solutions of g1 and g2");
}
void shared_tiles(const Problem&) {}
}  // namespace dgemm
#endif

namespace dgemm {

/// C = A B by g1, g1, g2 and g2.
void library(const Problem& p) {
  for (const auto step : {naive, naive, shared_tiles, shared_tiles}) step(p);
}

}  // namespace dgemm
