#pragma once
/// @file
/// The stream of NPB's uniform numbers, by the names that the rungs use.

#include "common/npb/jump.hpp"

namespace npb_ft {

using ladder::npb::mask;
using ladder::npb::multiplier;
using ladder::npb::scale;
using ladder::npb::State;
constexpr State official_seed = 314159265;  ///< NPB's, for its classes

}  // namespace npb_ft
