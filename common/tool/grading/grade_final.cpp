/// @file
/// The final phase of a grade: time and private tests, added to records without changing what is in them.

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <set>

#include "common/base/files/json_file.hpp"
#include "common/base/usage_error.hpp"
#include "common/grade/repeatability.hpp"
#include "common/report/results/results.hpp"
#include "common/tool/grading/grade_batch.hpp"
#include "common/tool/grading/grade_course.hpp"
#include "common/tool/grading/grade_lanes.hpp"
#include "common/tool/grading/grade_store.hpp"
#include "common/tool/grading/grades_lock.hpp"
#include "common/tool/grading/submission/judge_again.hpp"
#include "common/tool/grading/submission/regrade_changes.hpp"
#include "common/tool/machine/machine.hpp"

namespace ladder {
namespace fs = std::filesystem;
namespace {

using nlohmann::json;

constexpr std::size_t measured_twice = 5;  // the first submissions, once more at the end

/// The records of a folder. @throws UsageError when there are none
std::vector<model::GradeRecord> records_in(const GradeStore& store) {
  std::vector<model::GradeRecord> records = store.records();
  if (records.empty())
    throw UsageError{fmt::format("--into {}: no grades there; ./ladder grade SUBMISSIONS --out writes them",
                                 store.folder().string())};
  return records;
}

/// The steps of the records, in their order.
std::vector<std::string> steps_of(const std::vector<model::GradeRecord>& records) {
  std::vector<std::string> names;
  for (const model::GradeRecord& record : records)
    for (const model::GradeEntry& step : record.steps)
      if (std::find(names.begin(), names.end(), grade::step_id(step)) == names.end())
        names.push_back(grade::step_id(step));
  return names;
}

/// The machine that measures, as a student reads it: the GPU where there is one, and the processor.
std::string machine_name(const Batch& batch) {
  const model::Machine machine = machine_facts(false);
  std::string name = fmt::format("{}, {} cores", machine.cpu, machine.cores);
  std::set<std::string> gpus;
  for (const GradedStep& step : batch.steps)
    for (const model::Device& device : machine.devices)
      if (device.id == step.place.device && device.kind == "gpu") gpus.insert(device.name);
  for (const std::string& gpu : gpus) name = gpu + "; " + name;
  return name;
}

/// @throws UsageError when times of these rungs are there that another machine measured
void check_machine(const Batch& batch, const std::vector<model::GradeRecord>& records) {
  for (const model::GradeRecord& record : records)
    for (const model::GradeEntry& step : record.steps) {
      if (step.part != "time") continue;
      const std::string before = step.measured_on;
      const bool again = std::any_of(batch.steps.begin(), batch.steps.end(), [&](const GradedStep& one) {
        return one.step->path() == grade::step_id(step);
      });
      if (again && before != batch.measured_on)
        throw UsageError{
            fmt::format("{} was timed on {}, this is {}: all time points of a rung come from one machine",
                        grade::step_id(step), before, batch.measured_on)};
    }
}

/// The order of measuring, which favours nobody.
void shuffle(std::vector<Submission>& submissions, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  for (std::size_t i = submissions.size(); i > 1; --i)
    std::swap(submissions[i - 1], submissions[random() % i]);
}

void check_options(const Context& context) {
  const GradeOptions& options = context.options.grade;
  if (!context.options.names.empty())
    throw UsageError{
        "--phase final measures the graded submissions: name no submissions, only --into FOLDER"};
  if (options.into.empty())
    throw UsageError{"--phase final adds to existing grades: name their folder with --into FOLDER"};
  if (!options.out.empty()) throw UsageError{"--phase final adds to the grades of --into: omit --out"};
  if (options.jobs > 1)
    throw UsageError{
        "--phase final judges one submission at a time, so that times can be compared: omit --jobs"};
  refuse_typed(context.options, {"--attempt", "--shard", "--roster", "--received", "--reference"},
               "is for submissions that are graded first; --phase final measures those of --into");
}

/// What was taken in before, as submissions.
std::vector<Submission> graded_submissions(const Batch& batch,
                                           const std::vector<model::GradeRecord>& records) {
  std::vector<Submission> submissions;
  for (const model::GradeRecord& record : records) {
    const std::string pseudonym = record.pseudonym;
    if (record.key_id.value_or("") != grade::key_id(batch.key))
      throw UsageError{fmt::format("{} was graded with another class key: pass the same --key", pseudonym)};
    if (!batch.options.only.empty() && batch.options.only != pseudonym) continue;
    const fs::path sources = batch.out / "sources" / pseudonym;
    if (!fs::is_directory(sources))
      throw UsageError{fmt::format("{}: its sources are gone; grade it again", sources.string())};
    submissions.push_back({.name = record.submission.name,
                           .pseudonym = pseudonym,
                           .path = sources,
                           .attempt = record.submission.attempt});
  }
  if (submissions.empty())
    throw UsageError{
        fmt::format("--only {}: no such submission in {}", batch.options.only, batch.out.string())};
  return submissions;
}

/// What people have fixed is judged as it is fixed.
void use_amended(const Batch& batch, const std::vector<model::GradeRecord>& records,
                 std::vector<Submission>& submissions) {
  const GradeStore store(batch.out);
  for (const model::GradeRecord& record : records)
    for (Submission& one : submissions)
      if (one.pseudonym == record.pseudonym && fs::exists(batch.out / "amended" / one.pseudonym)) {
        one.path = batch.work / "amended" / one.pseudonym;
        lay_out(store, record, one.path);
      }
}

/// What the rungs that are timed are compared by.
std::vector<grade::TimedStep> timed_steps(const Batch& batch) {
  std::vector<grade::TimedStep> steps;
  for (const GradedStep& step : batch.steps)
    if (step.has(batch.parts.back()))
      steps.push_back({.id = step.step->path(),
                       .label = step.step->label(),
                       .peer = step.step->row.value("time", json::object()).value("peer", "")});
  return steps;
}

/// Those that are measured a second time, after all: the first ones, and the reference.
std::vector<Submission> second_measurements(const Batch& batch, const Submission& reference,
                                            const std::vector<Submission>& submissions, Workplace& place) {
  std::vector<Submission> again(
      submissions.begin(),
      submissions.begin() + static_cast<long>(std::min(measured_twice, submissions.size())));
  for (Submission& one : again) one.uid = place.next_user();
  again.insert(again.begin(), reference);
  for (Submission& one : again) one.again = batch.out / "final" / (one.pseudonym + ".json");
  return again;
}

/// The final phase of a folder as it stands: final.json, written before the work, so that nothing that ends
/// the grader leaves a phase that looks done.
class FinalState {
 public:
  explicit FinalState(const Batch& batch) : batch_(batch), now_(read_json(file())) {
    if (!now_.is_object()) now_ = json::object();
  }
  bool is_interrupted() const { return now_.value("state", "") == "interrupted"; }
  std::uint64_t seed() const { return now_.value("seed", std::uint64_t{0}); }

