#pragma once
/// @file
/// What the kinds of test share: going over the planned steps, and calling a step once.

#include <cstdint>
#include <string>

#include "common/judge/catch.hpp"
#include "common/judge/earlier.hpp"
#include "common/judge/session.hpp"
#include "common/judge/sheet.hpp"
#include "common/judge/suite.hpp"

namespace ladder {
namespace detail {

/// Runs @p judge for each planned step as a section, writes the record, and asserts on the verdict.
template <class Judge>
void for_each_step(const Lesson& lesson, const char* kind, Judge judge) {
  if (!plan().wants(kind)) return;
  for (const PlannedStep& step : plan().steps) {
    DYNAMIC_SECTION(step.label() << " on " << step.backend) {
      Sheet sheet(step, kind);
      sheet.progress("starting", 0, 1);  // should the judge die now, the tool knows with which step
      set_under_way(&step);
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

/// Whether this is one of many that show the tests to be good: nobody works on it.
inline bool is_mutant(const PlannedStep& step) {
  return !step.mutant.empty() && step.tree != "attempts";
}

/// The command that repeats what was just judged.
inline std::string again(const PlannedStep& step) {
  const std::string lesson = plan().lesson.substr(0, 2);
  const std::string seed = " --seed " + std::to_string(plan().seed);
  if (is_mutant(step)) return "./ladder test " + lesson + " --part mutants" + seed;
  const std::string tree = step.tree == "lessons" || step.tree == "attempts" ? "" : " --tree " + step.tree;
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

/// The size of a step's target, else of its time; or what the plan wants.
inline int stated_size(const Step& row) {
  if (plan().size > 0) return plan().size;
  return row.target().size > 0 ? row.target().size : row.time.size;
}

/// Runs a case in a watched session. @throws Failure
template <class Problem>
Outcome run_case(Session& session, const Case<Problem>& one, std::size_t index) {
  Instance<Problem> instance(one.shape);
  Random random(case_seed(index));
  one.fill(instance, random);
  return session.call(instance);
}

/// Whether an earlier kind has failed: then this one is not run, and says the same.
inline bool repeats_failure(const PlannedStep& step, Sheet& sheet) {
  const Earlier* earlier = failed_earlier(step);
  if (!earlier) return false;
  sheet.set(earlier->verdict, earlier->message);
  return true;
}

}  // namespace detail
}  // namespace ladder
