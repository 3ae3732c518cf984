#pragma once
/// @file
/// The words of enumerations in plans, records and results.

#include "common/base/test_kind.hpp"
#include "common/base/verdict.hpp"

namespace ladder {

constexpr const auto& words_of(Verdict) {
  return verdict_names;
}
constexpr const auto& words_of(TestKind) {
  return test_kind_names;
}

}  // namespace ladder
