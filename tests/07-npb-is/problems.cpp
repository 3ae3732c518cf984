#include "problems.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "common/base/parallel.hpp"
#include "common/base/text/numbers.hpp"
#include "common/npb/generator.hpp"
#include "common/npb/jump.hpp"
#include "common/npb/seed.hpp"

namespace npb_is::test {
namespace {

using ladder::npb::State;

constexpr State official_seed = 314159265;

/// Each key is made from four numbers of the stream. Their sum is exact: 48 bits.
void make_keys(State seed, int bins, std::int64_t n, int* keys) {  // n
  constexpr std::size_t keys_per_thread = 1 << 20;
  ladder::in_parts(n, keys_per_thread, [&](std::size_t, std::size_t first, std::size_t last) {
    State state = seed * ladder::npb::power(4 * first) & ladder::npb::mask;
    for (std::size_t i = first; i < last; ++i) {
      State sum = 0;
      for (int number = 0; number < 4; ++number)
        sum += state = state * ladder::npb::multiplier & ladder::npb::mask;
      keys[i] = int(bins / 4.0 * (ladder::npb::scale * double(sum)));
    }
  });
}

}  // namespace

std::vector<Case> cases(bool on_processor, bool on_device) {
  std::vector<Case> all = {{"general", 1000, 64}, {"general", 4096, 256}, {"general", 16384, 250}};
  // The smallest, primes, one past a block of keys, one past a tile of bins.
  for (const auto& [n, bins] : {std::pair{1, 1},
                                {1, 17},
                                {2, 1},
                                {31, 7},
                                {257, 61},
                                {1009, 127},
                                {4097, 513},
                                {1025, 1025},
                                {8191, 2049},
                                {12289, 1}})
    all.push_back({"tails", n, bins});
  for (const auto& [n, bins] : {std::pair{5, 301}, {100, 4096}, {700, 5003}, {2000, 40'961}})
    all.push_back({"few keys", n, bins});
  if (on_device) all.push_back({"few keys", 1000, 20'000'003});  // low bits of more than 16 with few buckets
  // Few bins: on the executor a bucket costs a block of 1,024 threads.
  all.push_back({"equal keys", 3000, 70, Spread::equal});
  all.push_back({"equal keys", 8192, 128, Spread::equal});
  all.push_back({"ends", 3000, 70, Spread::ends});
  all.push_back({"ends", 8192, 128, Spread::ends});
  if (on_processor) all.push_back({"threads", 1'000'003, 40'009});  // so long that threads meet
  for (const OfficialClass& official : official_classes)
    for (const int iteration : {1, 10})
      if (official.size <= (on_device ? 27 : on_processor ? 20 : 16))
        all.push_back({"classes", std::int64_t(1) << official.size, 1 << official.key_bits, Spread::official,
                       iteration});
  return all;
}

Case sized(int size) {
  size = std::clamp(size, 0, 31);
  for (const OfficialClass& official : official_classes)
    if (size == official.size)
      return {"general", std::int64_t(1) << size, 1 << official.key_bits, Spread::official};
  return {"general", std::int64_t(1) << size, 1 << std::max(0, size - 4)};
}

Problem shape(const Case& c) {
  return {.n = c.n, .bins = c.bins};
}

std::string name(const Case& c) {
  const char* spread = c.spread == Spread::equal  ? ", all equal"
                       : c.spread == Spread::ends ? ", the smallest and the largest"
                                                  : "";
  const auto text = [](std::int64_t value) {
    return value > 4096 && std::has_single_bit(std::uint64_t(value))
               ? fmt::format("2^{}", std::countr_zero(std::uint64_t(value)))
               : ladder::grouped(double(value));
  };
  return fmt::format("{} key{} in {} bin{}{}{}", text(c.n), c.n == 1 ? "" : "s", text(c.bins),
                     c.bins == 1 ? "" : "s", spread,
                     c.spread == Spread::official ? fmt::format(", NPB's iteration {}", c.iteration) : "");
}

void fill(const Case& c, ladder::Random& random, const Problem& p) {
  int* keys = const_cast<int*>(p.keys);
  if (c.spread == Spread::equal) {
    std::fill(keys, keys + p.n, int(random.below(p.bins)));
  } else if (c.spread == Spread::ends) {
    for (std::int64_t i = 0; i < p.n; ++i) keys[i] = random.below(2) ? p.bins - 1 : 0;
  } else if (c.spread == Spread::normal) {
    make_keys(ladder::npb::fresh_seed(random), p.bins, p.n, keys);
  } else {
    make_keys(official_seed, p.bins, p.n, keys);
    for (int i = 1; i <= c.iteration && i + 10 < p.n; ++i) keys[i] = i, keys[i + 10] = p.bins - i;
  }
}

}  // namespace npb_is::test
