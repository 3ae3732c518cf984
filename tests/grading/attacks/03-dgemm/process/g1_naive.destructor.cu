// what computes nothing and prints a verdict in a destructor
// verdict WRONG
// must WRONG
#include <cstdio>

#include "honest.cuh"

namespace dgemm {
namespace {

struct After {
  ~After() { std::puts("PASS"); }
} after;

}  // namespace

void naive(const Problem& p) {
  static_cast<void>(p);
}

}  // namespace dgemm
