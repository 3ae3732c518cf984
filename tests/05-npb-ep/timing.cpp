#include "timing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "problems.hpp"
#include "verify.hpp"

namespace npb_ep::test {

ladder::Launch timed_launch(const ladder::PlannedStep& step) {
  const bool traced = step.backend == "cuda" && !ladder::plan().recorder_of(step.backend).empty();
  return ladder::launch_of(step, step.step[0] == 'c' ? ladder::Data::host : ladder::Data::resident, traced);
}

Timed run_official(ladder::Session& session, int M) {
  Case c = sized(M);
  c.seed = Seed::official;
  ladder::Instance<Problem> instance(shape(c));
  const ladder::Outcome outcome = session.call(instance);
  Timed timed{.seconds = outcome.seconds, .sx = *instance.got().sx, .sy = *instance.got().sy};
  std::copy_n(instance.got().q, bins, timed.q);
  if (outcome.trace)
    for (const auto& event : outcome.trace->events)
      if (event.kind == LADDER_KERNEL && event.end > event.begin)
        timed.kernel_seconds += double(event.end - event.begin) / 1e9;
  timed.wrong = compare(instance.given(), instance.got()).wrong;
  return timed;
}

double mops(int M, double seconds) {
  return std::ldexp(1, M + 1) / seconds / 1e6;
}

std::string class_name(int M) {
  for (const OfficialClass& official : official_classes)
    if (official.size == M) return official.name;
  return fmt::format("2^{}", M);
}

}  // namespace npb_ep::test
