/// @file
/// The parts of the verb test that judge: solutions, skeletons, mutants, attempts.

#include <fmt/format.h>

#include <algorithm>

#include "common/lesson/lesson.hpp"
#include "common/report/results.hpp"
#include "common/tool/attempts.hpp"
#include "common/tool/cut.hpp"
#include "common/tool/judging.hpp"
#include "common/tool/names.hpp"
#include "common/tool/test_parts.hpp"
#include "common/tool/tree_checks.hpp"

namespace ladder {
namespace {

using nlohmann::json;

/// Decides whether one result is what it should be; empty when it is.
using Expectation = std::function<std::string(const json& result)>;

std::string name_of(const json& r) {
  const std::string mutant = r.value("mutant", "");
  return fmt::format("{} {}/{}{} on {}", r.value("tree", ""), r.value("lesson", ""), r.value("name", ""),
                     mutant.empty() ? "" : "~" + mutant, r.value("device", ""));
}

std::string said(const json& r) {
  std::string text = r.value("verdict", "") + ": " + r.value("message", "");
  for (const json& d : r.value("details", json::array()))
    if (d.is_array() && d.size() == 2)
      text += "\n" + d[0].get<std::string>() + ": " + d[1].get<std::string>();
  return text;
}

/// Why nothing can be said of a solution here: it cannot run, or a number of its row cannot be measured or decided.
std::string skipped(const json& r) {
  const bool undecided = r["verdict"] == "INCONCLUSIVE";  // this machine's cores, and no fault of the step
  return undecided || r["verdict"] == "SKIPPED" ? r.value("message", "not run") : "";
}

/// Counts one result. @param untold  why it says nothing of what was expected; empty text: it does
void take(const json& r, const Expectation& wrong, Tally& tally, const Expectation& untold) {
  if (const std::string reason = untold(r); !reason.empty()) return tally.skip(name_of(r), reason);
  const std::string why = wrong(r);
  tally.expect(why.empty(), name_of(r), why);
}

/// Keeps what a lesson's judge found, each step of which is counted already.
void keep(const LessonEntry& lesson, const Outcome& outcome, Tally& tally, std::vector<json>& results) {
  tally.took(lesson.name, outcome.seconds);
  for (const std::string& problem : outcome.problems) tally.fail(lesson.name, problem);
  json entry = {{"name", lesson.name}, {"title", lesson.title}, {"steps", outcome.steps}};
  if (!outcome.problems.empty()) entry["problems"] = outcome.problems;
  results.push_back(entry);
}

/// Judges; a step is counted as soon as it is judged, so that a failure is told where it happens.
void judge_all(Context& context, Task task, Share share, const Expectation& wrong, Tally& tally,
               std::vector<json>& results, const Expectation& untold = skipped) {
  if (task.jobs.empty() || interrupted()) return;
  const LessonEntry& lesson = *task.lesson;
  const Outcome outcome =
      judge(context, std::move(task), share, [&](const json& r) { take(r, wrong, tally, untold); });
  keep(lesson, outcome, tally, results);
}

Share share_of(std::size_t i, std::size_t n) {
  return {static_cast<double>(i) / static_cast<double>(n), 1.0 / static_cast<double>(n), n == 1, 0.5};
}

/// The steps of a lesson whose files are in the tree.
std::vector<StepEntry*> steps_in(const Context& context, LessonEntry& lesson, const std::string& tree) {
  std::vector<StepEntry*> steps;
  for (StepEntry& s : lesson.steps)
    if (std::filesystem::exists(source_of(context.root, tree, s))) steps.push_back(&s);
  return steps;
}

/// The jobs, and for each that runs on a GPU its twin on the executor.
std::vector<Job> with_twins(Context& context, std::vector<Job> jobs) {
  for (std::size_t j = 0, n = jobs.size(); j < n; ++j) {
    if (jobs[j].place.backend != "cuda" || jobs[j].decided) continue;
    Job twin = jobs[j];
    twin.place = {"executor", "executor", "", {}};
    if (context.build.knows(twin.worker())) jobs.push_back(twin);
  }
  return jobs;
}

bool is_given(const StepEntry& step) {
  return step.row.is_object() && step.kind() == "D";
}

/// The mutant's own device, else the executor for CUDA: on a GPU many a race shows only sometimes.
Placement place_mutant(Context& context, const Job& job, const std::string& device) {
  const std::string wish = !device.empty()                   ? device
                           : !context.options.device.empty() ? context.options.device
                           : job.step->family() == "cuda"    ? "executor"
                                                             : "";
  try {
    return Placer(context.placer().devices(), wish).place(*job.step, context.build, job.worker_stem());
  } catch (const UsageError& none) {
    return {"none", wish, none.text, {}};
  }
}

/// A job for each edit of a solution in tests/NN-name/<kind> that can run here; the others are counted as skipped.
std::vector<std::pair<cut::Mutant, Job>> edited_jobs(Context& context, const StepEntry& step,
                                                     const std::string& kind, Tally& tally) {
  std::vector<std::pair<cut::Mutant, Job>> jobs;
  const auto file = edits_of(context.root, step, kind);
  const std::string text = read_text(file);
  if (text.empty()) return jobs;
  try {
    for (const cut::Mutant& m : cut::read_mutants(text, file.string())) {
      Job job{.step = &step, .tree = kind, .mutant = m.name};
      job.place = place_mutant(context, job, m.device);
      if (job.place.skip.empty())
        jobs.emplace_back(m, job);
      else
        tally.skip(fmt::format("{} {}/{}~{}", kind, step.lesson, step.name, m.name), job.place.skip);
    }
  } catch (const cut::Error& error) {
    tally.fail(kind + " " + step.path(), error.what());
  }
  return jobs;
}

std::string wrong_mutant(const cut::Mutant& mutant, const json& r) {
  const std::string all = said(r);
  if (const json& got = r["verdict"]; got != mutant.verdict && got != mutant.other_verdict)
    return fmt::format("expected {}{}{}, got {}", mutant.verdict, mutant.other_verdict.empty() ? "" : " or ",
                       mutant.other_verdict, all);
  // A mutant that cannot even be cut would look like one that does not compile.
  if (r.value("message", "").find(".mutants:") != std::string::npos) return all;
  for (const std::string& word : mutant.words)
    if (all.find(word) == std::string::npos) return fmt::format("\"{}\" is not in {}", word, all);
  return "";
}

/// What the judge could not look for here, in a step that must be wrong and passed; empty: it looked for everything.
std::string not_looked_for(const std::string& expected, const json& r) {
  if (r["verdict"] == "PASS" && expected == "WRONG")
    for (const json& d : r.value("details", json::array()))
      if (const std::string text = d[1]; text.find(" not looked for: ") != std::string::npos) return text;
  return "";
}

/// Why a mutant says nothing: it cannot run here, or the kind of test that would have told could not.
/// Empty: it says something.
std::string untold_mutant(const cut::Mutant& mutant, const json& r) {
  if (const std::string reason = not_looked_for(mutant.verdict, r); !reason.empty()) return reason;
  if (r["verdict"] != "SKIPPED" || !report::is_done(r)) return skipped(r);
  const char* telling = mutant.verdict == "MISSED" || mutant.verdict == "REVIEW" ? "targets" : "findings";
  for (const json& k : r.value("kinds", json::array()))
    if (k["verdict"] == "SKIPPED" && k.value("kind", "") == telling) return k.value("message", "");
  return "";
}

// ---- what each part judges of a lesson

Task skeletons_of(Context& context, LessonEntry& lesson) {
  auto steps = steps_in(context, lesson, "lessons");
  std::erase_if(steps, [](const StepEntry* s) { return is_given(*s); });
  // A skeleton throws in its first call: no other kind could see more.
  return {.lesson = &lesson, .jobs = jobs_for(context, steps, "lessons"), .kinds = {TestKind::correctness}};
}

Task solutions_of(Context& context, LessonEntry& lesson, std::vector<TestKind> kinds) {
  const auto steps = steps_in(context, lesson, "solutions");
  return {.lesson = &lesson,
          .jobs = with_twins(context, jobs_for(context, steps, "solutions")),
          .kinds = std::move(kinds)};
}

const std::vector<TestKind> of_solutions = {TestKind::correctness, TestKind::targets};

/// The edits of a lesson's solutions. Most mutants show in their results. The observed program, half of what there is to
/// build, is for the others.
struct Edits {
  Task by_results, by_more;
  std::map<std::string, cut::Mutant> known{};

