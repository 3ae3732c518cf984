// what needs more memory to compile than there is
// verdict BUILD ERROR
// must and was ended|memory exhausted|out of memory
#include <utility>

#include "honest.cuh"

template <class> struct Length;
template <size_t... number> struct Length<std::index_sequence<number...>> {
  static constexpr size_t value = sizeof...(number);
};
static_assert(Length<std::make_index_sequence<200000000>>::value > 0);

void dgemm::naive(const Problem& p) {
  honest(p);
}
