#pragma once
/// @file
/// The kinds of test that every lesson has. A lesson's test file fills a Suite and ends with LADDER_JUDGE(suite).
///
/// - correctness, targets, time: see DESIGN in docs/design.md.
/// - findings: races, accesses out of bounds, … in runs that are watched (findings.hpp).
/// - profile: judges nothing; hands the observation and the trace of one call to the tool (profile_record.hpp).

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "common/judge/catch.hpp"
#include "common/judge/counter_text.hpp"
#include "common/judge/earlier.hpp"
#include "common/judge/findings.hpp"
#include "common/judge/hardware_rules.hpp"
#include "common/judge/profile_record.hpp"
#include "common/judge/sanitizer_rules.hpp"
#include "common/judge/suite.hpp"
#include "common/judge/target_rules.hpp"
#include "common/judge/time_rules.hpp"

namespace ladder {
namespace detail {

/// Runs @p judge for each planned step as a section, writes the record, and asserts on the verdict.
template <class Judge>
void for_each_step(const Lesson& lesson, const char* kind, Judge judge) {
  if (!plan().wants(kind)) return;
  for (const PlannedStep& step : plan().steps) {
    DYNAMIC_SECTION(step.label() << " on " << step.backend) {
      Sheet sheet(step, kind);
      try {
        const Step& row = row_of(lesson, step);
        sheet.data(row.data == Data::host ? "host" : "resident");
        if (step.skip.empty())
          judge(step, row, sheet);
        else
          sheet.set(Verdict::skipped, step.skip);
      } catch (const Failure& failure) {
        sheet.set(failure);
      }
      remember(step, kind, sheet.verdict(), sheet.message());
      sheet.write();
      INFO(name(sheet.verdict()) << ": " << sheet.message());
      CHECK((sheet.verdict() == Verdict::pass || sheet.verdict() == Verdict::skipped));
    }
  }
}

/// The command that repeats what was just judged.
inline std::string again(const PlannedStep& step) {
  const std::string lesson = plan().lesson.substr(0, 2);
  const std::string seed = " --seed " + std::to_string(plan().seed);
  if (!step.mutant.empty()) return "./ladder test " + lesson + " --part mutants" + seed;
  const std::string tree = step.tree == "lessons" ? "" : " --tree " + step.tree;
  return "./ladder check " + lesson + "/" + step.step.substr(0, step.step.find('_')) + tree + seed;
}

/// The seed of a case: another for each, repeatable.
inline std::uint64_t case_seed(std::size_t index, std::uint64_t salt = 0) {
  return plan().seed * 1000003u + index * 7919u + salt;
}

/// Bytes of all arrays of a problem.
template <class Problem>
std::size_t bytes_of(Problem problem) {
  std::size_t bytes = 0;
  problem.arrays(
      [&](const char*, Role, auto& pointer, std::size_t count) { bytes += count * sizeof *pointer; });
  return bytes;
}

/// Runs a case in a watched session. @throws Failure
template <class Problem>
Outcome run_case(Session& session, const Case<Problem>& one, std::size_t index) {
  Instance<Problem> instance(one.shape);
  Random random(case_seed(index));
  one.fill(instance, random);
  return session.call(instance);
}

/// Runs a case that went wrong once more, watched: what is found there is the explanation.
template <class Problem>
void explain_case(const PlannedStep& step, const Step& row, const Case<Problem>& one, std::size_t index,
                  Sheet& sheet) {
  const Watch watch = watch_of(step, row);
  if (!watch.possible || !watch.skip.empty() || bytes_of(one.shape) > 4 * watch.largest) return;
  try {
    Session session(watch.launch);
    const Outcome outcome = run_case(session, one, index);
    if (outcome.observation) explain_findings(*outcome.observation, step, sheet);
    if (watch.read_log) explain_findings(read_log(watch, session), step, sheet);
  } catch (const Failure& failure) {
    if (failure.observation) explain_findings(*failure.observation, step, sheet);
  }
  sheet.close_headings();
}

/// Whether an earlier kind has failed: then this one is not run, and says the same.
inline bool repeats_failure(const PlannedStep& step, Sheet& sheet, double points) {
  const Earlier* earlier = failed_earlier(step);
  if (!earlier) return false;
  sheet.set(earlier->verdict, earlier->message);
  sheet.points(0, points);
  return true;
}

}  // namespace detail

/// Right on every case? Stops at the first wrong one of each class; says which sizes were right before.
template <class Problem>
void judge_correctness(const Suite<Problem>& suite) {
  detail::for_each_step(
      suite.lesson, "correctness", [&](const PlannedStep& step, const Step& row, Sheet& sheet) {
        const std::vector<Case<Problem>> cases = suite.cases(row, plan().size);
        for (const auto& one : cases) sheet.expect(one.group);
        Progress progress;
        std::vector<std::string> failed_groups;
        const auto judge_one = [&](Session& session, const Case<Problem>& one, std::size_t index) {
          Instance<Problem> instance(one.shape);
          Random random(detail::case_seed(index));
          one.fill(instance, random);
          session.call(instance);
          const Check check = suite.verify(instance);
          sheet.keep_worst(check);
          if (check.right()) {
            sheet.case_passed(one.group);
            if (progress.failed.empty()) progress.passed.push_back(one.label);
            return;
          }
          failed_groups.push_back(one.group);
          if (!progress.failed.empty()) return;
          progress.failed = one.label;
          const std::string before = progress.passed.empty() ? "" : progress.passed.back() + ": right.  ";
          sheet.set(Verdict::wrong, before + one.label + ": " + check.wrong);
          detail::explain_case(step, row, one, index, sheet);
          for (const auto& [heading, text] : check.details) sheet.detail(heading, text);
          if (suite.advise) suite.advise(row, progress, sheet);
          sheet.detail("Next", detail::again(step));
        };
        std::size_t current = 0;
        try {
          Launch launch = launch_of(step, row.data);
          auto session = std::make_unique<Session>(launch);
          for (std::size_t i = 0; i < cases.size(); ++i) {
            if (std::count(failed_groups.begin(), failed_groups.end(), cases[i].group)) continue;
            if (const int ranks = cases[i].ranks > 0 ? cases[i].ranks : step.ranks; ranks != launch.ranks) {
              launch.ranks = ranks;
              session = std::make_unique<Session>(launch);
            }
            sheet.progress(cases[i].label + " (" + cases[i].group + ")", static_cast<int>(i),
                           static_cast<int>(cases.size()));
            try {
              current = i;
              judge_one(*session, cases[i], i);
            } catch (Failure& failure) {
              if (failure.verdict == Verdict::crashed || failure.verdict == Verdict::timeout)
                failure.message = cases[i].label + ": " + failure.message;
              throw;
            }
          }
        } catch (const Failure& failure) {
          if (sheet.verdict() == Verdict::wrong && failure.verdict == Verdict::crashed) {
            sheet.detail("Then",
                         failure.message);  // the wrong result came first and is simpler to understand
          } else {
            if (failure.verdict == Verdict::crashed && !cases.empty())
              detail::explain_case(step, row, cases[current], current, sheet);
            sheet.set(failure);
            if (failure.verdict != Verdict::not_started) sheet.detail("Next", detail::again(step));
          }
        }
        sheet.name_classes();
        sheet.points(row.correctness_points * (sheet.verdict() == Verdict::pass ? 1.0 : partial_share(sheet)),
                     row.correctness_points);
      });
}

/// Did the idea move its number? Measured in a run of its own; nothing counts when its result is wrong.
template <class Problem>
void judge_targets(const Suite<Problem>& suite) {
  detail::for_each_step(suite.lesson, "targets", [&](const PlannedStep& step, const Step& row, Sheet& sheet) {
    if (*row.target.metric == 0) return;
    TargetResult result = unmeasured(row);
    const Measurement how = measurement_of(step, row);
    if (how.observed && detail::repeats_failure(step, sheet, result.max_points)) return;
    if (!how.skip.empty()) {
      skip_target(result, how.skip, sheet);
      return;
    }
    const Case<Problem> one = suite.sized(row, row.target.size);
    sheet.progress(std::string(row.target.metric) + " at " + one.label, 0, 1);
    Instance<Problem> instance(one.shape);
    Session session(how.launch);
    std::vector<double> amounts, equal_work;
    std::optional<Observation> observation;
    for (int turn = 0; turn < how.warm_up + how.calls; ++turn) {
      Random random(detail::case_seed(static_cast<std::size_t>(turn), 17));
      one.fill(instance, random);
      Outcome outcome;
      try {
        outcome = session.call(instance);
      } catch (const Failure& failure) {
        if (!judge_fault(failure, one.label, step, sheet)) throw;
        sheet.points(0, result.max_points);
        return;
      }
      const Check check = turn == 0 ? suite.verify(instance) : suite.verify_quickly(instance, random);
      if (!check.right()) {
        sheet.set(Verdict::wrong, one.label + ": " + check.wrong + "  (target not judged)");
        sheet.points(0, result.max_points);
        return;
      }
      if (turn < how.warm_up) continue;
      try {
        amounts.push_back(how.from_result ? check.amount : measured_amount(how, row, outcome, session));
      } catch (const Failure& failure) {
        if (failure.verdict != Verdict::skipped) throw;
        skip_target(result, failure.message, sheet);
        return;
      }
      equal_work.push_back(outcome.equal_work);
      observation = std::move(outcome.observation);
    }
    judge_target(result, best_of(amounts, row), suite.necessary(row, one.shape), median(equal_work), sheet);
    if (observation) explain_target(*observation, one.label, row, step, result, sheet);
    sheet.points(result.points, result.max_points);
  });
}

/// How long does it take, beside the baseline, the library and the step below, all in this session?
template <class Problem>
void judge_time(const Suite<Problem>& suite) {
  detail::for_each_step(suite.lesson, "time", [&](const PlannedStep& step, const Step& row, Sheet& sheet) {
    const Case<Problem> one = suite.sized(row, time_size(step, row));
    std::vector<Contender> contenders = contenders_of(step, row);
    std::vector<std::unique_ptr<Instance<Problem>>> instances;
    for (std::size_t i = 0; i < contenders.size(); ++i)
      instances.push_back(std::make_unique<Instance<Problem>>(one.shape));
    std::uint64_t turn = 0;
    const auto call = [&](std::size_t i) {  // fresh content each time, and every result is looked at
      Random random(detail::case_seed(++turn, 31));
      one.fill(*instances[i], random);
      const Outcome outcome = contenders[i].session->call(*instances[i]);
      const Check check = suite.verify_quickly(*instances[i], random);
      if (!check.right())
        throw Failure{Verdict::wrong, contenders[i].name + " at " + one.label + ": " + check.wrong, {}};
      return outcome.seconds;
    };
    TimeResult result = measure_times(contenders, row, call, sheet);
    result.problem = suite.size_of(one.shape);
    sheet.set(result);
    judge_time_bound(result, row, sheet);
  });
}

/// Does compute-sanitizer find anything? On a GPU; each of its tools runs over the first cases of every class.
template <class Problem>
void judge_by_sanitizer(const Suite<Problem>& suite, const PlannedStep& step, const Step& row, Sheet& sheet) {
  constexpr int cases_of_a_class = 3;  // a tool slows a call down by one to two orders of magnitude
  const std::vector<Case<Problem>> cases = suite.cases(row, plan().size);
  for (const char* tool : sanitizer_tools) {
    Session session(launch_under(tool, step, row.data));
    std::map<std::string, int> tried;
    for (std::size_t i = 0; i < cases.size(); ++i) {
      if (++tried[cases[i].group] > cases_of_a_class) continue;
      sheet.progress(std::string(tool) + " at " + cases[i].label, static_cast<int>(i),
                     static_cast<int>(cases.size()));
      detail::run_case(session, cases[i], i);
    }
    judge_findings_of(tool, session.finish(), sheet);
    if (sheet.verdict() != Verdict::pass) return;
  }
}

/// The cases that are watched: of each class the first one and the largest that is small enough.
template <class Problem>
std::vector<std::size_t> watched_cases(const std::vector<Case<Problem>>& cases, std::size_t largest) {
  std::map<std::string, std::pair<std::size_t, std::size_t>> of_class;  // first, largest
  for (std::size_t i = 0; i < cases.size(); ++i) {
    auto& [first, most] = of_class.try_emplace(cases[i].group, i, i).first->second;
    const std::size_t bytes = detail::bytes_of(cases[i].shape);
    if (bytes <= largest && bytes > detail::bytes_of(cases[most].shape)) most = i;
  }
  std::set<std::size_t> chosen;
  for (const auto& [group, pair] : of_class) chosen.insert({pair.first, pair.second});
  return {chosen.begin(), chosen.end()};
}

/// Races, accesses out of bounds, reads of what nobody wrote: does a watched run find any? An error is WRONG, also when
/// the result is right: on another machine, or on another day, it will not be.
template <class Problem>
void judge_findings(const Suite<Problem>& suite) {
  detail::for_each_step(
      suite.lesson, "findings", [&](const PlannedStep& step, const Step& row, Sheet& sheet) {
        if (step.backend == "cuda" && plan().verb == "test")
          return judge_by_sanitizer(suite, step, row, sheet);
        const Watch watch = watch_of(step, row);
        if (!watch.possible || detail::repeats_failure(step, sheet, 0)) return;
        if (!watch.skip.empty()) return sheet.set(Verdict::skipped, "findings: " + watch.skip);
        const std::vector<Case<Problem>> cases = suite.cases(row, plan().size);
        const std::vector<std::size_t> watched = watched_cases(cases, watch.largest);
        Session session(watch.launch);
        for (std::size_t i = 0; i < watched.size() && sheet.verdict() == Verdict::pass; ++i) {
          const Case<Problem>& one = cases[watched[i]];
          sheet.progress("findings at " + one.label, static_cast<int>(i), static_cast<int>(watched.size()));
          try {
            const Outcome outcome = detail::run_case(session, one, watched[i]);
            if (outcome.observation) judge_observation(*outcome.observation, one.label, step, sheet);
            if (!watch.read_log) continue;
            const Observation so_far = watch.read_log(session.file(watch.log).value_or(""));
            if (so_far.findings_of("error") > 0) judge_observation(so_far, one.label, step, sheet);
          } catch (const Failure& failure) {
            if (!judge_fault(failure, one.label, step, sheet)) throw;
          }
        }
        if (watch.read_log && sheet.verdict() == Verdict::pass) {
          const Observation all = read_log(watch, session);
          const bool found = judge_observation(all, "small cases", step, sheet);
          if (!found && !all.incomplete.empty())
            sheet.set(Verdict::skipped, "findings: " + all.incomplete);
        }
        if (sheet.verdict() == Verdict::wrong) sheet.detail("Next", detail::again(step));
      });
}

/// What one call of a step did: observation, trace and necessary amount, for the verb profile. Judges nothing but that
/// the result is right.
template <class Problem>
void record_profile(const Suite<Problem>& suite) {
  detail::for_each_step(suite.lesson, "profile", [&](const PlannedStep& step, const Step& row, Sheet& sheet) {
    const int size = plan().size > 0 ? plan().size : row.target.size > 0 ? row.target.size : row.time.size;
    const Watch watch = watch_of(step, row, true);
    if (!watch.possible)
      return sheet.set(Verdict::skipped, "a profile is of kernels; this step runs on " + step.backend);
    if (!watch.skip.empty()) return sheet.set(Verdict::skipped, watch.skip);
    Case<Problem> one = suite.sized(row, size);
    sheet.progress("profile at " + one.label, 0, 1);
    Launch launch = watch.launch;
    launch.traced = launch.observed;
    Instance<Problem> instance(one.shape);
    Session session(launch);
    Random random(detail::case_seed(0, 17));
    one.fill(instance, random);
    Outcome outcome = session.call(instance);
    if (watch.read_log) outcome.observation = read_log(watch, session);
    const Check check = suite.verify(instance);
    if (!check.right()) sheet.set(Verdict::wrong, one.label + ": " + check.wrong);
    Profiled what{.size = size, .problem = one.label, .array_bytes = detail::bytes_of(one.shape)};
    if (suite.operations) what.operations = suite.operations(row, one.shape);
    if (*row.target.metric != 0) what.necessary = suite.necessary(row, one.shape);
    write_profile(step, row, what, outcome);
  });
}

/// The same call on a GPU under ncu, for the verb profile: what the hardware counts. Judges nothing but that the result is
/// right.
template <class Problem>
void record_hardware(const Suite<Problem>& suite) {
  detail::for_each_step(suite.lesson, "hardware", [&](const PlannedStep& step, const Step& row, Sheet& sheet) {
    const int size = plan().size > 0 ? plan().size : row.target.size > 0 ? row.target.size : row.time.size;
    Case<Problem> one = suite.sized(row, size);
    sheet.progress("ncu at " + one.label, 0, 1);
    const std::string log = plan().scratch + "/" + step.step + ".ncu";
    Session session(launch_under_ncu(step, row.data, log));
    Instance<Problem> instance(one.shape);
    Random random(detail::case_seed(0, 17));
    one.fill(instance, random);
    session.call(instance);
    session.finish();  // ncu writes its table when the program has ended
    const Check check = suite.verify(instance);
    if (!check.right()) sheet.set(Verdict::wrong, one.label + ": " + check.wrong);
    write_hardware(step, one.label, log);
  });
}

}  // namespace ladder

/// A lesson's test cases; a plan says which of them run.
#define LADDER_JUDGE(suite)           \
  TEST_CASE("correctness") {          \
    ladder::judge_correctness(suite); \
  }                                   \
  TEST_CASE("targets") {              \
    ladder::judge_targets(suite);     \
  }                                   \
  TEST_CASE("time") {                 \
    ladder::judge_time(suite);        \
  }                                   \
  TEST_CASE("findings") {             \
    ladder::judge_findings(suite);    \
  }                                   \
  TEST_CASE("profile") {              \
    ladder::record_profile(suite);    \
  }                                   \
  TEST_CASE("hardware") {             \
    ladder::record_hardware(suite);   \
  }
