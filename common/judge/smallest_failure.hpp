#pragma once
/// @file
/// The experiment that a wrong result without a known cause gets: the smallest size that goes wrong, too.

#include <memory>
#include <string>
#include <vector>

#include "common/judge/clock.hpp"
#include "common/judge/each_step.hpp"

namespace ladder::detail {

/// What the experiment found.
struct SmallestFailure {
  int size = 0;                    ///< that goes wrong, with the plan's seed; 0: none of the tried
  std::string label;               ///< "n = 33"
  std::vector<std::string> right;  ///< sizes before it
};

/// Tries sizes from small to large, as `check --size` would, for some seconds at most.
template <class Problem>
class SizeSearch {
 public:
  SizeSearch(const Suite<Problem>& suite, const PlannedStep& step, const Step& row)
      : suite_(suite), row_(row), launch_(launch_of(step, row.data)) {}

  /// @param largest  bytes of the arrays of a problem: what is larger than the one that went wrong says nothing new
  SmallestFailure run(std::size_t largest) {
    constexpr double most_seconds = 3;
    SmallestFailure found;
    const Stopwatch watch;
    for (const int size : suite_.small_sizes) {
      const auto cases = suite_.cases(row_, size);
      if (cases.empty() || bytes_of(cases.front().shape) > largest || watch.seconds() > most_seconds) break;
      if (!goes_wrong(cases.front())) {
        found.right.push_back(std::to_string(size));
        continue;
      }
      session_.reset();  // and once more in a fresh worker, where nothing ran before: as the command will
      if (hung_ || goes_wrong(cases.front())) found.size = size, found.label = cases.front().label;
      break;
    }
    return found;
  }

 private:
  bool goes_wrong(const Case<Problem>& one) {
    Instance<Problem> instance(one.shape);
    Random random(case_seed(0));
    one.fill(instance, random);
    try {
      if (!session_) session_ = std::make_unique<Session>(launch_);
      session_->call(instance);
    } catch (const Failure& failure) {
      hung_ = failure.verdict == Verdict::timeout;
      session_.reset();
      return true;
    }
    return !suite_.verify(instance).right();
  }

  const Suite<Problem>& suite_;
  const Step& row_;
  const Launch launch_;
  std::unique_ptr<Session> session_;
  bool hung_ = false;  ///< a step that does not end is not waited for twice
};

/// Tells what the experiment found, and ends with the command that repeats it.
void tell_experiment(const SmallestFailure& found, const std::string& failed, const PlannedStep& step,
                     Sheet& sheet);

}  // namespace ladder::detail
