/// @file
/// The verb grade: a folder of submissions, each judged confined, in a process of its own.

#include "common/tool/grading/grade.hpp"

#include <fmt/format.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>
#include <thread>

#include "common/base/files/json_file.hpp"
#include "common/base/process/cgroup.hpp"
#include "common/base/usage_error.hpp"
#include "common/grade/key.hpp"
#include "common/grade/record.hpp"
#include "common/model/document_json.hpp"
#include "common/report/results/results.hpp"
#include "common/tool/grading/export/grade_publish.hpp"
#include "common/tool/grading/grade_batch.hpp"
#include "common/tool/grading/grade_course.hpp"
#include "common/tool/grading/grade_lanes.hpp"
#include "common/tool/grading/grade_store.hpp"
#include "common/tool/grading/grades_lock.hpp"
#include "common/tool/grading/grading.hpp"
#include "common/tool/judging/judging.hpp"
#include "common/tool/judging/plan_file.hpp"
#include "common/tool/machine/machine.hpp"
#include "common/tool/machine/software.hpp"
#include "common/trace/programs.hpp"

namespace ladder {
namespace fs = std::filesystem;

namespace {

using nlohmann::json;

/// Everything that a submission's build and judging use and that is not its own.
void build_what_all_share(Batch& batch) {
  Context& context = batch.context;
  std::set<std::string> targets;
  for (GradedStep& step : batch.steps) {
    if (!step.place.skip.empty()) continue;
    Job job{.step = step.step, .tree = "lessons", .place = step.place};
    Task task{.lesson = &context.catalogue.lesson(step.step->lesson), .jobs = {job}};
    for (const Part& part : batch.parts)
      for (const TestKind kind : part.kinds)
        if (std::find(task.kinds.begin(), task.kinds.end(), kind) == task.kinds.end())
          task.kinds.push_back(kind);
    for (std::string& target : targets_of(context, task)) targets.insert(std::move(target));
  }
  if (context.build.harness()) return;  // it is there, and steps are only compiled confined
  const auto failures = context.build.make({targets.begin(), targets.end()}, context.build_progress());
  for (const auto& [target, failure] : failures)
    if (!target.starts_with("workers/lessons/"))
      throw UsageError{fmt::format("the harness does not build: {}: {}", target, failure.line())};
}

/// Which of how many parts of a batch: 0 of 1 is all. @throws UsageError
std::pair<std::size_t, std::size_t> shard_of(const GradeOptions& options) {
  if (options.shard.empty()) return {0, 1};
  std::size_t part = 0, of = 0;
  char rest = 0;
  if (std::sscanf(options.shard.c_str(), "%zu/%zu%c", &part, &of, &rest) != 2 || part < 1 || part > of ||
      of > 10000)
    throw UsageError{fmt::format("--shard {}: i/N, the i-th of N parts, as 1/4", options.shard)};
  return {part - 1, of};
}

/// All folders and archives of a folder. What is neither is refused when it is taken in.
std::vector<Submission> all_in(const fs::path& folder) {
  std::vector<Submission> all;
  for (const auto& entry : fs::directory_iterator(folder))
    if (const std::string name = entry.path().filename().string(); !name.starts_with("."))
      all.push_back({.name = name, .pseudonym = {}, .path = entry.path()});
  return all;
}

/// What is to be graded, in the order of names.
std::vector<Submission> submissions_in(Batch& batch, const fs::path& folder) {
  std::vector<Submission> found;
  std::vector<std::string> names;
  std::set<std::string> pseudonyms;
  for (Submission& one : batch.options.roster.empty() ? all_in(folder) : handed_submissions(batch, folder)) {
    one.pseudonym = grade::pseudonym_of(batch.key, one.name);
    names.push_back(one.name);
    if (!batch.options.only.empty() && batch.options.only != one.name && batch.options.only != one.pseudonym)
      continue;
    if (!pseudonyms.insert(one.pseudonym).second)
      throw UsageError{
          fmt::format("two submissions get the pseudonym {}: rename {}", one.pseudonym, one.name)};
    found.push_back(std::move(one));
  }
  if (names.empty())
    throw UsageError{
        fmt::format("{}: no submissions in it; each is a folder or an archive", folder.string())};
  if (found.empty()) throw UsageError{"--only: " + unknown("submission", batch.options.only, names)};
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  const auto [part, of] = shard_of(batch.options);
  std::vector<Submission> mine;
  for (std::size_t i = 0; i < found.size(); ++i)
    if (i % of == part) mine.push_back(std::move(found[i]));
  return mine;
}

/// Users of submissions see folders where they lie: all above must let them pass. bubblewrap mounts them.
/// @return the first that does not, and what to do; empty: they reach everything
std::string why_out_of_reach(Context& context) {
  const fs::path& harness = context.build.harness_root();
  for (const fs::path& needed : {harness / "common", harness / "lessons", context.build.harness_folder(),
                                 context.scratch().parent_path()})
    for (fs::path folder = fs::canonical(needed); folder.has_relative_path(); folder = folder.parent_path())
      if (const fs::perms mode = fs::status(folder).permissions();
          (mode & fs::perms::others_exec) == fs::perms::none)
        return fmt::format(
            "{} has mode {:o}, so that users of submissions do not get to {}: chmod o+x {}, or put it "
            "elsewhere",
            folder.string(), static_cast<unsigned>(mode), needed.string(), folder.string());
  return "";
}

}  // namespace

SandboxModes modes_here(Context& context, const Sandbox& sandbox) {
  SandboxModes modes = probe(sandbox);
  if (modes.no_uid.empty()) modes.no_uid = why_out_of_reach(context);
  return modes;
}

Sandbox choose_sandbox(Context& context, const GradeOptions& options, unsigned uid) {
  if (options.sandbox == "none") {
    if (!options.trust)
      throw UsageError{
          "--sandbox none lets submissions do whatever you may; add --trust when you trust them all"};
    return {};
  }
  Sandbox sandbox{.confine = context.build.file("bin/confine").string()};
  if (const std::string found = find_program("bwrap"); !found.empty()) sandbox.bwrap = found;
  if (const char* prefix = std::getenv("LADDER_PREFIX")) sandbox.read.push_back(prefix);
  sandbox.uid = sandbox.gid = uid;
  const SandboxModes modes = modes_here(context, sandbox);
  const auto why_not = [&](const std::string& mode) {
    return mode == "bwrap" ? modes.no_bwrap : modes.no_uid;
  };
  sandbox.mode = options.sandbox.empty() ? modes.best() : options.sandbox;
  if (!sandbox.mode.empty() && why_not(sandbox.mode).empty()) {
    const CgroupParents groups = cgroup_parents();
    sandbox.cgroups = groups.folders;
    sandbox.no_cgroups = groups.why_not;
    return sandbox;
  }
  const std::string why = sandbox.mode.empty()
                              ? fmt::format("bwrap: {}; uid: {}", modes.no_bwrap, modes.no_uid)
                              : fmt::format("{}: {}", sandbox.mode, why_not(sandbox.mode));
  if (options.trust && options.sandbox.empty()) return {};
  throw UsageError{
      fmt::format("submissions cannot be sandboxed here: {}; --trust runs them without a sandbox", why)};
}

grade::Key class_key(const GradeOptions& options) {
  const fs::path file = options.key.empty() ? fs::path(options.out) / "class.key" : fs::path(options.key);
  if (!fs::exists(file) && options.key.empty()) grade::write_new_key(file);
  return grade::read_key(file);
}

namespace {

void check_room(const fs::path& folder, double bytes, const std::string& what_for,
                const std::string& what_to_do) {
  struct statvfs facts {};
  if (::statvfs(folder.c_str(), &facts) != 0) return;
  const double free = static_cast<double>(facts.f_bavail) * static_cast<double>(facts.f_frsize);
  if (free < bytes)
    throw UsageError{fmt::format("{} has {:.0f} MB free; {} needs {:.0f} MB: {}", folder.string(), free / 1e6,
                                 what_for, bytes / 1e6, what_to_do)};
}

/// Makes the folder for the grades, and finds out before the work whether it can hold them.
void prepare_out(const GradeOptions& options, const fs::path& out, const fs::path& submissions) {
  const fs::path inside = fs::weakly_canonical(out).lexically_relative(fs::weakly_canonical(submissions));
  if (!inside.empty() && *inside.begin() != "..")
    throw UsageError{fmt::format(
        "--out {} lies in the folder of submissions, and would be graded with them: choose another",
        options.out)};
  for (const char* folder : {"records", "judged", "logs", "pages", "sources"}) {
    std::error_code failed;
    fs::create_directories(out / folder, failed);
    if (failed)
      throw UsageError{fmt::format("--out {}: cannot make {}: {}", options.out, (out / folder).string(),
                                   failed.message())};
  }
  try_to_write(out / "records" / ".writable");
  // What was judged by another ladder, or before a mistake was fixed, does not count for this batch.
  if (!options.resume)
    for (const auto& entry : fs::directory_iterator(out / "judged")) fs::remove_all(entry.path());
}

void check_rooms(const fs::path& out, const fs::path& work, std::size_t submissions, std::size_t jobs) {
  check_room(work, room_bytes * static_cast<double>(jobs + 1), fmt::format("grading {} at once", jobs),
             "make room, or set TMPDIR");
  check_room(out, kept_bytes * static_cast<double>(submissions + 10),
             fmt::format("keeping {} grades", submissions), "make room, or choose another --out");
}

/// Seconds that a call may take: twice what judging the whole reference took. In large steps: messages name
/// it, and the same sources get the same message tomorrow.
double limit_of_calls(double reference_seconds) {
  for (const double limit : {3.0, 5.0, 10.0})
    if (2 * reference_seconds <= limit) return limit;
  return 20;
}

/// Seconds of a processor that a compiler may take for a step: ten times as long as the reference took, in
/// large steps, too.
double limit_of_compilers(double reference_seconds) {
  for (const double limit : {30.0, 60.0})
    if (10 * reference_seconds <= limit) return limit;
  return max_compile_seconds;
}

/// What a grade does not depend on is left out: the same sources get the same record.
json lasting_facts() {
  json machine = to_json(machine_facts(false));
  machine.erase("load");
  return machine;
}

/// What is known of each step from the record of the reference. @throws UsageError where it is not right
void learn_from_reference(Batch& batch, const model::GradeRecord& record) {
  for (GradedStep& step : batch.steps) {
    model::GradeEntry result;  // NOT RUN, where there is none
    for (const model::GradeEntry& entry : record.steps)
      if (grade::step_id(entry) == step.step->path() && entry.phase == "instant") result = entry;
    step.reference_names = {result.uses.begin(), result.uses.end()};
    step.reference_names.insert(batch.options.allowed.begin(), batch.options.allowed.end());
    if (result.verdict != Verdict::skipped)
      expect_right(batch, step, "here", std::string(name(result.verdict)), result.message);
    step.max_points = result.max_points.value_or(0);
    step.call_seconds = limit_of_calls(result.judge_seconds.value_or(10));
    step.compile_seconds = limit_of_compilers(result.build_seconds.value_or(max_compile_seconds));
  }
}

/// The reference goes the way of the submissions, first: a batch that would misjudge it is not begun. Its
/// time limits theirs.
void grade_reference(Batch& batch, const Workplace& place) {
  if (const std::string& known = batch.options.reference; !known.empty()) {
    learn_from_reference(batch, grade::read_record(known));
    if (batch.options.passing) return;
    // Elsewhere, and on a machine that may be slower.
    for (GradedStep& step : batch.steps)
      step.call_seconds = limit_of_calls(1000), step.compile_seconds = max_compile_seconds;
    return;
  }
  if (!fs::is_directory(batch.context.root / "solutions")) return;
  const model::GradeRecord record = judge_reference(batch, place.reference());
  learn_from_reference(batch, record);
  find_open_points(batch, record);
}

/// Pseudonyms and inputs come from the class key: with another one a batch could not go on.
void refuse_another_key(const Batch& batch) {
  for (const auto& entry : fs::directory_iterator(batch.out / "records")) {
    const json record = read_json(entry.path());
    if (grade::wrong_with(record).empty() && record.value("key_id", "") != grade::key_id(batch.key))
      throw UsageError{
          fmt::format("--resume: {} was graded with another class key: pass the same --key, or another --out",
                      entry.path().string())};
  }
}

}  // namespace

bool is_graded(const Batch& batch, const Submission& submission) {
  const auto record = grade::whole_record(batch.record_of(submission));
  if (!record) return false;
  std::vector<std::string> has, wanted;
  for (const model::GradeEntry& step : record->steps) {
    if (step.phase != "instant") continue;
    if (step.staff.verdict == Verdict::not_run) return false;
    has.push_back(grade::step_id(step));
  }
  for (const GradedStep& step : batch.steps) wanted.push_back(step.step->path());
  return has == wanted && record->submission.attempt == batch.options.attempt;
}

void prepare_steps(Batch& batch, const std::vector<std::string>& names) {
  Context& context = batch.context;
  const auto rungs = without_ranges(context.catalogue, names);
  context.terminal.begin_work();
  context.build.refresh();
  context.check_tables(context.catalogue.resolve_lessons(rungs));
  for (const StepEntry* step : context.catalogue.resolve(rungs)) {
    GradedStep one{.step = step};
    one.place = context.placer().place(*step, context.build,
                                       fmt::format("workers/lessons/{}/{}", step->lesson, step->name));
    if (step->row.is_object()) one.time_points = step->row.value("points", json::object()).value("time", 0.0);
    batch.steps.push_back(std::move(one));
  }
  take_bounds(batch);
  build_what_all_share(batch);
  find_recipes(batch);
  find_symbols(batch);
}

namespace {

/// The first phase is the same everywhere: no GPU, unless the course file or --device wants one.
void choose_device(Batch& batch) {
  std::string& device = batch.context.options.device;
  if (device.empty()) device = batch.options.record == "executor" ? "cpu" : batch.options.record;
}

int grade_batch(Batch& batch, const fs::path& folder) {
  Context& context = batch.context;
  const GradeOptions& options = batch.options;
  const std::size_t jobs = lanes_of(options);
  if (!fs::is_directory(folder))
    throw UsageError{fmt::format("{}: not a folder of submissions", folder.string())};
  prepare_out(options, batch.out, folder);
  const GradesLock lock(batch.out, GradesLock::changes);
  keep_assignment(options, batch.out);
  batch.key = class_key(options);
  auto submissions = submissions_in(batch, folder);
  choose_device(batch);
  Workplace place(batch);
  check_rooms(batch.out, batch.work, submissions.size(), jobs);
  place.prepare(options.rungs, submissions.size());
  batch.grader = {.sandbox = place.sandbox(),
                  .limits = limits_text(batch.sandbox),
                  .machine = lasting_facts(),
                  .ladder = {{"commit", commit_of(context.root)}},
                  .key_id = grade::key_id(batch.key)};
  if (options.resume) refuse_another_key(batch);
  std::vector<Submission> todo = to_be_graded(batch, submissions);
  for (Submission& submission : todo) submission.uid = place.next_user();
  context.terminal.print(
      fmt::format("{} submissions{}, {} rungs each, {} at once; sandbox: {}", submissions.size(),
                  todo.size() == submissions.size()
                      ? ""
                      : fmt::format(", {} of them graded already", submissions.size() - todo.size()),
                  batch.steps.size(), jobs, place.sandbox()));
  if (!todo.empty()) prepare_private(batch);
  context.build.share();
  if (options.private_too && batch.of_reference) {
    if (options.private_only) batch.parts.clear();
    batch.parts.push_back(*batch.of_reference);
    batch.of_reference.reset();
  }
  if (!todo.empty()) grade_reference(batch, place);
  context.terminal.begin_work();
  const auto problems = grade_all(batch, todo, jobs);
  context.terminal.end_work();
  GradeStore(batch.out).write_pages();
  for (const std::string& problem : problems) context.terminal.print(problem);
  for (const Submission& submission : todo)
    if (const auto record = grade::whole_record(batch.record_of(submission)))
      for (const std::string& line : lost_amendments(GradeStore(batch.out), *record))
        context.terminal.print(line);
  const bool whole = print_summary(batch, submissions, folder);
  return whole && problems.empty() ? 0 : 1;
}

}  // namespace

int new_class_key(Context& context) {
  const auto& names = context.options.names;
  if (names.size() != 1) throw UsageError{"which file? For example: ./ladder grade key class.key"};
  grade::write_new_key(names[0]);
  context.terminal.print(
      fmt::format("{}: a new class key; keep it, and keep it secret until grades are final", names[0]));
  return 0;
}

int merge_shards(Context& context) {
  const auto& names = context.options.names;
  const std::string& out = context.options.grade.out;
  if (names.empty())
    throw UsageError{"merge what? For example: ./ladder grade merge part-1/ part-2/ --out grades/"};
  if (out.empty()) throw UsageError{"--out FOLDER is missing: where to write the merged grades"};
  return merge_grades(context, {names.begin(), names.end()}, fs::absolute(out));
}

int grade_submissions(Context& context) {
  const auto& names = context.options.names;
  const GradeOptions options = with_course(context.options.grade);
  if (options.phase == "final") return grade_final(context);
  if (!options.into.empty())
    throw UsageError{"--into FOLDER needs --phase final, which adds to the grades there"};
  refuse_typed(context.options, {"--seed", "--budget"}, "needs --phase final, which measures times");
  if (!options.received.empty() && options.roster.empty())
    throw UsageError{"--received needs --roster FILE: the people whose submissions have these times"};
  if (names.size() != 1)
    throw UsageError{"grade what? For example: ./ladder grade submissions/ --out grades/ --rungs 03/g1-g3"};
  if (options.out.empty()) throw UsageError{"--out FOLDER is missing: where to write the grades"};
  if (options.rungs.empty()) throw UsageError{"name the rungs to grade: --rungs 03/g1-g3, or --course FILE"};
  Batch batch{.context = context, .options = options};
  batch.out = fs::absolute(options.out).lexically_normal();
  return grade_batch(batch, names[0]);
}

}  // namespace ladder
