#include "common/judge/earlier_verdicts.hpp"

#include <map>
#include <set>
#include <utility>

namespace ladder {
namespace {

using Key = std::pair<std::string, std::string>;

Key key_of(const PlannedStep& step) {
  return {step.label(), step.backend};
}

/// Those that another judge has seen, to begin with.
std::map<Key, Earlier> failures_in_plan() {
  std::map<Key, Earlier> all;
  for (const PlannedStep& step : plan().steps)
    if (step.failed && step.failed->verdict >= Verdict::not_started) all.emplace(key_of(step), *step.failed);
  return all;
}

std::map<Key, Earlier>& failures() {
  static std::map<Key, Earlier> all = failures_in_plan();
  return all;
}

std::set<Key>& right_ones() {
  static std::set<Key> all;
  return all;
}

std::set<Key>& wrong_at_targets() {
  static std::set<Key> all;
  return all;
}

}  // namespace

void remember_wrong_target(const PlannedStep& step) {
  wrong_at_targets().insert(key_of(step));
}

bool was_wrong_at_target(const PlannedStep& step) {
  return passed_earlier(step) && wrong_at_targets().count(key_of(step)) > 0;
}

void remember(const PlannedStep& step, TestKind kind, Verdict verdict, const std::string& message) {
  if (kind == TestKind::correctness && verdict == Verdict::pass) right_ones().insert(key_of(step));
  if (verdict >= Verdict::not_started) failures().emplace(key_of(step), Earlier{verdict, message});
}

bool passed_earlier(const PlannedStep& step) {
  return right_ones().count(key_of(step)) > 0;
}

const Earlier* failed_earlier(const PlannedStep& step) {
  const auto found = failures().find(key_of(step));
  return found == failures().end() ? nullptr : &found->second;
}

}  // namespace ladder
