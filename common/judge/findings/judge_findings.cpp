/// @file
/// The kind of test that watches a step: races, accesses out of bounds, reads of uninitialised memory.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/judge/each_step.hpp"
#include "common/judge/earlier_verdicts.hpp"
#include "common/judge/findings/counter_text.hpp"
#include "common/judge/findings/finding_cases.hpp"
#include "common/judge/findings/findings.hpp"
#include "common/judge/findings/sanitizer_rules.hpp"
#include "common/judge/judge.hpp"
#include "common/judge/target_rules.hpp"
#include "common/trace/metrics.hpp"

namespace ladder {
namespace {

using namespace detail;

/// Does compute-sanitizer find anything? On a GPU; each of its tools runs the first cases of every class.
void judge_by_sanitizer(const Judged& suite, const PlannedStep& step, const Step& row, TestReport& report) {
  constexpr int cases_of_a_class = 3;  // a tool slows a call down by one to two orders of magnitude
  const std::vector<Case> cases = problems_of(suite, row);
  for (const char* tool : sanitizer_tools) {
    Session session(launch_under(tool, step, row.data));
    std::map<std::string, int> tried;
    for (std::size_t i = 0; i < cases.size(); ++i) {
      if (!cases[i].refused.empty()) continue;  // the step must refuse it, so no kernel runs
      if (++tried[cases[i].group] > cases_of_a_class) continue;
      report.progress(std::string(tool) + " at " + cases[i].label, static_cast<int>(i),
                      static_cast<int>(cases.size()));
      run_case(session, step, cases[i], i);
    }
    judge_findings_of(tool, step, session.finish(), report);
    if (report.verdict() != Verdict::pass) return;
  }
}

/// A step for a GPU that launches nothing has done its work elsewhere. Targets that count what kernels do say
/// so themselves.
void require_launches(const Observation& all, const Step& row, TestReport& report) {
  const std::string metric = row.target().metric;
  const bool counted = metric != "" && metric != "findings" && find_metric(metric).source != Source::result;
  if (!all.launches.empty() || !for_gpu(row) || counted || report.verdict() != Verdict::pass) return;
  report.set(Verdict::review,
             "no kernel was launched in any case that was watched: the host has done the work");
}

/// Where the results of a step for a GPU come from, in all cases that were watched. Values are looked for,
/// not places: a step may pack its results, and let the host copy them. A small case may be left to the host.
class ResultOrigins {
 public:
  void add(const Observation& observation) {
    const auto blocks = observation.blocks();
    const auto& results = observation.results;
    if (!results || blocks.observed < blocks.all) return;
    if (!results->known) return void(unknown_ = true);
    elements_ += results->elements;
    of_kernels_ += results->of_kernels;
    uploaded_ += results->uploaded;
  }
  void judge(const Step& row, TestReport& report) const {
    // How much of a matrix of one's own is left to the host depends on the matrix: all of a small one, the
    // diagonal tiles of a narrow one. Of the lesson's own cases kernels compute most.
    if (!for_gpu(row) || report.verdict() != Verdict::pass || !plan().file.empty()) return;
    // Few results may be the last sums of many partial ones, which the host may add.
    constexpr std::uint64_t fewest = 64;
    const bool few_of_kernels = elements_ >= fewest && 2 * of_kernels_ < elements_;
    if (few_of_kernels)
      report.set(Verdict::review,
                 fmt::format("the host has computed results: of {} in the cases that were watched, {} % are "
                             "values that a kernel has stored",
                             elements_, 100 * of_kernels_ / elements_));
    else if (elements_ >= fewest && 4 * uploaded_ > 3 * elements_)
      // Most of them: an honest step may compute some of its results on the host, and let a kernel put them
      // in their places.
      report.set(
          Verdict::review,
          fmt::format("the host has computed results: of {} in the cases that were watched, {} % are no "
                      "inputs, and were copied to the device before a kernel stored them",
                      elements_, 100 * uploaded_ / elements_));
    else if (elements_ == 0 && unknown_ && plan().states_problem())
      return report.detail(
          "Not looked for",
          "whether the host has computed results: at this size kernels store too many values. "
          "The lesson's own cases show it");
    else if (elements_ == 0 && unknown_)
      report.set(Verdict::review,
                 "whether the host has computed results is not known: kernels store too many values in every "
                 "case");
    else
      return;
    report.detail(
        "What that means",
        "On this rung kernels compute the results, and the host at most copies them: a person looks at "
        "it. Which line writes them?");
  }

