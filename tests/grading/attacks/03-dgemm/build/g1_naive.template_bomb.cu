// what has templates without end
// verdict BUILD ERROR
// must depth
#include "honest.cuh"

namespace dgemm {
namespace {

template <int n>
struct Deeper {
  static constexpr int value = Deeper<n + 1>::value + Deeper<n + 2>::value;
};
const int depth = Deeper<0>::value;

}  // namespace

void naive(const Problem& p) {
  honest(p);
}

}  // namespace dgemm
