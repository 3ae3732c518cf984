#pragma once
/// @file
/// Where the numbers of each call come from: from the plan's seed, or from its key, without which nobody can
/// compute them.

#include <cstdint>
#include <string>

#include "common/base/random.hpp"
#include "common/judge/plan.hpp"

namespace ladder {

/// What numbers are for. With a key, each of these has numbers of its own.
struct Purpose {
  std::string step;  ///< empty: of all steps of a race
  std::string kind;  ///< kind of test, and what it draws them for
  std::uint64_t index = 0, turn = 0;
};

/// Numbers of the plan's key for a purpose.
/// @param seed  what they come from in a plan without a key
Random random_for(const Purpose& purpose, std::uint64_t seed);

/// The numbers of a key: ChaCha20 under a keyed BLAKE2b of the lesson and the purpose.
/// @param key  64 hexadecimal digits
/// @throws Error
Random keyed_random(const std::string& key, const std::string& lesson, const Purpose& purpose);

}  // namespace ladder
