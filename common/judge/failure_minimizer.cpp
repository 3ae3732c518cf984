#include "common/judge/failure_minimizer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include "common/base/clock.hpp"

namespace ladder::detail {
namespace {

/// Tries sizes from small to large, as `check --size` would, for some seconds at most.
class SizeSearch {
 public:
  SizeSearch(const Judged& suite, const PlannedStep& step, const Step& row)
      : suite_(suite), step_(step), row_(row), launch_(launch_of(step, row.data)) {}

  /// @param largest  bytes of the arrays of a problem: larger problems than the one that went wrong say
  /// nothing new
  MinimizedFailure run(std::size_t largest) {
    constexpr double most_seconds = 3;
    MinimizedFailure found;
    const Stopwatch watch;
    for (const int size : suite_.small_sizes) {
      const auto cases = suite_.cases(row_, size);
      if (cases.empty() || cases.front().shape.bytes() > largest || watch.seconds() > most_seconds) break;
      if (!goes_wrong(cases.front())) {
        found.right.push_back(std::to_string(size));
        continue;
      }
      session_.reset();  // and once more in a fresh worker, as the suggested command will run it
      if (hung_ || goes_wrong(cases.front())) found.size = size, found.label = cases.front().label;
      break;
    }
    return found;
  }

 private:
  bool goes_wrong(const Case& one) {
    AnyInstance instance(one.shape);
    Random random = random_of_case(step_.step, 0);
    one.fill(instance, random);
    try {
      if (!session_) session_ = std::make_unique<Session>(launch_);
      session_->call(instance);
    } catch (const Failure& failure) {
      hung_ = failure.verdict == Verdict::timeout;
      session_.reset();
      return true;
    }
    return !one.verify(instance).right();
  }

  const Judged& suite_;
  const PlannedStep& step_;
  const Step& row_;
  const Launch launch_;
  std::unique_ptr<Session> session_;
  bool hung_ = false;  ///< a step that does not return is not called again
};

}  // namespace

MinimizedFailure minimize_failure(const Judged& suite, const PlannedStep& step, const Step& row,
                                  std::size_t largest) {
  return SizeSearch(suite, step, row).run(largest);
}

void report_minimized(const MinimizedFailure& found, const std::string& failed, const PlannedStep& step,
                      TestReport& report) {
  const bool one = found.right.size() == 1;
  const std::string right =
      fmt::format("{} {} {} right", one ? "Size" : "Sizes", fmt::join(found.right, ", "), one ? "is" : "are");
  if (found.size > 0)
    report.detail("Experiment",
                  fmt::format("{} goes wrong, too{}.", found.label,
                              found.right.empty() ? ", and there is no smaller size" : ". " + right));
  else if (!found.right.empty())
    report.detail("Experiment",
                  fmt::format("{}, with ordinary content. How does {} differ from them?", right, failed));
  const std::string size = found.size > 0 ? fmt::format(" --size {}", found.size) : "";
  report.detail("Next", "again: " + again(step) + size);
}

}  // namespace ladder::detail
