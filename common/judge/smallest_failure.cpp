#include "common/judge/smallest_failure.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ladder::detail {

void tell_experiment(const SmallestFailure& found, const std::string& failed, const PlannedStep& step,
                     Sheet& sheet) {
  const bool one = found.right.size() == 1;
  const std::string right =
      fmt::format("{} {} {} right", one ? "Size" : "Sizes", fmt::join(found.right, ", "), one ? "is" : "are");
  if (found.size > 0)
    sheet.detail("Experiment",
                 fmt::format("{} goes wrong, too{}.", found.label,
                             found.right.empty() ? ", and there is no smaller size" : ". " + right));
  else if (!found.right.empty())
    sheet.detail("Experiment", fmt::format("{}, with ordinary content. What does {} have that they have not?",
                                           right, failed));
  const std::string size = found.size > 0 ? fmt::format(" --size {}", found.size) : "";
  sheet.detail("Next", again(step) + size);
}

}  // namespace ladder::detail
