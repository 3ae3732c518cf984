#include "common/grade/runs.hpp"

#include <algorithm>

namespace ladder::grade {
namespace {

bool fails(const std::string& verdict) {
  return verdict == "WRONG" || verdict == "CRASHED" || verdict == "TIMEOUT";
}

}  // namespace

std::string verdict_of(const std::vector<std::string>& runs) {
  const std::string& last = runs.back();
  if (!fails(last)) return runs.size() == 1 ? last : "REVIEW";
  if (std::count(runs.begin(), runs.end(), last) > 1) return last;
  return runs.size() < most_runs ? "" : "REVIEW";
}

}  // namespace ladder::grade
