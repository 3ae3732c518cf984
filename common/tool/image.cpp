/// @file
/// The verb image: a root in which everything but steps is built; the harness in it; an autograder for Gradescope.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <cstring>

#include "common/tool/context.hpp"
#include "common/tool/grading.hpp"
#include "common/tool/names.hpp"

namespace ladder {
namespace fs = std::filesystem;
namespace {

int prebuild_here(Context& context) {
  const auto& names = context.options.names;
  const std::vector<std::string> lessons(names.begin() + 1, names.end());
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

}  // namespace

int image(Context& context) {
  const auto& [out, base, mirror, gradescope, per_day, prune] = context.options.image;
  const auto& names = context.options.names;
  if (!names.empty() && names.front() == "prebuild") return prebuild_here(context);
  if (out.empty())
    throw UsageError{"--out says where the image goes: a folder, a .tar, or a .zip with --gradescope"};
  if (gradescope != (fs::path(out).extension() == ".zip"))
    throw UsageError{
        fmt::format("--out {}: an autograder for Gradescope is a .zip, and nothing else is", out)};
  if (gradescope && context.options.grade.rungs.empty())
    throw UsageError{"--rungs says what the autograder grades, for example --rungs 03/g1-g3"};
  std::vector<std::string> lessons, rungs;
  std::vector<std::string> wanted = names;
  if (gradescope) {
    wanted = without_ranges(context.catalogue, context.options.grade.rungs);
    for (const StepEntry* step : context.catalogue.resolve(wanted)) rungs.push_back(step->label());
  }
  for (const LessonEntry* lesson : context.catalogue.resolve_lessons(wanted)) lessons.push_back(lesson->name);
  if (fs::exists(out)) throw UsageError{fmt::format("--out {} is there already", out)};
  if (::geteuid() != 0)
    throw UsageError{"image makes a root with packages in it, and needs root: sudo ./ladder image …"};
  std::vector<std::string> command = {"sh",
                                      (context.root / "common/tool/image.sh").string(),
                                      out,
                                      base,
                                      mirror,
                                      std::to_string(per_day),
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
