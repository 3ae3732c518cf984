#include "verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "common/base/parallel.hpp"
#include "common/base/text/numbers.hpp"

namespace npb_is::test {
namespace {

const OfficialClass* class_of(const Problem& p) {
  for (const OfficialClass& official : official_classes)
    if (p.n == std::int64_t(1) << official.size && p.bins == 1 << official.key_bits) return &official;
  return nullptr;
}

/// How many keys are equal to each of the bins.
std::vector<unsigned> counts_of(const Problem& p) {
  // So many that adding up a thread's counts is little of its work.
  const std::size_t keys_per_thread = std::max<std::size_t>(1 << 22, 4 * std::size_t(p.bins));
  std::vector<std::vector<unsigned>> counts(ladder::parts_of(p.n, keys_per_thread),
                                            std::vector<unsigned>(p.bins));
  ladder::in_parts(p.n, keys_per_thread, [&](std::size_t part, std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) ++counts[part][p.keys[i]];
  });
  for (std::size_t part = 1; part < counts.size(); ++part)
    std::ranges::transform(counts[part], counts[0], counts[0].begin(), std::plus<>());
  return std::move(counts[0]);
}

/// What NPB finds wrong; empty: nothing.
std::string partial_verification(const OfficialClass& official, int iteration, const Problem& given,
                                 const Problem& got) {
  for (int i = 0; i < 5; ++i) {
    const long long expected = official.test_rank[i] + official.sign[i] * (iteration - official.offset[i]);
    const int key = given.keys[official.test_index[i]];
    if (got.rank[key] != expected)
      return fmt::format("NPB's check of iteration {} fails: rank[{}] is {}, expected {}", iteration, key,
                         got.rank[key], expected);
  }
  return {};
}

/// What the wrong ranks have in common; empty: nothing that is known.
std::string pattern(const Problem& given, const Problem& got, const std::vector<unsigned>& count) {
  bool up_to = true, counts = true, ordered = true;
  unsigned smaller = 0;
  for (int k = 0; k < given.bins; ++k) {
    counts = counts && got.rank[k] == count[k];
    smaller += count[k];
    up_to = up_to && got.rank[k] == smaller;
    ordered = ordered && (k == 0 || got.rank[k - 1] <= got.rank[k]);
  }
  if (counts) return " Every rank is the number of keys equal to k: nothing was added up.";
  if (up_to) return " Every rank counts the keys equal to k, too.";
  const std::int64_t last = got.rank[given.bins - 1], expected = given.n - count[given.bins - 1];
  if (ordered && got.rank[0] == 0 && last < expected)
    return fmt::format(" The last rank is {} too small: keys were lost.",
                       ladder::grouped(double(expected - last)));
  if (ordered && got.rank[0] == 0 && last > expected)
    return fmt::format(" The last rank is {} too large: keys were counted twice, or keys that there are not.",
                       ladder::grouped(double(last - expected)));
  if (got.rank[0] != 0) return " rank[0] is not 0, although no key is smaller than 0.";
  return {};
}

}  // namespace

ladder::Check compare(const Case& c, const Problem& given, const Problem& got) {
  ladder::Check check{.measure = "wrong ranks", .bound = 0};
  const std::vector<unsigned> count = counts_of(given);
  unsigned smaller = 0;
  int wrong = 0;
  for (int k = 0; k < given.bins; smaller += count[k], ++k)
    if (got.rank[k] != smaller && wrong++ == 0)
      check.wrong = fmt::format("rank[{}] is {}, expected {}", k, got.rank[k], smaller);
  check.error = wrong;
  if (wrong > 0)
    check.wrong = fmt::format("{} of {} ranks are wrong. The first: {}.{}", ladder::grouped(double(wrong)),
                              ladder::grouped(double(given.bins)), check.wrong, pattern(given, got, count));
  const OfficialClass* official = class_of(given);
  if (wrong == 0 && c.spread == Spread::official && official != nullptr)
    check.wrong = partial_verification(*official, c.iteration, given, got);
  return check;
}

}  // namespace npb_is::test
