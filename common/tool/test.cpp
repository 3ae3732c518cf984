/// @file
/// The verb test: the tests of the repository.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "common/base/clock.hpp"
#include "common/report/results.hpp"
#include "common/tool/added_lines.hpp"
#include "common/tool/context.hpp"
#include "common/tool/handout_check.hpp"
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

/// The parts of a test: runs those that are wanted, one after another, and prints a line for each.
class Parts {
 public:
  Parts(Context& context, Tally& tally) : context_(context), tally_(tally) {}

  bool wanted(const std::string& part) const {
    const auto& parts = context_.options.parts;
    return !interrupted() && (parts.empty() || std::find(parts.begin(), parts.end(), part) != parts.end());
  }

  template <class Work>
  void run(const std::string& name, const std::string& title, Work&& work) {
    if (!wanted(name)) return;
    const int passed = tally_.passed();
    const std::size_t failed = tally_.failures().size(), skipped = tally_.skips().size();
    const double built = context_.build.seconds();
    const double used = processor_seconds_used();
    const Stopwatch watch;
    context_.terminal.begin_work();
    work();
    times_.push_back({.name = title,
                      .seconds = watch.seconds(),
                      .processor = processor_seconds_used() - used,
                      .building = context_.build.seconds() - built,
                      .programs = tally_.take_times()});
    context_.terminal.end_work();
    context_.terminal.print(fmt::format("{:<42} {:>4} passed, {} failed, {} skipped", title,
                                        tally_.passed() - passed, tally_.failures().size() - failed,
                                        tally_.skips().size() - skipped));
  }

  const std::vector<PartTime>& times() const { return times_; }

 private:
  Context& context_;
  Tally& tally_;
  std::vector<PartTime> times_;
};

/// What a part may need is built while parts before it run: one core is enough for most programs that are started there.
void build_ahead(Context& context, const std::vector<LessonEntry*>& lessons, const Parts& parts) {
  std::vector<std::string> ahead =
      targets_ahead(context, lessons, [&](const std::string& part) { return parts.wanted(part); });
  if (parts.wanted("nvcc"))
    for (const std::string& object : nvcc_objects(context, lessons)) ahead.push_back(object);
  context.build.ahead(std::move(ahead));
}

void run_parts(Context& context, const std::vector<LessonEntry*>& lessons, Tally& tally, Parts& parts,
               std::vector<nlohmann::json>& results) {
  const auto resolved = context.catalogue.resolve(context.options.names);
  const std::set<const StepEntry*> chosen(resolved.begin(), resolved.end());
  const bool all = context.options.names.empty();  // with lessons named, only what belongs to them
  parts.run("tree", "trees", [&] { check_trees(context, lessons, chosen, tally); });
  const auto with_table = [&](const char* part, const char* title, const auto& check) {
    std::string table;
    parts.run(part, title, [&] { table = check(context, lessons, chosen, tally); });
    const auto& named = context.options.parts;
    if (std::find(named.begin(), named.end(), part) != named.end()) context.terminal.print(table);
  };
  with_table("lines", "a rung adds what one idea needs", check_added_lines);
  with_table("copies", "a course's skeletons show no reference", check_copies);
  choose_steps(context, lessons, chosen, tally);
  build_ahead(context, lessons, parts);
  if (all) parts.run("units", "harness and tool", [&] { run_units(context, tally); });
  parts.run("skeletons", "skeletons are NOT STARTED",
            [&] { judge_skeletons(context, lessons, tally, results); });
  parts.run("solutions", "solutions PASS", [&] { judge_solutions(context, lessons, tally, results); });
  if (geteuid() == 0)
    parts.run("nobody", "as nobody: harness, tool, lesson 00",
              [&] { run_as_nobody(context, lessons, tally, results); });
  parts.run("attempts", "attempts get their verdicts",
            [&] { judge_attempts(context, lessons, tally, results); });
  const auto& named = context.options.parts;
  const bool attacks_named = std::find(named.begin(), named.end(), "attacks") != named.end();
  parts.run("attacks", "attacks on grading",
            [&] { grade_attacks(context, lessons, attacks_named, tally); });
  parts.run("mutants", "mutants get their verdicts",
            [&] { judge_mutants(context, lessons, tally, results); });
  parts.run("findings", "nothing is found in solutions",
            [&] { judge_findings(context, lessons, tally, results); });
  parts.run("nvcc", "CUDA sources compile with nvcc", [&] { check_nvcc(context, lessons, tally); });
  if (all) parts.run("docs", "documentation", [&] { check_docs(context, tally); });
  if (all) parts.run("example", "the page about new rungs, followed", [&] { follow_page(context, tally); });
  if (context.options.parts.empty()) return;  // these two take long: only where they are named
  parts.run("endings", "tool and judge are ended", [&] { run_endings(context, tally); });
  parts.run("sanitized", "harness and tool under sanitizers", [&] { run_sanitized(context, tally); });
}

}  // namespace

int test(Context& context) {
  for (const std::string& part : context.options.parts)
    if (std::find(test_parts().begin(), test_parts().end(), part) == test_parts().end())
      throw UsageError{unknown("part of test", part, test_parts())};
  const auto lessons = context.catalogue.resolve_lessons(context.options.names);
  context.placer();  // an unknown device is said before anything is built
  context.build.refresh();
  context.read_tables(lessons);

  Tally tally;
  const auto width = static_cast<std::size_t>(context.terminal.width());
  tally.on_failure([&](const Tally::Entry& failure) { context.terminal.print(told(failure, width)); });
  std::vector<nlohmann::json> results;
  Parts parts(context, tally);
  const std::int64_t began = now_in_ninja_log();
  run_parts(context, lessons, tally, parts, results);
  if (interrupted()) tally.fail("test", "interrupted");

  nlohmann::json document = report::document("test", nullptr, context.seed, results);
  document["tests"] = tally.json();
  const auto compilers = compiler_seconds(context.build.log(), began);
  document["times"] = times_json(parts.times(), compilers);
  context.write_json(document);
  if (context.options.times) context.terminal.print("\n" + times_text(parts.times(), compilers));
  context.terminal.print("\n" + tally.text(width));
  return tally.failures().empty() && (!context.options.strict || tally.skips().empty()) ? 0 : 1;
}

}  // namespace ladder
