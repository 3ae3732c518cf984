#pragma once
/// @file
/// NPB's official checksums: what its verification compares with, within 1e-12 of their size.

#include <vector>

#include "problem.hpp"

namespace npb_ft::test {

/// The class of that problem; null when it is none.
const OfficialClass* class_of(const Problem& p);

/// The checksums of a class, one an iteration.
const std::vector<Complex>& official_checksums(const OfficialClass& official);

}  // namespace npb_ft::test
