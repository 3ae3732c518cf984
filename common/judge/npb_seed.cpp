#include "common/judge/npb_seed.hpp"

#include "common/judge/plan.hpp"

namespace ladder::npb {
namespace {

State fresh_seed(Random& random) {
  return (random.bits() & mask) | 1;
}

}  // namespace

const char* seed_text(Seed seed) {
  switch (seed) {
    case Seed::official:
      return ", NPB's seed";
    case Seed::smallest:
      return ", seed 1";
    case Seed::largest:
      return ", seed 2^46 - 1";
    default:
      return "";
  }
}

State seed_of(Seed seed, State official, bool large, Random& random) {
  switch (seed) {
    case Seed::official:
      return official;
    case Seed::smallest:
      return 1;
    case Seed::largest:
      return mask;
    case Seed::timed: {
      // Two seeds, so that a reference is made twice and not for every call.
      Random of_plan(plan().seed + 5);
      return random.below(2) == 0 || large ? official : fresh_seed(of_plan);
    }
    default:
      return fresh_seed(random);
  }
}

}  // namespace ladder::npb
