/// @file
/// The verb image: a root in which everything but steps is built; the harness in it; an autograder for
/// Gradescope.

#include "common/tool/grading/image.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstring>

#include "common/base/usage_error.hpp"
#include "common/tool/core/context.hpp"
#include "common/tool/grading/course_verb.hpp"
#include "common/tool/grading/grade_course.hpp"
#include "common/tool/grading/gradescope.hpp"
#include "common/tool/grading/grading.hpp"

namespace ladder {
namespace fs = std::filesystem;
namespace {

/// What an autograder grades: --rungs, or an assignment of a course file.
struct AutograderTask {
  std::vector<std::string> rungs{};
  std::optional<course::Assignment> assignment{};
  int per_day = 0;
};

AutograderTask graded_by_autograder(const Options& options) {
  const GradeOptions& typed = options.grade;
  if (typed.course.empty() && !typed.assignment.empty())
    throw UsageError{"--assignment needs a course file: --course FILE"};
  if (typed.rungs.empty() == typed.course.empty())
    throw UsageError{"what does the autograder grade? Either --course FILE, or for example --rungs 03/g1-g3"};
  if (typed.course.empty()) return {typed.rungs, {}, options.image.per_day};
  const course::Course course = course_of(typed.course);
  const course::Assignment& assignment = chosen_assignment(course, typed.assignment);
  const int per_day = options.image.per_day > 0 ? options.image.per_day : course.attempts.per_day;
  return {assignment.rung_names(), assignment, per_day};
}

std::string settings_of(const AutograderTask& graded, const std::vector<std::string>& rungs) {
  return gradescope::settings_text(rungs, graded.per_day, graded.assignment ? &*graded.assignment : nullptr);
}

}  // namespace

void add_image_prebuild_options(CLI::App& app, Options& o, Typed&) {
  app.add_flag("--prune", o.image.prune, "delete what was only needed to build it");
}

int prebuild_here(Context& context) {
  const std::vector<std::string>& lessons = context.options.names;
  if (context.build.harness()) throw UsageError{"LADDER_HARNESS is set: unset it to build a harness"};
  context.terminal.begin_work();
  context.build.refresh();
  prebuild(context.build, context.catalogue.resolve_lessons(lessons), context.options.image.prune,
           context.build_progress());
  context.terminal.end_work();
  context.terminal.print(fmt::format("{} is a harness now: LADDER_HARNESS={}",
                                     context.build.folder().string(), context.build.folder().string()));
  return 0;
}

void add_image_options(CLI::App& app, Options& o, Typed&) {
  app.add_option("--out", o.image.out, "a folder: the root; .tar: an OCI image; .zip, with --gradescope")
      ->type_name("FOLDER|FILE");
  app.add_option("--base", o.image.base,
                 "a root that is there (Debian 12; --gradescope: Ubuntu 22.04) instead of one by debootstrap")
      ->type_name("FOLDER");
  app.add_option("--mirror", o.image.mirror, "of packages; by default the distribution's own")
      ->type_name("URL");
  app.add_flag("--gradescope", o.image.gradescope, "an autograder for Gradescope, on Ubuntu 22.04");
  app.add_option("--rungs", o.grade.rungs, "gradescope: what it grades: 03/g1,03/g2 or 03/g1-g3")
      ->delimiter(',')
      ->type_name("RUNGS");
  app.add_option("--course", o.grade.course,
                 "gradescope, instead of --rungs: points and what rungs may use, too")
      ->type_name("FILE");
  app.add_option("--assignment", o.grade.assignment, "which one of the course file")->type_name("NAME");
  app.add_option("--per-day", o.image.per_day,
                 "gradescope: submissions of a student that are graded in 24 hours")
      ->check(CLI::PositiveNumber)
      ->type_name("N");
}

int image(Context& context) {
  const auto& [out, base, mirror, gradescope, a_day, prune] = context.options.image;
  const auto& names = context.options.names;
  if (out.empty()) throw UsageError{"--out is missing: a folder, a .tar, or a .zip with --gradescope"};
  if (gradescope != (fs::path(out).extension() == ".zip"))
    throw UsageError{
        fmt::format("--out {}: an autograder for Gradescope is a .zip, and nothing else is", out)};
  const AutograderTask graded = gradescope ? graded_by_autograder(context.options) : AutograderTask{};
  std::vector<std::string> lessons, rungs;
  std::vector<std::string> wanted = names;
  if (gradescope) {
    wanted = without_ranges(context.catalogue, graded.rungs);
    for (const StepEntry* step : context.catalogue.resolve(wanted)) rungs.push_back(step->label());
  }
  for (const LessonEntry* lesson : context.catalogue.resolve_lessons(wanted)) lessons.push_back(lesson->name);
  if (fs::exists(out)) throw UsageError{fmt::format("--out {} already exists", out)};
  if (::geteuid() != 0)
    throw UsageError{"image makes a root with packages in it, and needs root: sudo ./ladder image …"};
  std::vector<std::string> command = {"sh",
                                      (context.root / "common/tool/image.sh").string(),
                                      out,
                                      base,
                                      mirror,
                                      gradescope ? settings_of(graded, rungs) : "",
                                      fmt::format("{}", fmt::join(lessons, " ")),
                                      fmt::format("{}", fmt::join(rungs, " "))};
  std::vector<char*> arguments;
  for (std::string& word : command) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  context.leave_no_scratch();
  ::execvp("sh", arguments.data());
  throw UsageError{fmt::format("cannot start sh: {}", std::strerror(errno))};
}

}  // namespace ladder
