#include "common/tool/exam/exam_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "common/base/usage_error.hpp"
#include "common/model/result_json.hpp"
#include "common/report/results/results.hpp"
#include "common/tool/judging/judging.hpp"
#include "common/trace/metrics.hpp"

namespace ladder::exam {
namespace {

using nlohmann::json;

std::string run_id(const Program& program, int size) {
  return fmt::format("{}@{}", program.id(), size);
}

/// What a run showed.
struct ShownRun {
  model::StepResult result{};
  json profile{};  ///< of a sized run its record of kind profile
};

/// By run_id().
using Shown = std::map<std::string, ShownRun>;

/// The runs of one lesson at one size; 0: as check judges.
struct Runs {
  std::string lesson;
  int size = 0;
  std::map<std::string, const Program*> programs{};
};

std::vector<Runs> runs_of(const std::vector<Question>& bank) {
  std::map<std::pair<std::string, int>, Runs> all;
  for (const Question& q : bank)
    for (const Program& p : q.programs) {
      Runs& runs = all[{p.lesson, q.size}];
      runs.lesson = p.lesson, runs.size = q.size;
      runs.programs[p.id()] = &p;
    }
  std::vector<Runs> list;
  for (auto& [_, runs] : all) list.push_back(std::move(runs));
  return list;
}

Job job_of(Context& context, const Program& program) {
  const StepEntry* step = context.catalogue.resolve({program.lesson + "/" + program.step}).front();
  Job job{.step = step, .tree = program.tree, .mutant = program.edit};
  job.place = Placer(context.placer().devices(), "executor").place(*step, context.build, job.worker_stem());
  return job;
}

std::string id_of(const model::Subject& run) {
  return fmt::format("{}/{}/{}{}", run.tree, run.lesson, run.step,
                     run.mutant.empty() ? "" : "~" + run.mutant);
}

/// Judges as check does, or profiles at a size.
void run(Context& context, const Runs& runs, Share share, Shown& shown) {
  Task task{.lesson = &context.catalogue.lesson(runs.lesson)};
  for (const auto& [_, program] : runs.programs) task.jobs.push_back(job_of(context, *program));
  if (runs.size > 0) task.kinds = {TestKind::profile};
  context.options.size = runs.size;
  const Outcome outcome = judge(context, std::move(task), share);
  context.options.size = 0;
  if (outcome.interrupted) throw UsageError{"interrupted: nothing was written"};
  if (!outcome.problems.empty()) throw UsageError{outcome.problems.front()};
  const auto at = [&](const model::Subject& run) -> ShownRun& {
    return shown[fmt::format("{}@{}", id_of(run), runs.size)];
  };
  for (const model::StepResult& r : outcome.steps)
    at({.lesson = r.lesson, .step = r.name, .tree = r.tree, .mutant = r.mutant}).result = r;
  for (const json& r : outcome.profiles) at(model::subject_of(r)).profile = r;
}

std::string verdict_in(const model::StepResult& r) {
  return fmt::format("{}: {}", name(r.verdict), r.message);
}

std::string answer_mistake(Question& q, const Shown& shown) {
  const Program& p = q.program();
  const model::StepResult& r = shown.at(run_id(p, 0)).result;
  if (name(r.verdict) != p.verdict) return fmt::format("must get {}, got {}", p.verdict, verdict_in(r));
  model::Details details;
  for (const auto& [heading, said] : r.details)
    if (heading != "Next" && details.size() < 3) details.emplace_back(heading, said);
  q.key.mistake = {
      .changed = p.changed, .verdict = p.verdict, .message = r.message, .details = details, .words = p.words};
  return "";
}

/// The record of a run at a size. @return why there is none
std::string profile_in(const Shown& shown, const std::string& id, json& profile) {
  const ShownRun& run = shown.at(id);
  if (!run.profile.is_object() || !run.profile.value("observation", json()).is_object())
    return fmt::format("was not counted: {}", verdict_in(run.result));
  if (run.result.verdict != Verdict::pass) return fmt::format("is not right: {}", verdict_in(run.result));
  profile = run.profile;
  return "";
}

std::string answer_count(Question& q, const Shown& shown) {
  json profile;
  if (auto why = profile_in(shown, run_id(q.program(), q.size), profile); !why.empty()) return why;
  const json& target = profile["target"];
  if (!target.is_object() || !target.value("amount", json()).is_number()) return "its number was not counted";
  const double amount = target["amount"], necessary = target["necessary_amount"];
  if (amount != std::round(amount)) return fmt::format("has no whole number: {}", amount);
  // The row's own function and the run must agree where the program is the row's.
  if (q.program().tree == "solutions" && amount != necessary)
    return fmt::format("{} by its row, {} by the run", necessary, amount);
  q.key.count = {.problem = profile.value("problem", ""),
                 .amount = amount,
                 .necessary = target.value("necessary", ""),
                 .necessary_amount = necessary};
  return "";
}

/// Sectors, or the rung's own number where they are equal and both programs are of one rung.
std::string answer_more(Question& q, const Shown& shown) {
  std::vector<double> sectors, own;
  std::string problem, metric;
  for (const Program& p : q.programs) {
    json profile;
    if (auto why = profile_in(shown, run_id(p, q.size), profile); !why.empty()) return why;
    const Observation seen = parse_observation(report::dump(profile["observation"]));
    sectors.push_back(metrics::sectors(seen));
    problem = profile.value("problem", "");
    const json& target = profile["target"];
    if (!target.is_object() || !target.value("amount", json()).is_number()) continue;
    own.push_back(target["amount"]);
    metric = target.value("metric", "");
  }
  const bool of_one_rung = q.programs[0].label == q.programs[1].label;
  const bool by_own =
      sectors[0] == sectors[1] && of_one_rung && own.size() == 2 && !asked_for(metric).empty();
  const auto& counts = by_own ? own : sectors;
  q.metric = by_own ? metric : "sectors";
  q.key.more = {.problem = problem,
                .counts = counts,
                .answer = counts[0] > counts[1]   ? "A"
                          : counts[1] > counts[0] ? "B"
                                                  : "the same"};
  return "";
}

std::string answer(Question& q, const Shown& shown) {
  if (q.ask == Ask::mistake) return answer_mistake(q, shown);
  return q.ask == Ask::count ? answer_count(q, shown) : answer_more(q, shown);
}

}  // namespace

std::vector<std::string> answer_all(Context& context, std::vector<Question>& bank, std::uint64_t seed) {
  const std::uint64_t before = context.seed;
  const std::string verb = context.options.verb;
  context.seed = seed;
  context.options.key.clear();
  context.options.verb = "check";  // whose words are asked for
  Shown shown;
  const auto all = runs_of(bank);
  const double size = 1.0 / static_cast<double>(std::max<std::size_t>(1, all.size()));
  for (std::size_t i = 0; i < all.size(); ++i)
    run(context, all[i], {static_cast<double>(i) * size, size, false, 0.5}, shown);
  context.seed = before;
  context.options.verb = verb;
  std::vector<std::string> left_out;
  std::erase_if(bank, [&](Question& q) {
    const std::string why = answer(q, shown);
    if (!why.empty()) left_out.push_back(fmt::format("{}: {}", q.id, why));
    return !why.empty();
  });
  return left_out;
}

}  // namespace ladder::exam
