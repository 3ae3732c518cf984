/// @file
/// The verb test: the tests of the repository.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "common/base/clock.hpp"
#include "common/report/results.hpp"
#include "common/tool/context.hpp"
#include "common/tool/names.hpp"
#include "common/tool/tally.hpp"
#include "common/tool/test_parts.hpp"
#include "common/tool/times.hpp"
#include "common/tool/todos.hpp"
#include "common/tool/tree_checks.hpp"

namespace ladder {
namespace {

/// Leaves the steps that were asked for and are finished: what is said of the others is where TODO stands.
void choose_steps(Context& context, const std::vector<LessonEntry*>& lessons,
                  const std::set<const StepEntry*>& chosen, Tally& tally) {
  for (LessonEntry* lesson : lessons) {
    const auto left = unfinished(*lesson, todos_of(context.root, *lesson));
    std::vector<StepEntry> steps;
    for (const StepEntry& step : lesson->steps) {
      if (!chosen.contains(&step)) continue;
      if (!left.contains(step.name))
        steps.push_back(step);
      else
        tally.skip(step.path(), "not judged: TODO stands in its files");
    }
    lesson->steps = std::move(steps);
  }
}

}  // namespace

int test(Context& context) {
  for (const std::string& part : context.options.parts)
    if (std::find(test_parts().begin(), test_parts().end(), part) == test_parts().end())
      throw UsageError{unknown("part of test", part, test_parts())};
  const auto wanted = [&](const std::string& part) {
    const auto& parts = context.options.parts;
    return !interrupted() && (parts.empty() || std::find(parts.begin(), parts.end(), part) != parts.end());
  };
  const auto lessons = context.catalogue.resolve_lessons(context.options.names);
  context.placer();  // an unknown device is said before anything is built
  context.build.refresh();
  context.read_tables(lessons);

  Tally tally;
  const auto width = static_cast<std::size_t>(context.terminal.width());
  tally.on_failure([&](const Tally::Entry& failure) { context.terminal.print(told(failure, width)); });
  std::vector<nlohmann::json> results;
  std::vector<PartTime> times;
  const std::int64_t began = now_in_ninja_log();
  const auto part = [&](const std::string& name, const std::string& title, auto&& work) {
    if (!wanted(name)) return;
    const int passed = tally.passed();
    const std::size_t failed = tally.failures().size(), skipped = tally.skips().size();
    const double built = context.build.seconds();
    const Stopwatch watch;
    context.terminal.begin_work();
    work();
    times.push_back({.name = title,
                     .seconds = watch.seconds(),
                     .building = context.build.seconds() - built,
                     .programs = tally.take_times()});
    context.terminal.end_work();
    context.terminal.print(fmt::format("{:<42} {:>4} passed, {} failed, {} skipped", title,
                                       tally.passed() - passed, tally.failures().size() - failed,
                                       tally.skips().size() - skipped));
  };
  const auto resolved = context.catalogue.resolve(context.options.names);
  const std::set<const StepEntry*> chosen(resolved.begin(), resolved.end());
  part("tree", "trees", [&] { check_trees(context, lessons, chosen, tally); });
  choose_steps(context, lessons, chosen, tally);
  // One processor is enough for most programs that are started here: what the others leave builds for later parts.
  std::vector<std::string> ahead = targets_ahead(context, lessons, wanted);
  if (wanted("nvcc"))
    for (const std::string& object : nvcc_objects(context, lessons)) ahead.push_back(object);
  context.build.ahead(std::move(ahead));
  // With lessons named, only what belongs to them.
  if (context.options.names.empty()) part("units", "harness and tool", [&] { run_units(context, tally); });
  part("skeletons", "skeletons are NOT STARTED", [&] { judge_skeletons(context, lessons, tally, results); });
  part("solutions", "solutions PASS", [&] { judge_solutions(context, lessons, tally, results); });
  if (geteuid() == 0)
    part("nobody", "as nobody: harness, tool, lesson 00",
         [&] { run_as_nobody(context, lessons, tally, results); });
  part("attempts", "attempts get their verdicts", [&] { judge_attempts(context, lessons, tally, results); });
  part("mutants", "mutants get their verdicts", [&] { judge_mutants(context, lessons, tally, results); });
  part("findings", "nothing is found in solutions",
       [&] { judge_findings(context, lessons, tally, results); });
  part("nvcc", "CUDA sources compile with nvcc", [&] { check_nvcc(context, lessons, tally); });
  if (context.options.names.empty()) {
    part("docs", "documentation", [&] { check_docs(context, tally); });
    part("example", "the page about new rungs, followed", [&] { follow_page(context, tally); });
  }
  if (!context.options.parts
           .empty()) {  // units have a few endings; and sanitized programs take long to build
    part("endings", "tool and judge are ended", [&] { run_endings(context, tally); });
    part("sanitized", "harness and tool under sanitizers", [&] { run_sanitized(context, tally); });
  }
  if (interrupted()) tally.fail("test", "interrupted");

  nlohmann::json document = report::document("test", nullptr, context.seed, results);
  document["tests"] = tally.json();
  const auto compilers = compiler_seconds(read_text(context.build.folder() / ".ninja_log"), began);
  document["times"] = times_json(times, compilers);
  context.write_json(document);
  if (context.options.times) context.terminal.print("\n" + times_text(times, compilers));
  context.terminal.print("\n" + tally.text(width));
  return tally.failures().empty() && (!context.options.strict || tally.skips().empty()) ? 0 : 1;
}

}  // namespace ladder