  /// Begins again: what was measured before counts as not measured.
  void begin(std::uint64_t seed, const std::vector<Submission>& submissions) {
    fs::remove_all(folder());
    now_ = {{"state", "interrupted"}, {"seed", seed}, {"measured_on", batch_.measured_on}};
    for (const Submission& submission : submissions) now_["order"].push_back(submission.pseudonym);
    write();
  }
  /// Whether a submission was measured, to its end.
  bool has(const Submission& submission) const { return fs::exists(measured_file(batch_, submission)); }
  void end(const std::string& state, const grade::Repeatability& twice) {
    now_["state"] = state;
    now_["again"] = twice.pairs;
    now_.erase("flagged");
    now_.erase("reasons");
    if (state == "flagged" || state == "agrees") now_["flagged"] = twice.flagged();
    if (state == "flagged") now_["reasons"] = twice.reasons();
    write();
  }

 private:
  fs::path file() const { return batch_.out / "final.json"; }
  fs::path folder() const { return batch_.out / "final"; }
  void write() const { write_text(file(), report::dump(now_, 1) + "\n"); }

  const Batch& batch_;
  json now_;
};

/// Begins the phase, or goes on with it, in its order. @return what is still to be measured @throws
/// UsageError
std::vector<Submission> begin_or_go_on(const Context& context, Batch& batch, FinalState& final_state,
                                       std::vector<Submission>& submissions) {
  const bool resume = batch.options.resume;
  if (resume && !final_state.is_interrupted())
    throw UsageError{fmt::format("--resume: no final phase in {} was interrupted", batch.out.string())};
  if (!resume && final_state.is_interrupted() && !context.options.seed)
    throw UsageError{fmt::format(
        "the final phase in {} was interrupted: --resume goes on with it, --seed N begins it again",
        batch.out.string())};
  const std::uint64_t seed = resume                 ? final_state.seed()
                             : context.options.seed ? *context.options.seed
                                                    : std::random_device{}();
  shuffle(submissions, seed);
  if (!resume) final_state.begin(seed, submissions);
  std::vector<Submission> todo;
  for (const Submission& submission : submissions)
    if (!final_state.has(submission)) todo.push_back(submission);
  batch.context.terminal.print(fmt::format(
      "final: {} submissions on {}{}, one after another, in the order of --seed {}", submissions.size(),
      batch.measured_on,
      resume ? fmt::format(", {} of them measured already", submissions.size() - todo.size()) : "", seed));
  return todo;
}

void say_what_stays_open(const Batch& batch) {
  for (const GradedStep& step : batch.steps)
    if (step.time_points > 0 && !step.has(batch.parts.back()))
      batch.context.terminal.print(fmt::format(
          "{}: {}; its time stays open", step.step->label(),
          step.place.skip.empty() ? "no GPU here, and the executor's times say nothing" : step.place.skip));
}

/// What the phase has found, in the words of those who run it.
void say_how_it_ended(Context& context, const std::string& state, const grade::Repeatability& twice,
                      const fs::path& out) {
  for (const std::string& line : twice.reasons()) context.terminal.print(line);
  if (state == "flagged" && !twice.differ.empty())
    context.terminal.print(
        "FLAGGED: the machine was not the same at the end; look at final.json, and measure again before "
        "points count");
  if (state == "flagged" && !twice.below_full.empty())
    context.terminal.print(
        "FLAGGED: the reference itself is too slow here: something else worked on this machine, or the "
        "bounds are another's (./ladder grade calibrate makes its own); measure again before points count");
  if (state == "interrupted")
    context.terminal.print(fmt::format(
        "interrupted: not all was measured, and nothing says whether the machine stayed the same; "
        "./ladder grade --phase final --into {} --resume goes on",
        out.string()));
}

/// By which private tests each step was judged.
TestSums private_sums(const Batch& batch) {
  TestSums sums;
  for (const GradedStep& step : batch.steps)
    if (!step.private_judge.empty()) sums[step.step->path()] = step.private_hash;
  return sums;
}

int run_final(Batch& batch, std::vector<Submission>& submissions, Workplace& place) {
  Context& context = batch.context;
  const std::vector<grade::TimedStep> timed = timed_steps(batch);
  FinalState final_state(batch);
  std::vector<Submission> todo = begin_or_go_on(context, batch, final_state, submissions);
  say_what_stays_open(batch);
  if (timed.empty()) context.build.share();  // a time is measured alone
  context.terminal.begin_work();
  const Submission reference = place.reference();
  find_open_points(batch, judge_reference(batch, reference));
  for (Submission& submission : todo) submission.uid = place.next_user();
  std::vector<std::string> problems = grade_all(batch, todo, 1);
  const auto measured = [&](const Submission& one) { return final_state.has(one); };
  bool all = !interrupted() && std::all_of(submissions.begin(), submissions.end(), measured);
  grade::Repeatability twice;
  if (!timed.empty() && all) {
    fs::create_directories(batch.out / "final");
    const auto again = second_measurements(batch, reference, submissions, place);
    for (const std::string& problem : grade_all(batch, again, 1)) problems.push_back(problem);
    all = !interrupted();
    for (const Submission& one : again)
      if (fs::exists(one.again)) {
        const model::GradeRecord first = grade::read_record(batch.record_of(one)),
                                 second = grade::read_record(one.again);
        twice.compare(first, second, timed);
        if (one.pseudonym != reference_name) continue;
        twice.look_at_reference(first, timed);
        twice.look_at_reference(second, timed);
      }
    const std::string others = all ? others_on_gpu(batch) : "";
    if (!others.empty()) twice.differ.push_back("at the beginning nobody else used the GPU; now " + others);
  }
  context.terminal.end_work();
  const std::string state = grade::final_state(all, !timed.empty(), twice);
  final_state.end(state, twice);
  const GradeStore store(batch.out);
  if (all && batch.options.only.empty()) keep_private_sums(store, private_sums(batch));
  store.write_pages();
  for (const std::string& problem : problems) context.terminal.print(problem);
  say_how_it_ended(context, state, twice, batch.out);
  for (const model::GradeRecord& record : store.records())
    context.terminal.print(fmt::format("{}: {}", record.pseudonym, grade::total_text(record)));
  return problems.empty() && (state == "agrees" || state == "untimed") ? 0 : 1;
}

}  // namespace

int grade_final(Context& context) {
  check_options(context);
  GradeOptions options = with_course(context.options.grade);
  options.out = options.into;
  take_allowed(options, options.into);
  Batch batch{.context = context, .options = options};
  batch.is_final = true;
  batch.out = fs::absolute(options.into).lexically_normal();
  const std::vector<model::GradeRecord> records = records_in(GradeStore(batch.out));
  const GradesLock lock(batch.out, GradesLock::changes);
  batch.key = class_key(options);
  auto submissions = graded_submissions(batch, records);
  batch.parts = {{.name = "time", .key = "time", .kinds = {TestKind::time}}};
  if (!options.private_tests.empty()) batch.parts.insert(batch.parts.begin(), private_part(options));
  Workplace place(batch);
  use_amended(batch, records, submissions);
  place.prepare(options.rungs.empty() ? steps_of(records) : options.rungs,
                submissions.size() + measured_twice);
  batch.grader = {.key_id = grade::key_id(batch.key)};
  batch.measured_on = machine_name(batch);
  check_machine(batch, records);
  check_bounds(batch);
  check_alone(batch);
  prepare_private(batch);
  batch.of_reference.reset();  // it is judged by the same parts as all
  return run_final(batch, submissions, place);
}

}  // namespace ladder
