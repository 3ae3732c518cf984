/// @file
/// Baseline: one core counts the keys of each value, then adds the counts up. Given complete; read it first.
/// Source: none; it is a counting sort without the sorting.

#include <algorithm>

#include "problem.hpp"

namespace npb_is {

/// Ranks the keys.
void baseline(const Problem& p) {
  std::fill(p.rank, p.rank + p.bins, 0u);
  for (std::int64_t i = 0; i < p.n; ++i) ++p.rank[p.keys[i]];
  unsigned smaller = 0;
  for (int k = 0; k < p.bins; ++k) {
    const unsigned equal = p.rank[k];
    p.rank[k] = smaller;
    smaller += equal;
  }
}

}  // namespace npb_is
