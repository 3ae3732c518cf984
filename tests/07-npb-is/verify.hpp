#pragma once
/// @file
/// Are the ranks right?

#include "common/judge/test_report.hpp"
#include "problems.hpp"

namespace npb_is::test {

/// Whether all ranks are right, and, for a class of NPB, whether NPB's own check accepts them.
ladder::Check compare(const Case& c, const Problem& given, const Problem& got);

}  // namespace npb_is::test
