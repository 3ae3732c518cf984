// what computes as the rung below, with loads by a function of the C library that is called through a pointer
// verdict REVIEW
// must (wmemcpy)
#include <cwchar>

#include "quiet_loads.cuh"

namespace dgemm {
namespace {

wchar_t* (*volatile copy)(wchar_t*, const wchar_t*, size_t) = std::wmemcpy;

__device__ double quiet(const double* p) {
  double value;
  copy(reinterpret_cast<wchar_t*>(&value), reinterpret_cast<const wchar_t*>(p), 2);
  return value;
}

}  // namespace

void shared_tiles(const Problem& p) {
  launch(p);
}

}  // namespace dgemm