  const cut::Mutant& of(const json& r) const {
    return known.at(r.value("name", "") + "~" + r.value("mutant", ""));
  }
};

Edits edits_of(Context& context, LessonEntry& lesson, Tally& tally) {
  Edits edits{.by_results = {.lesson = &lesson, .kinds = {TestKind::correctness}},
              .by_more = {.lesson = &lesson}};
  for (const StepEntry& step : lesson.steps)
    for (const char* kind : {"mutants", "variants"})
      for (auto [mutant, job] : edited_jobs(context, step, kind, tally)) {
        edits.known[step.name + "~" + mutant.name] = mutant;
        job.targets_only =
            mutant.verdict == "MISSED" || mutant.verdict == "REVIEW" || mutant.verdict == "PASS";
        (job.targets_only ? edits.by_more : edits.by_results).jobs.push_back(job);
      }
  return edits;
}

}  // namespace

std::vector<std::string> targets_ahead(Context& context, const std::vector<LessonEntry*>& lessons,
                                       const std::function<bool(const std::string& part)>& wanted) {
  std::vector<std::string> targets;
  const auto add = [&](const Task& task) {
    if (task.jobs.empty()) return;
    const auto more = targets_of(context, task);
    targets.insert(targets.end(), more.begin(), more.end());
  };
  Tally told_later;
  for (LessonEntry* lesson : lessons) {
    if (wanted("skeletons")) add(skeletons_of(context, *lesson));
    if (wanted("solutions")) add(solutions_of(context, *lesson, of_solutions));
    if (wanted("findings")) add(solutions_of(context, *lesson, {TestKind::findings}));
    if (!wanted("mutants")) continue;
    const Edits edits = edits_of(context, *lesson, told_later);
    add(edits.by_results);
    add(edits.by_more);
  }
  return targets;
}

void judge_solutions(Context& context, const std::vector<LessonEntry*>& lessons, Tally& tally,
                     std::vector<json>& results) {
  for (std::size_t i = 0; i < lessons.size(); ++i) {
    const auto wrong = [](const json& r) {
      return r["verdict"] == "PASS" ? "" : "expected PASS, got " + said(r);
    };
    judge_all(context, solutions_of(context, *lessons[i], of_solutions), share_of(i, lessons.size()), wrong,
              tally, results);
  }
}

void judge_as_nobody(Context& context, LessonEntry& lesson, Tally& tally, std::vector<json>& results) {
  const auto steps = steps_in(context, lesson, "solutions");
  Task task{.lesson = &lesson, .jobs = jobs_for(context, steps, "solutions"), .as_nobody = true};
  if (task.jobs.empty() || interrupted()) return;
  const Outcome outcome = judge(context, std::move(task), {}, [&](const json& r) {
    if (const std::string reason = skipped(r); !reason.empty())
      return tally.skip(name_of(r) + " as nobody", reason);
    tally.expect(r["verdict"] == "PASS", name_of(r) + " as nobody", "expected PASS, got " + said(r));
  });
  keep(lesson, outcome, tally, results);
}

void judge_findings(Context& context, const std::vector<LessonEntry*>& lessons, Tally& tally,
                    std::vector<json>& results) {
  for (std::size_t i = 0; i < lessons.size(); ++i) {
    const auto wrong = [](const json& r) {
      return r["verdict"] == "PASS" ? "" : "expected no finding, got " + said(r);
    };
    judge_all(context, solutions_of(context, *lessons[i], {TestKind::findings}), share_of(i, lessons.size()),
              wrong, tally, results);
  }
}

void judge_skeletons(Context& context, const std::vector<LessonEntry*>& lessons, Tally& tally,
                     std::vector<json>& results) {
  for (std::size_t i = 0; i < lessons.size(); ++i) {
    const auto wrong = [](const json& r) {
      return r["verdict"] == "NOT STARTED" ? "" : "expected NOT STARTED, got " + said(r);
    };
    judge_all(context, skeletons_of(context, *lessons[i]), share_of(i, lessons.size()), wrong, tally,
              results);
  }
}

void judge_mutants(Context& context, const std::vector<LessonEntry*>& lessons, Tally& tally,
                   std::vector<json>& results) {
  for (std::size_t i = 0; i < lessons.size(); ++i) {
    Edits edits = edits_of(context, *lessons[i], tally);
    const auto wrong = [&](const json& r) { return wrong_mutant(edits.of(r), r); };
    const auto untold = [&](const json& r) { return untold_mutant(edits.of(r), r); };
    Share share = share_of(i, lessons.size());
    share.size /= 2;
    if (!edits.by_results.jobs.empty() && !interrupted()) {
      Outcome outcome = judge(context, edits.by_results, share);
      std::erase_if(outcome.steps, [&](const json& r) {
        if (wrong(r).empty()) return false;
        const auto& jobs = edits.by_results.jobs;
        const auto job = std::find_if(jobs.begin(), jobs.end(), [&](const Job& j) {
          return j.step->name == r.value("name", "") && j.mutant == r.value("mutant", "");
        });
        edits.by_more.jobs.push_back(*job);
        return true;
      });
      for (const json& r : outcome.steps) take(r, wrong, tally, untold);
      keep(*lessons[i], outcome, tally, results);
    }
    share.begin += share.size;
    judge_all(context, std::move(edits.by_more), share, wrong, tally, results, untold);
  }
}

void judge_attempts(Context& context, const std::vector<LessonEntry*>& lessons, Tally& tally,
                    std::vector<json>& results) {
  for (std::size_t i = 0; i < lessons.size(); ++i) {
    std::vector<Job> jobs;
    std::map<std::string, Attempt> known;
    for (const StepEntry& step : lessons[i]->steps)
      for (const auto& [name, file] : attempts_of(context.root, step)) try {
          known[step.name + "~" + name] = read_attempt(read_text(file));
          Job job{.step = &step, .tree = "attempts", .mutant = name};
          job.place = place_mutant(context, job, step.family() == "cuda" ? "executor" : "");
          jobs.push_back(job);
        } catch (const Error& error) {
          tally.fail(path_in(context.root, file), error.what());
        }
    const auto of = [&](const json& r) -> const Attempt& {
      return known.at(r.value("name", "") + "~" + r.value("mutant", ""));
    };
    const auto wrong = [&](const json& r) { return wrong_attempt(of(r), r); };
    const auto untold = [&](const json& r) {
      return not_looked_for(of(r).verdict, r);
    };  // SKIPPED is wrong, too
    judge_all(context, {.lesson = lessons[i], .jobs = std::move(jobs)}, share_of(i, lessons.size()), wrong,
              tally, results, untold);
  }
}

}  // namespace ladder
