#include "tail.hpp"

#include <algorithm>

namespace gauss::test {

double places_at_work(int n, int blocks, int resident) {
  if (n < 2 || blocks < 1 || resident < 1) return 0;
  double useful = 0, taken = 0;
  for (int i = 0; i + 1 < n; ++i) {
    const int rows = n - 1 - i;
    const double columns = n - i;  // b is one of them
    useful += rows * columns;
    // Of each wave its first block has the most rows.
    for (int first = 0; first < std::min(blocks, rows); first += resident)
      taken += ((rows - 1 - first) / blocks + 1) * columns;
  }
  return useful / (taken * resident);
}

std::vector<int> block_counts(int resident, int waves) {
  std::vector<int> counts;
  for (const int parts : {8, 4, 2}) counts.push_back(resident / parts);
  counts.push_back(resident * 3 / 4);
  for (int w = 1; w <= waves; ++w) {
    counts.push_back(w * resident);
    counts.push_back(w * resident + 1);
    if (w < waves)
      for (const int quarter : {1, 2, 3}) counts.push_back(w * resident + quarter * resident / 4);
  }
  std::sort(counts.begin(), counts.end());
  counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
  std::erase_if(counts, [](int count) { return count < 1; });
  return counts;
}

}  // namespace gauss::test
