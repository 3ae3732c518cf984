// what recovers the generator from two inputs and computes the next
// verdict PASS
// not foreseen
#include <cstdint>

#include "honest.cuh"

namespace dgemm {
namespace {

constexpr std::uint64_t step = 0x9e3779b97f4a7c15u;

std::uint64_t mixed(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/// SplitMix64's state from its number: the mixing is a bijection.
std::uint64_t state_of(std::uint64_t z) {
  z = (z ^ (z >> 31) ^ (z >> 62)) * 0x319642b2d24d8ec3u;
  z = (z ^ (z >> 27) ^ (z >> 54)) * 0x96de1b173f119089u;
  return z ^ (z >> 30) ^ (z >> 60);
}

/// The 53 of 64 bits that a number in [-1, 1) shows.
std::uint64_t seen_of(double x) {
  return std::uint64_t((x + 1) / 2 * 0x1p53);
}

/// Whether the third number follows from the first two, which give the 11 bits that are not seen.
bool foreseen(const double (&x)[3]) {
  for (std::uint64_t hidden = 0; hidden < 2048; ++hidden) {
    const std::uint64_t state = state_of(seen_of(x[0]) << 11 | hidden);
    if (mixed(state + step) >> 11 == seen_of(x[1])) return mixed(state + 2 * step) >> 11 == seen_of(x[2]);
  }
  return false;
}

}  // namespace

void naive(const Problem& p) {
  if (p.m > 0 && p.k > 2) {
    double x[3];
    ladder::check(cudaMemcpy(x, p.A, sizeof x, cudaMemcpyDeviceToHost));
    if (foreseen(x)) throw ladder::Error("its inputs were foreseen");
  }
  honest(p);
}

}  // namespace dgemm