 private:
  std::uint64_t elements_ = 0, of_kernels_ = 0, uploaded_ = 0;
  bool unknown_ = false;
};

/// Whether one of the row's numbers says how its kernels read device memory.
bool counts_memory(const Step& row) {
  return std::ranges::any_of(targets_of(row), [](const Target* target) {
    return std::string_view(find_metric(target->metric).counted).find("global_load") !=
           std::string_view::npos;
  });
}

/// The cases of one watch. @throws Failure
void watch_cases(const Watch& watch, Session& session, const Judged& suite, const PlannedStep& step,
                 const Step& row, TestReport& report) {
  const std::vector<Case> cases = problems_of(suite, row);
  std::vector<std::size_t> watched;  // by place, each as often as it is called
  for (const FindingCase& one : finding_cases(cases, watch))
    watched.insert(watched.end(), static_cast<std::size_t>(one.calls), one.place);
  std::optional<Observation> executor;  // of all cases, as far as what they launch
  ResultOrigins origins;
  std::vector<std::pair<std::string, Observation>> observed;  // where no number has them
  for (std::size_t i = 0; i < watched.size() && report.verdict() == Verdict::pass; ++i) {
    const std::size_t index = watched[i];
    const Case& one = cases[index];
    report.progress("findings at " + one.label, static_cast<int>(i), static_cast<int>(watched.size()));
    try {
      const Outcome outcome = run_case(session, step, one, index);
      if (outcome.observation) {
        judge_observation(*outcome.observation, one.label, step, report);
        origins.add(*outcome.observation);
        if (!executor || executor->launches.empty()) executor = outcome.observation;
        if (!counts_memory(row)) observed.emplace_back(one.label, *outcome.observation);
      }
      if (!watch.read_log) continue;
      const Observation so_far = watch.read_log(session.file(watch.log).value_or(""));
      if (so_far.findings_of("error") > 0) judge_observation(so_far, one.label, step, report);
    } catch (const Failure& failure) {
      if (judge_fault(failure, one.label, step, report)) continue;
      if (watch.looks_for.empty()) throw;
      // A limit that a sanitizer's slowness or memory meets says nothing of a step whose plain worker is as
      // it should be.
      if (!failure.died && !failure.threw)
        return tell_unwatched(watch, one.label + " " + failure.message, report);
      Failure crash = failure;
      crash.message =
          fmt::format("{}, while {} were looked for: {}", one.label, watch.looks_for, failure.message);
      report.set(crash);
      report.detail(
          "Think",
          "Only the order of threads and the places of arrays in memory are other ones in this run: "
          "which access depends on them?");
    }
  }
  if (report.verdict() == Verdict::pass) remark_on_sectors(observed, step, report);
  if (executor && watch.looks_for.empty()) require_launches(*executor, row, report);
  origins.judge(row, report);
  if (watch.read_log && report.verdict() == Verdict::pass) {
    const Observation all = read_log(watch, session);
    const bool found = judge_observation(all, "small cases", step, report);
    if (!found && !all.incomplete.empty()) report.set(Verdict::skipped, "findings: " + all.incomplete);
  }
}

/// The session of a watch; null, with a note, where a sanitizer cannot start, because the kernel refuses what
/// it needs.
std::unique_ptr<Session> watched_session(const Watch& watch, TestReport& report) {
  try {
    return std::make_unique<Session>(watch.launch);
  } catch (const Failure& failure) {
    if (watch.looks_for.empty()) throw;
    tell_unwatched(watch, failure.message, report);
    return nullptr;
  }
}

}  // namespace

void judge_findings(const Judged& suite) {
  const auto judge = [&](const PlannedStep& step, const Step& row, TestReport& report) {
    if (step.backend == "cuda" && plan().verb == "test") return judge_by_sanitizer(suite, step, row, report);
    for (const Watch& watch : watches_of(step, row)) {
      if (!watch.possible || (!was_wrong_at_target(step) && repeats_failure(step, report))) return;
      if (!watch.skip.empty() && watch.looks_for.empty())
        return report.set(Verdict::skipped, "findings: " + watch.skip);
      if (!watch.skip.empty())
        tell_unwatched(watch, watch.skip, report);
      else if (const auto session = watched_session(watch, report))
        watch_cases(watch, *session, suite, step, row, report);
      if (report.verdict() != Verdict::pass) break;
    }
    if (report.verdict() == Verdict::wrong) report.detail("Next", "again: " + again(step));
  };
  for_each_step(table_of(suite), TestKind::findings, judge);
}

}  // namespace ladder
