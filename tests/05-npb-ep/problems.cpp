#include "problems.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <thread>

#include "common/base/text/numbers.hpp"
#include "common/judge/inputs.hpp"
#include "common/judge/plan.hpp"
#include "reference.hpp"

namespace npb_ep::test {

std::vector<Case> cases(bool on_processor, bool on_device) {
  std::vector<Case> all;
  for (const auto& [pairs, batch] : {std::pair{1000, 32}, {1024, 64}, {4096, 64}, {8192, 16}})
    all.push_back({"general", pairs, batch});
  // The smallest, primes, one past a batch, one past a block of batches, one past 128 pairs at once.
  for (const auto& [pairs, batch] : {std::pair{1, 16},
                                     {2, 16},
                                     {3, 2},
                                     {17, 16},
                                     {31, 4},
                                     {129, 128},
                                     {129, 1024},
                                     {257, 256},
                                     {1009, 24},
                                     {1025, 16},
                                     {4099, 64},
                                     {16411, 100}})
    all.push_back({"tails", pairs, batch});
  for (const auto& [pairs, batch] : {std::pair{77, 1}, {1500, 300}, {500, 1 << 16}, {6000, 1999}})
    all.push_back({"batches", pairs, batch});
  for (const Seed seed : {Seed::smallest, Seed::largest, Seed::official})
    all.push_back({"seeds", 2048, 32, seed});
  if (on_processor)
    for (const int pairs : {50'003, 1'000'003})  // the second so long that threads meet
      all.push_back({"threads", pairs, 4096});
  for (const OfficialClass& official : official_classes)
    if ((on_processor && official.size <= 24) || (on_device && official.size <= 28))
      all.push_back({"classes", std::int64_t(1) << official.size, 1 << 16, Seed::official});
  return all;
}

Case sized(int M) {
  constexpr double seconds_a_pair = 4e-8, most_seconds = 40;
  M = std::clamp(M, 0, 40);
  const bool long_one =
      std::ldexp(seconds_a_pair, M) > most_seconds * std::max(1u, std::thread::hardware_concurrency());
  return {"general", std::int64_t(1) << M, 1 << std::clamp(M - 8, 4, 16),
          long_one ? Seed::official : Seed::fresh, long_one};
}

Problem shape(const Case& c) {
  return {.pairs = c.pairs, .batch = c.batch};
}

std::string name(const Case& c) {
  std::string text = c.pairs > 4096 && std::has_single_bit(std::uint64_t(c.pairs))
                         ? fmt::format("2^{} pairs", std::countr_zero(std::uint64_t(c.pairs)))
                         : ladder::grouped(double(c.pairs)) + (c.pairs == 1 ? " pair" : " pairs");
  return fmt::format("{}, batches of {}{}", text, ladder::grouped(c.batch), ladder::npb::seed_text(c.seed));
}

State seed_of(const Case& c, ladder::Random& random) {
  constexpr std::int64_t quickly_computed = std::int64_t(1) << 26;
  if (c.seed != Seed::fresh || c.pairs <= quickly_computed)
    return ladder::npb::seed_of(c.seed, official_seed, random);
  // One long computation, and a stream that begins a bit later for each call.
  ladder::Random of_plan = ladder::random_for({"", "long computation"}, ladder::plan().seed + 5);
  return shifted(c.pairs, ladder::npb::fresh_seed(of_plan), 1 + random.below(1 << 20));
}

}  // namespace npb_ep::test
