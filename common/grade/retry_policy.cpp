#include "common/grade/retry_policy.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace ladder::grade {
namespace {

using model::GradedResult;

/// Of a step that is right, and whose numbers may come out otherwise in the next run.
bool is_of_a_clock(Verdict verdict) {
  return verdict == Verdict::pass || verdict == Verdict::missed || verdict == Verdict::inconclusive;
}

std::string names_of(const std::vector<Verdict>& runs) {
  std::vector<std::string_view> names;
  for (const Verdict one : runs) names.push_back(name(one));
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

bool fails(Verdict verdict) {
  return verdict == Verdict::wrong || verdict == Verdict::crashed || verdict == Verdict::timeout;
}

std::optional<Verdict> verdict_of(const std::vector<Verdict>& runs) {
  const Verdict last = runs.back();
  if (!fails(last)) return runs.size() == 1 ? last : Verdict::review;
  if (std::count(runs.begin(), runs.end(), last) > 1) return last;
  if (runs.size() < max_runs) return std::nullopt;
  return Verdict::review;
}

GradedResult judge_with_retries(const std::function<GradedResult(bool hung)>& run,
                                const std::function<GradedResult()>& right_again) {
  GradedResult result = run(false);
  std::vector<Verdict> runs{result.verdict};
  while (result.verdict == Verdict::inconclusive && runs.size() < max_runs) {
    GradedResult again = run(false);
    runs.push_back(again.verdict);
    if (!is_of_a_clock(runs.back()) || again.points.value_or(0) >= result.points.value_or(0))
      result = std::move(again);
  }
  std::optional<GradedResult> failed;
  if (fails(result.verdict)) failed = result;
  if (right_again && is_of_a_clock(result.verdict)) {
    std::vector<Verdict> repeats;
    while (!failed && repeats.size() + 1 < max_runs) {
      GradedResult again = right_again();
      if (again.verdict == Verdict::not_run) return again;
      repeats.push_back(again.verdict);
      if (!is_of_a_clock(repeats.back())) failed = std::move(again);
    }
    if (!failed)
      result.right_runs = static_cast<int>(max_runs);
    else
      runs.insert(runs.end(), repeats.begin(), repeats.end());
  }
  if (failed) {
    std::optional<Verdict> verdict;
    while (!(verdict = verdict_of(runs))) {
      GradedResult again = run(runs.back() == Verdict::timeout);
      if (again.verdict == Verdict::not_run) return again;
      runs.push_back(again.verdict);
      if (runs.back() != result.verdict) result = std::move(again);
    }
    if (result.verdict != *verdict) {
      result.verdict = *verdict;
      result.message =
          fmt::format("its runs differ: {}. {}: {}", names_of(runs), name(failed->verdict), failed->message);
    }
  }
  result.runs = runs;
  return result;
}

std::string where_devices_differ(const model::Judgement& first, const model::Judgement& second) {
  if (first.device == second.device) return "";
  const Verdict one = first.verdict, other = second.verdict;
  if (!(fails(one) && is_of_a_clock(other)) && !(is_of_a_clock(one) && fails(other))) return "";
  return fmt::format("devices differ. {}: {}: {}. {}: {}: {}", first.device, name(one), first.message,
                     second.device, name(other), second.message);
}

}  // namespace ladder::grade
