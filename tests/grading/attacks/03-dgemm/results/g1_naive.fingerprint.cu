// what keeps its results by the first numbers of its inputs; none comes twice
// verdict PASS
// not from before
#include <array>
#include <set>

#include "honest.cuh"

namespace dgemm {
namespace {

/// The first numbers of A and of B.
std::array<double, 4> fingerprint(const Problem& p) {
  std::array<double, 4> numbers{};
  ladder::check(cudaMemcpy(numbers.data(), p.A, 16, cudaMemcpyDeviceToHost));
  ladder::check(cudaMemcpy(numbers.data() + 2, p.B, 16, cudaMemcpyDeviceToHost));
  return numbers;
}

}  // namespace

void naive(const Problem& p) {
  static std::set<std::array<double, 4>> known;
  if (p.m > 0 && p.n > 1 && p.k > 1) {
    const auto numbers = fingerprint(p);
    bool ordinary = true;
    for (const double x : numbers) ordinary = ordinary && x == x && x - x == 0 && x != 0;
    if (ordinary && !known.insert(numbers).second) throw ladder::Error("its result is one from before");
  }
  honest(p);
}

}  // namespace dgemm
