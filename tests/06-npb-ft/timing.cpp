#include "timing.hpp"

#include <fmt/format.h>

#include <cmath>

#include "problems.hpp"
#include "verify.hpp"

namespace npb_ft::test {

ladder::Launch timed_launch(const ladder::PlannedStep& step) {
  const auto recorder = ladder::plan().recorders.find(step.backend);
  const bool traced =
      step.backend == "cuda" && recorder != ladder::plan().recorders.end() && !recorder->second.empty();
  return ladder::launch_of(step, step.step[0] == 'c' ? ladder::Data::host : ladder::Data::resident, traced);
}

Timed run_official(ladder::Session& session, int M) {
  Case c = sized(M);
  c.seed = Seed::official;
  ladder::Instance<Problem> instance(shape(c));
  const ladder::Outcome outcome = session.call(instance);
  Timed timed{.seconds = outcome.seconds, .problem = instance.given()};
  timed.checksums.assign(instance.got().checksums, instance.got().checksums + timed.problem.iterations);
  if (outcome.trace)
    for (const auto& event : outcome.trace->events)
      if (event.kind == LADDER_KERNEL && event.end > event.begin)
        timed.kernel_seconds += double(event.end - event.begin) / 1e9;
  timed.wrong = compare(instance.given(), instance.got()).wrong;
  return timed;
}

double mops(const Problem& p, double seconds) {
  const double N = double(p.points()), ln = std::log(N);
  return 1e-6 * N * (14.8157 + 7.19641 * ln + (5.23518 + 7.21113 * ln) * p.iterations) / seconds;
}

std::string class_name(int M) {
  for (const OfficialClass& official : official_classes)
    if (official.size == M) return official.name;
  return fmt::format("2^{}", M);
}

}  // namespace npb_ft::test
