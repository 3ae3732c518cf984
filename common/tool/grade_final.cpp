/// @file
/// The final phase of a grade: time and private tests, added to records without changing what is in them.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <random>
#include <set>

#include "common/report/results.hpp"
#include "common/tool/grade_batch.hpp"
#include "common/tool/grade_course.hpp"
#include "common/tool/grade_lanes.hpp"
#include "common/tool/grade_store.hpp"
#include "common/tool/grade_uids.hpp"
#include "common/tool/machine.hpp"
#include "common/tool/names.hpp"

namespace ladder {
namespace fs = std::filesystem;
namespace {

using nlohmann::json;

constexpr std::size_t measured_twice = 5;  // the first submissions, once more at the end

json read_json(const fs::path& file) {
  return json::parse(read_text(file), nullptr, false);
}

/// The records of a folder, by their files. @throws UsageError when there are none
std::vector<json> records_in(const fs::path& out) {
  std::vector<json> records;
  if (fs::is_directory(out / "records"))
    for (const auto& entry : fs::directory_iterator(out / "records"))
      if (entry.path().extension() == ".json") records.push_back(grade::read_record(entry.path()));
  if (records.empty())
    throw UsageError{fmt::format("--into {}: no grades there; ./ladder grade SUBMISSIONS --out writes them",
                                 out.string())};
  std::sort(records.begin(), records.end(),
            [](const json& a, const json& b) { return a["pseudonym"] < b["pseudonym"]; });
  return records;
}

/// The steps of the records, in their order.
std::vector<std::string> steps_of(const std::vector<json>& records) {
  std::vector<std::string> names;
  for (const json& record : records)
    for (const json& step : record["steps"])
      if (std::find(names.begin(), names.end(), grade::step_id(step)) == names.end())
        names.push_back(grade::step_id(step));
  return names;
}

/// The machine that measures, as a student reads it: the GPU where there is one, and the processor.
std::string machine_name(const Batch& batch) {
  const json machine = machine_facts(false);
  std::string name =
      fmt::format("{}, {} cores", machine.value("cpu", "unknown processor"), machine.value("cores", 0));
  std::set<std::string> gpus;
  for (const GradedStep& step : batch.steps)
    for (const json& device : machine["devices"])
      if (device.value("id", "") == step.place.device && device.value("kind", "") == "gpu")
        gpus.insert(device.value("name", ""));
  for (const std::string& gpu : gpus) name = gpu + "; " + name;
  return name;
}

/// @throws UsageError when times of these rungs are there that another machine measured
void check_machine(const Batch& batch, const std::vector<json>& records) {
  for (const json& record : records)
    for (const json& step : record["steps"]) {
      if (step.value("part", "") != "time") continue;
      const std::string before = step.value("measured_on", "");
      const bool again = std::any_of(batch.steps.begin(), batch.steps.end(), [&](const GradedStep& one) {
        return one.step->path() == grade::step_id(step);
      });
      if (again && before != batch.measured_on)
        throw UsageError{
            fmt::format("{} was timed on {}, this is {}: all time points of a rung come from one machine",
                        grade::step_id(step), before, batch.measured_on)};
    }
}

/// @throws UsageError when a GPU that measures has other work
void check_alone(const Batch& batch) {
  const bool gpu = std::any_of(batch.steps.begin(), batch.steps.end(),
                               [](const GradedStep& step) { return step.place.backend == "cuda"; });
  if (!gpu) return;  // of a processor, the judge measures what others use
  const Ended ended =
      run_process({.arguments = {"nvidia-smi", "--query-compute-apps=pid", "--format=csv,noheader"},
                   .seconds = 60,
                   .output_only = true});
  if (ended.ok() && ended.output.find_first_of("0123456789") != std::string::npos)
    throw UsageError{
        fmt::format("another process uses a GPU (pid {}): times are measured alone on the machine",
                    ended.output.substr(0, ended.output.find('\n')))};
}

/// The order of measuring, which favours nobody.
std::uint64_t shuffle(std::vector<Submission>& submissions, const Options& options) {
  const std::uint64_t seed = options.seed ? *options.seed : std::random_device{}();
  std::mt19937_64 random(seed);
  for (std::size_t i = submissions.size(); i > 1; --i)
    std::swap(submissions[i - 1], submissions[random() % i]);
  return seed;
}

const json* time_of(const json& record, const std::string& step) {
  for (const json& entry : record.at("steps"))
    if (entry.value("part", "") == "time" && grade::step_id(entry) == step) return &entry;
  return nullptr;
}

/// The interval of the ratio that the points come from; {0, 0}: none was measured.
std::pair<double, double> interval_of(const json& entry, const std::string& peer) {
  const json interval = entry.value("ratio_interval", json::object()).value(peer, json::object());
  return {interval.value("low", 0.0), interval.value("high", 0.0)};
}

/// Whether two measurements of a submission agree: the same points, to two digits, or ratios whose intervals meet.
bool agree(const json& first, const json& second, const std::string& peer) {
  if (grade::points_text(first.value("points", 0.0)) == grade::points_text(second.value("points", 0.0)))
    return true;
  const auto [low, high] = interval_of(first, peer);
  const auto [low_again, high_again] = interval_of(second, peer);
  return high > 0 && high_again > 0 && low <= high_again && low_again <= high;
}

/// Compares what was measured twice. @return a line for each that differs
std::vector<std::string> compare(const Batch& batch, const std::vector<Submission>& again, json& pairs) {
  std::vector<std::string> differ;
  for (const Submission& submission : again) {
    const json first = read_json(batch.record_of(submission)), second = read_json(submission.again);
    if (!first.is_object() || !second.is_object()) continue;
    for (const GradedStep& step : batch.steps) {
      const json* before = time_of(first, step.step->path());
      const json* after = time_of(second, step.step->path());
      if (!before || !after) continue;
      const bool same =
          agree(*before, *after, step.step->row.value("time", json::object()).value("peer", ""));
      pairs.push_back({{"student", submission.pseudonym},
                       {"step", step.step->path()},
                       {"points", before->value("points", 0.0)},
                       {"again", after->value("points", 0.0)},
                       {"ratio", before->value("ratio", json())},
                       {"ratio_again", after->value("ratio", json())},
                       {"same", same}});
      if (!same)
        differ.push_back(fmt::format("{} of {}: {} points at the beginning, {} at the end",
                                     step.step->label(), submission.pseudonym,
                                     grade::points_text(before->value("points", 0.0)),
                                     grade::points_text(after->value("points", 0.0))));
    }
  }
  return differ;
}

void check_options(const Context& context) {
  const GradeOptions& options = context.options.grade;
  if (!context.options.names.empty())
    throw UsageError{"--phase final takes the submissions that were graded: name none, only --into FOLDER"};
  if (options.into.empty())
    throw UsageError{"--phase final adds to grades: --into FOLDER says where they are"};
  if (!options.out.empty()) throw UsageError{"--phase final adds to the grades of --into: leave --out away"};
  if (options.jobs > 1)
    throw UsageError{"--phase final measures one submission at a time: leave --jobs away"};
}

/// What was taken in before, as submissions.
std::vector<Submission> graded_submissions(const Batch& batch, const std::vector<json>& records) {
  std::vector<Submission> submissions;
  for (const json& record : records) {
    const std::string pseudonym = record["pseudonym"];
    if (record.value("key_id", "") != grade::key_id(batch.key))
      throw UsageError{fmt::format("{} was graded with another class key: give --key as before", pseudonym)};
    if (!batch.options.only.empty() && batch.options.only != pseudonym) continue;
    const fs::path sources = batch.out / "sources" / pseudonym;
    if (!fs::is_directory(sources))
      throw UsageError{fmt::format("{}: its sources are gone; grade it again", sources.string())};
    submissions.push_back({.name = record["submission"].value("name", pseudonym),
                           .pseudonym = pseudonym,
                           .path = sources,
                           .attempt = record["submission"].value("attempt", 1)});
  }
  if (submissions.empty())
    throw UsageError{
        fmt::format("--only {}: no such submission in {}", batch.options.only, batch.out.string())};
  return submissions;
}

/// The reference, first: it says how many points private tests have.
Submission judge_reference(Batch& batch, unsigned uid) {
  const fs::path solutions = batch.context.root / "solutions";
  if (!fs::is_directory(solutions))
    throw UsageError{"--phase final needs the reference: there is no folder solutions/ here"};
  const Submission reference{
      .name = reference_name, .pseudonym = reference_name, .path = solutions, .uid = uid};
  const auto problems = grade_all(batch, {reference}, 1);
  if (!problems.empty()) throw UsageError{"the reference cannot be judged here: " + problems.front()};
  if (interrupted()) throw UsageError{"interrupted before the first submission"};
  find_open_points(batch, read_json(batch.record_of(reference)));
  return reference;
}

/// Those that are measured a second time, after all: the first ones, and the reference.
std::vector<Submission> second_measurements(const Batch& batch, const Submission& reference,
                                            const std::vector<Submission>& submissions, Uids& uids) {
  std::vector<Submission> again{reference};
  again.insert(again.end(), submissions.begin(),
               submissions.begin() + static_cast<long>(std::min(measured_twice, submissions.size())));
  for (Submission& one : again) {
    one.again = batch.out / "final" / (one.pseudonym + ".json");
    if (one.uid != 0) one.uid = uids.next();
  }
  return again;
}

void say_what_stays_open(const Batch& batch) {
  for (const GradedStep& step : batch.steps)
    if (step.time_points > 0 && !step.has(batch.parts.back()))
      batch.context.terminal.print(fmt::format(
          "{}: {}; its time stays open", step.step->label(),
          step.place.skip.empty() ? "no GPU here, and the executor's times say nothing" : step.place.skip));
}

int run_final(Batch& batch, std::vector<Submission>& submissions, Uids& uids, bool own_users) {
  Context& context = batch.context;
  const std::uint64_t seed = shuffle(submissions, context.options);
  context.terminal.print(
      fmt::format("final: {} submissions on {}, one after another, in the order of --seed {}",
                  submissions.size(), batch.measured_on, seed));
  say_what_stays_open(batch);
  context.terminal.begin_work();
  Submission reference = judge_reference(batch, own_users ? uids.next() : 0);
  std::vector<std::string> problems = grade_all(batch, submissions, 1);
  json pairs = json::array();
  std::vector<std::string> differ;
  const bool timed = std::any_of(batch.steps.begin(), batch.steps.end(),
                                 [&](const GradedStep& step) { return step.has(batch.parts.back()); });
  if (timed && !interrupted()) {
    fs::create_directories(batch.out / "final");
    const auto again = second_measurements(batch, reference, submissions, uids);
    for (std::string& problem : grade_all(batch, again, 1)) problems.push_back(std::move(problem));
    differ = compare(batch, again, pairs);
  }
  context.terminal.end_work();
  json order = json::array();
  for (const Submission& submission : submissions) order.push_back(submission.pseudonym);
  write_text(batch.out / "final.json", report::dump({{"seed", seed},
                                                     {"measured_on", batch.measured_on},
                                                     {"order", order},
                                                     {"again", pairs},
                                                     {"flagged", !differ.empty()}},
                                                    1) +
                                           "\n");
  const GradeStore store(batch.out);
  store.write_pages();
  for (const std::string& problem : problems) context.terminal.print(problem);
  for (const std::string& line : differ) context.terminal.print("not the same twice: " + line);
  if (!differ.empty())
    context.terminal.print(
        "FLAGGED: the machine was not the same at the end; look at final.json, and measure again before "
        "points count");
  for (const json& record : store.records())
    context.terminal.print(fmt::format("{}: {}", record.value("pseudonym", ""), grade::total_text(record)));
  return problems.empty() && differ.empty() && !interrupted() ? 0 : 1;
}

}  // namespace

int grade_final(Context& context) {
  check_options(context);
  GradeOptions options = with_course(context.options.grade);
  options.out = options.into;
  Batch batch{.context = context, .options = options};
  batch.is_final = true;
  batch.out = fs::absolute(options.into).lexically_normal();
  const std::vector<json> records = records_in(batch.out);
  batch.key = class_key(options);
  auto submissions = graded_submissions(batch, records);
  batch.parts = {{.name = "time", .key = "time", .kinds = {TestKind::time}}};
  if (!options.private_tests.empty()) batch.parts.insert(batch.parts.begin(), private_part(options));
  const ScratchFolder work;
  fs::permissions(work.path(), fs::perms::owner_all | fs::perms::group_exec | fs::perms::others_exec);
  batch.work = work.path();
  prepare_steps(batch, options.rungs.empty() ? steps_of(records) : options.rungs);
  const bool as_root = ::geteuid() == 0 && options.sandbox != "none";
  Uids uids(as_root ? 2 * submissions.size() + 3 : 0);
  batch.sandbox = choose_sandbox(context, options, as_root ? uids.next() : 0);
  const bool own_users = as_root && !batch.sandbox.mode.empty();
  batch.grader = {{"key_id", grade::key_id(batch.key)}};
  batch.measured_on = machine_name(batch);
  check_machine(batch, records);
  check_alone(batch);
  prepare_private(batch);
  batch.of_reference.reset();  // it is judged by the same parts as all
  if (own_users)
    for (Submission& submission : submissions) submission.uid = uids.next();
  return run_final(batch, submissions, uids, own_users);
}

}  // namespace ladder
