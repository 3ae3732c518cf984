#pragma once
/// @file
/// The kinds of test that every lesson has. A lesson's test file fills a Suite and ends with LADDER_JUDGE(suite).

#include <algorithm>
#include <cstdint>
#include <memory>

#include "common/judge/catch.hpp"
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
          for (const auto& [heading, text] : check.details) sheet.detail(heading, text);
          if (suite.advise) suite.advise(row, progress, sheet);
          sheet.detail("Next", detail::again(step));
        };
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
    if (!how.skip.empty()) {
      skip_target(result, how.skip, sheet);
      return;
    }
    const Case<Problem> one = suite.sized(row, row.target.size);
    sheet.progress(std::string(row.target.metric) + " at " + one.label, 0, 1);
    Instance<Problem> instance(one.shape);
    Session session(how.launch);
    std::vector<double> amounts, equal_work;
    for (int turn = 0; turn < how.warm_up + how.calls; ++turn) {
      Random random(detail::case_seed(static_cast<std::size_t>(turn), 17));
      one.fill(instance, random);
      const Outcome outcome = session.call(instance);
      const Check check = turn == 0 ? suite.verify(instance) : suite.verify_quickly(instance, random);
      if (!check.right()) {
        sheet.set(Verdict::wrong, one.label + ": " + check.wrong + "  (target not judged)");
        sheet.points(0, result.max_points);
        return;
      }
      if (turn < how.warm_up) continue;
      amounts.push_back(measured_amount(how, row, outcome, session));
      equal_work.push_back(outcome.equal_work);
    }
    judge_target(result, best_of(amounts, row), suite.necessary(row, one.shape), median(equal_work), sheet);
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

/// Does compute-sanitizer find anything? On a GPU only; each of its tools runs over the first cases of every class.
template <class Problem>
void judge_findings(const Suite<Problem>& suite) {
  constexpr int cases_of_a_class = 3;  // a tool slows a call down by one to two orders of magnitude
  detail::for_each_step(suite.lesson, "findings",
                        [&](const PlannedStep& step, const Step& row, Sheet& sheet) {
                          const std::vector<Case<Problem>> cases = suite.cases(row, plan().size);
                          for (const char* tool : sanitizer_tools) {
                            Session session(launch_under(tool, step, row.data));
                            std::map<std::string, int> tried;
                            for (std::size_t i = 0; i < cases.size(); ++i) {
                              if (++tried[cases[i].group] > cases_of_a_class) continue;
                              sheet.progress(std::string(tool) + " at " + cases[i].label, static_cast<int>(i),
                                             static_cast<int>(cases.size()));
                              Instance<Problem> instance(cases[i].shape);
                              Random random(detail::case_seed(i));
                              cases[i].fill(instance, random);
                              session.call(instance);
                            }
                            judge_findings_of(tool, session.finish(), sheet);
                            if (sheet.verdict() != Verdict::pass) return;
                          }
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
  }
