#pragma once
/// @file
/// The kind of test that compares times.

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "common/judge/each_step.hpp"
#include "common/judge/time_rules.hpp"

namespace ladder {
namespace detail {

/// A problem of one size for each contender.
template <class Problem>
class Race {
 public:
  Race(const Suite<Problem>& suite, const Step& row, int size, std::vector<Contender>& contenders)
      : suite_(suite), contenders_(contenders), one_(suite.sized(row, size)) {
    for (std::size_t i = 0; i < contenders.size(); ++i)
      instances_.push_back(std::make_unique<Instance<Problem>>(one_.shape));
  }

  /// Fresh content each time, and every result is looked at.
  Outcome call(std::size_t i) {
    Random random(case_seed(++turn_, 31));
    one_.fill(*instances_[i], random);
    Outcome outcome = alone(i);
    const Check check = suite_.verify_quickly(*instances_[i], random);
    if (!check.right())
      throw Failure{Verdict::wrong, contenders_[i].name + " at " + one_.label + ": " + check.wrong, {}};
    return outcome;
  }

  /// The step's last call once more, with the same content.
  double call_again() { return alone(0).seconds; }

  const Problem& shape() const { return one_.shape; }

 private:
  /// A call while all others stand still.
  Outcome alone(std::size_t i) {
    for (std::size_t other = 0; other < contenders_.size(); ++other)
      if (other != i) contenders_[other].session->pause();
    return contenders_[i].session->call(*instances_[i]);
  }

  const Suite<Problem>& suite_;
  std::vector<Contender>& contenders_;
  Case<Problem> one_;
  std::vector<std::unique_ptr<Instance<Problem>>> instances_;
  std::uint64_t turn_ = 0;
};

/// The largest size to choose from that fits the time and the memory; the row's where none does.
template <class Problem>
int largest_size(const Suite<Problem>& suite, const Step& row, int size, std::vector<Contender>& contenders,
                 Sheet& sheet) {
  std::vector<int> sizes = suite.larger;
  if constexpr (requires { Problem::classes; })
    for (const auto& one : Problem::classes) sizes.push_back(one.size);
  if (plan().size > 0 || !suite.work || sizes.empty()) return size;
  Race<Problem> race(suite, row, size, contenders);
  warm_up(
      contenders, [&](std::size_t i) { return race.call(i); }, sheet);
  int largest = size;
  for (const int other : sizes)
    if (other > largest && fits_time(contenders, row, suite.work(other) / suite.work(size)) &&
        fits_memory(bytes_of(suite.sized(row, other).shape), contenders.size()))
      largest = other;
  return largest;
}

/// "class A", for a size that has a name.
template <class Problem>
std::string name_of_size(int size) {
  if constexpr (requires { Problem::classes; })
    for (const auto& one : Problem::classes)
      if (one.size == size) return std::string("class ") + one.name;
  return "";
}

}  // namespace detail

/// How long does it take, beside the baseline, the library and the step below, all in this session?
template <class Problem>
void judge_time(const Suite<Problem>& suite) {
  detail::for_each_step(suite.lesson, "time", [&](const PlannedStep& step, const Step& row, Sheet& sheet) {
    std::vector<Contender> contenders = contenders_of(step, row);
    // On the executor all rungs have the same small size: its times are only shown.
    const int usual = time_size(step, row);
    const int size =
        step.backend == "executor" ? usual : detail::largest_size(suite, row, usual, contenders, sheet);
    detail::Race<Problem> race(suite, row, size, contenders);
    TimeResult result = measure_times(
        contenders, row, [&](std::size_t i) { return race.call(i); }, sheet);
    result.problem = suite.size_of(race.shape());
    result.size_name = detail::name_of_size<Problem>(size);
    sheet.set(result);
    // The executor's times say nothing about a GPU: shown, never judged. Nor do its joules.
    if (step.backend == "executor") return;
    judge_time_bound(result, row, sheet);
    judge_late_work(result, sheet);
    // The content of the last call once more: to fill arrays anew would be in the joules.
    sheet.set(measure_energy(energy_meter_of(step), [&] { return race.call_again(); }));
  });
}

}  // namespace ladder
