/// @file
/// What a step does to its device, recorded for the verb profile; judges only that the result is right.

#include "common/judge/each_step.hpp"
#include "common/judge/findings/findings.hpp"
#include "common/judge/findings/hardware_rules.hpp"
#include "common/judge/judge.hpp"
#include "common/judge/profile_record.hpp"

namespace ladder {

using namespace detail;

void record_profile(const Judged& suite) {
  for_each_step(
      table_of(suite), TestKind::profile, [&](const PlannedStep& step, const Step& row, TestReport& report) {
        const int size = stated_size(row);
        const Watch watch = watch_of(step, row, true);
        if (!watch.possible)
          return report.set(Verdict::skipped, "a profile is of kernels; this rung runs on " + step.backend);
        if (!watch.skip.empty()) return report.set(Verdict::skipped, watch.skip);
        Case one = problem_of(suite, row, size, row.target().restricted);
        report.progress("profile at " + one.label, 0, 1);
        Launch launch = watch.launch;
        launch.traced = launch.observed;
        launch.ranks = ranks_of(step, one);
        AnyInstance instance(one.shape);
        Session session(launch);
        Random random = random_of({step.step, "profile"}, 0, 17);
        one.fill(instance, random);
        Outcome outcome = session.call(instance);
        if (watch.read_log) outcome.observation = read_log(watch, session);
        const Check check = one.verify(instance);
        if (!check.right()) report.set(Verdict::wrong, one.label + ": " + check.wrong);
        Profiled what{.size = size, .problem = one.label, .array_bytes = one.shape.bytes()};
        if (one.operations) what.operations = one.operations();
        if (!row.target().metric.empty())
          what.necessary = amount_of(suite, row.target().amount)(instance.given(), launch.ranks);
        write_profile(step, row, what, outcome);
      });
}

void record_hardware(const Judged& suite) {
  const auto judge = [&](const PlannedStep& step, const Step& row, TestReport& report) {
    const int size = stated_size(row);
    Case one = problem_of(suite, row, size, row.target().restricted);
    report.progress((plan().under.empty() ? "ncu" : plan().under[0]) + " at " + one.label, 0, 1);
    const std::string log = plan().scratch + "/" + step.step + ".ncu";
    const bool chosen = !plan().under.empty();
    Session session(chosen ? launch_under_program(step, row.data) : launch_under_ncu(step, row.data, log));
    AnyInstance instance(one.shape);
    Random random = random_of({step.step, "profile"}, 0, 17);
    one.fill(instance, random);
    session.call(instance);
    constexpr double report_seconds = 120;
    const std::string printed =
        session.finish(report_seconds);  // ncu and others write their tables when the program has ended
    const Check check = one.verify(instance);
    if (!check.right()) report.set(Verdict::wrong, one.label + ": " + check.wrong);
    if (chosen)
      write_printed(step, one.label, printed);
    else
      write_hardware(step, one.label, log);
  };
  for_each_step(table_of(suite), TestKind::hardware, judge);
}

}  // namespace ladder
