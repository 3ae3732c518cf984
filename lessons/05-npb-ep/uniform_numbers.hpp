#pragma once
/// @file
/// The stream of NPB's uniform numbers, by the names that the rungs use.

#include "common/npb/generator.hpp"

namespace npb_ep {

using ladder::npb::mask;
using ladder::npb::multiplier;
using ladder::npb::scale;
using ladder::npb::State;
constexpr State official_seed = 271828183;  ///< NPB's, for its classes

}  // namespace npb_ep
