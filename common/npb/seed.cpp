#include "common/npb/seed.hpp"

namespace ladder::npb {

State fresh_seed(Random& random) {
  return (random.bits() & mask) | 1;
}

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

State seed_of(Seed seed, State official, Random& random) {
  switch (seed) {
    case Seed::official:
      return official;
    case Seed::smallest:
      return 1;
    case Seed::largest:
      return mask;
    default:
      return fresh_seed(random);
  }
}

}  // namespace ladder::npb
