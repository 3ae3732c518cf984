/// @file
/// The verb open: one step of a graded submission again, as it was judged, in the sandbox.

#include "common/tool/review/open.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdlib>

#include "common/base/usage_error.hpp"
#include "common/grade/record.hpp"
#include "common/grade/retry_policy.hpp"
#include "common/report/results/results.hpp"
#include "common/tool/grading/grade_options.hpp"
#include "common/tool/grading/submission/judge_again.hpp"
#include "common/tool/program/gdb.hpp"
#include "common/tool/student/feedback.hpp"
#include "common/tool/student/profile.hpp"

namespace ladder {
namespace fs = std::filesystem;
namespace {

using nlohmann::json;

/// What the submission changed of the skeleton, and how it differs from the reference.
void show_differences(Context& context, const GradeStore& store, const std::string& pseudonym,
                      const model::GradeEntry& step) {
  const fs::path own = submitted_file(store, pseudonym, step);
  for (const char* tree : {"solutions", "lessons"}) {
    const std::string name = fmt::format("{}/{}/{}", tree, step.lesson, step.file);
    const bool is_reference = std::string(tree) == "solutions";
    const std::string heading =
        is_reference ? "From the reference to the submission" : "From the skeleton to the submission";
    std::string text = difference(context.root / name, own, name, pseudonym + "/" + step.file);
    if (!fs::exists(context.root / name)) text = fmt::format("this checkout has no {}", name);
    context.terminal.print(
        fmt::format("{}\n{}", context.terminal.bold(heading), text.empty() ? "none: they are equal" : text));
  }
}

/// Shows the profile that a judge wrote. @return whether there is one
bool show_profile_of(Context& context, const model::GradeEntry& step, const fs::path& own) {
  const std::vector<json>& records = step.profiles;
  if (records.empty() || !records[0].value("observation", json()).is_object()) {
    context.terminal.print(feedback(context, step));
    return false;
  }
  const StepEntry* row = context.catalogue.resolve({report::label(step)}).front();
  report::Profile profile = profile_of(context, *row, records[0], nullptr);
  const std::string file = fmt::format("lessons/{}/{}", step.lesson, step.file);
  profile.sources[file] = read_text(own);  // its lines are the submission's
  show_profile(context, profile);
  return true;
}

/// Whether these grades know of a step's reference what judging it again would tell.
bool knows_reference(const GradeStore& store, const model::GradeEntry& step) {
  const fs::path file = store.folder() / "reference.json";
  if (!fs::exists(file)) return false;
  const auto entry = entry_of(grade::read_record(file), grade::step_id(step));
  return entry && entry->staff.verdict == Verdict::pass;
}

/// Whether its private part is wanted. @throws UsageError where the options do not go together, or it is not
/// judged yet
bool opens_private_part(Context& context, const GradeStore& store) {
  GradeOptions& options = context.options.grade;
  const ReviewOptions& shown = context.options.review;
  if (options.course.empty() && options.private_tests.empty()) return false;
  if (shown.diff || shown.profile)
    throw UsageError{"--diff and --profile do not depend on the tests: omit --private"};
  take_private_tests(options, store.folder());
  if (options.private_tests.empty())
    throw UsageError{"the course file names no private tests for this assignment"};
  return true;
}

/// The step that was named, or its private part.
model::GradeEntry opened(const GradeStore& store, const std::vector<std::string>& names, bool private_part) {
  const model::GradeEntry step = store.step(names[1], names[2]);
  if (!private_part) return step;
  const auto entry = entry_of(store.record(names[1]), grade::step_id(step), grade::private_part);
  if (!entry) throw UsageError{fmt::format("{} {}: its private part is not judged yet", names[1], names[2])};
  if (!knows_reference(store, step))
    throw UsageError{fmt::format("{} has no reference.json that knows {}: grade it again first",
                                 store.folder().string(), names[2])};
  return *entry;
}

/// What of the step is judged: what gave it its verdict, and of its correctness the case that failed. In
/// words, for whoever looks; "": all of it is judged.
std::string choose_what_failed(const model::GradeEntry& step, GradeOptions& options) {
  const Verdict verdict = step.staff.verdict;
  if (!grade::fails(verdict) && verdict != Verdict::missed) return "";
  for (const model::KindResult& kind : step.kinds)
    if (kind.verdict == verdict) {
      options.kinds = {kind.kind};
      if (kind.kind != TestKind::correctness || !step.failed_case)
        return std::string(to_string(kind.kind)) + " alone";
      options.only_case = static_cast<int>(step.failed_case->index);
      return step.failed_case->name + " alone";
    }
  return "";
}

}  // namespace

void add_open_options(CLI::App& app, Options& o, Typed& typed) {
  add_device_options(app, o, typed);
  app.add_flag("--diff", o.review.diff,
               "what it changed: against the reference and against the skeleton; judges nothing");
  app.add_flag("--profile", o.review.profile, "what its launches did, as profile shows it");
  app.add_flag("--gdb", o.review.gdb,
               "stop its worker before its first call, that of the failing case, in the sandbox, under gdb");
  app.add_option("--course", o.grade.course, "its private part: by the private tests of this course file")
      ->type_name("FILE");
  app.add_option("--private", o.grade.private_tests,
                 "the same without a course file: the folder with private tests")
      ->type_name("FOLDER");
  app.add_flag("--whole", o.review.whole, "judge all of the rung, not only the case that failed");
  add_class_key(app, o);
}

int open_submission(Context& context) {
  const auto names = context.options.names;
  const ReviewOptions& options = context.options.review;
  if (names.size() != 3) throw UsageError{"open what? For example: ./ladder open grades/ S-ABCDEFGH 03/g2"};
  if (options.gdb) require_gdb();
  const GradeStore store(fs::absolute(names[0]));
  const bool of_private = opens_private_part(context, store);
  context.options.grade.private_too = context.options.grade.private_only = of_private;
  const model::GradeEntry step = opened(store, names, of_private);
  if (options.diff) {
    show_differences(context, store, names[1], step);
    return 0;
  }
  const fs::path own = submitted_file(store, names[1], step);
  context.options.grade.profiles = options.profile;
  const ScratchFolder scratch;  // not the context's, which the processes that grade would remove
  context.options.grade.held = options.gdb;
  if (options.gdb) {
    // The judge waits for a worker that stands still.
    ::setenv("LADDER_JUDGE_SILENCE", "3600", 1);
    with_gdb_on(fmt::format("/{}/built/workers/lessons/{}/{}.", names[1], step.lesson, step.name));
  }
  const std::string alone =
      options.whole || options.profile ? "" : choose_what_failed(step, context.options.grade);
  const model::GradeRecord record = store.record(names[1]);
  const auto fresh = judge_again(context, store, {record},
                                 {.out = scratch.path(),
                                  .rungs = {names[2]},
                                  .no_reference = knows_reference(store, step),
                                  .quiet = true});
  const auto found = fresh.find(names[1]);
  auto entry = found == fresh.end() ? std::nullopt : entry_of(found->second, grade::step_id(step), step.part);
  if (!entry) throw UsageError{"it could not be judged here; ./ladder regrade says why"};
  if (options.profile) return show_profile_of(context, *entry, own) ? 0 : 1;
  if (!alone.empty()) entry->max_points.reset();  // a part of the step has none of its own
  context.terminal.print(feedback(context, *entry));
  const Verdict was = step.staff.verdict, is = entry->staff.verdict;
  context.terminal.print(fmt::format(
      "  graded {}, now {}; sandbox: {}{}", name(was), name(is), found->second.sandbox.value_or(""),
      alone.empty() ? "" : fmt::format("; {}, with its inputs; --whole judges all of the rung", alone)));
  return was == is ? 0 : 1;
}

}  // namespace ladder
