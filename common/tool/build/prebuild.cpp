/// @file
/// Makes a harness: everything but steps built, and how steps are compiled written down.

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "common/base/files/files.hpp"
#include "common/base/text/text.hpp"
#include "common/base/usage_error.hpp"
#include "common/report/results/results.hpp"
#include "common/tool/build/build.hpp"
#include "common/tool/build/harness.hpp"

namespace ladder {
namespace fs = std::filesystem;
namespace {

using nlohmann::json;

/// What is compiled in a student's build folder: steps, and what their times are compared with, by the same
/// flags.
std::vector<StepProgram> programs_of(const Build& build, const LessonEntry& lesson) {
  std::vector<StepProgram> programs;
  const auto add = [&](const std::string& tree, const std::string& name, const fs::path& source) {
    const std::string prefix = fmt::format("workers/{}/{}/{}.", tree, lesson.name, name);
    for (const std::string& target : build.beginning_with(prefix))
      programs.push_back({tree, lesson.name, name, target.substr(prefix.size()), source});
  };
  for (const StepEntry& step : lesson.steps)
    add("lessons", step.name, build.root() / "lessons" / lesson.name / step.file);
  const std::string given = fmt::format("workers/given/{}/", lesson.name);
  std::set<std::string> names;
  for (const std::string& target : build.beginning_with(given))
    names.insert(fs::path(target.substr(given.size())).stem());
  for (const std::string& name : names) add("given", name, {});
  std::erase_if(programs, [](const StepProgram& program) { return program.backend == "cuda"; });
  return programs;
}

/// What those programs are linked with and made by: targets that their commands name. (`ninja -t inputs`
/// would say it, too; the ninja of Ubuntu 22.04 lacks it.)
std::set<std::string> needed_by(const Build& build, const std::vector<StepProgram>& programs) {
  const std::string folder = build.folder().string() + "/";
  std::set<std::string> needed;
  for (const StepProgram& program : programs)
    for (const std::string& command : recipe_of(program, build.root(), build.folder()).commands) {
      std::istringstream words(command);
      for (std::string word; words >> word;) {
        if (word.starts_with(folder)) word.erase(0, folder.size());
        if (build.knows(word)) needed.insert(word);
      }
    }
  return needed;
}

std::set<std::string> harness_targets(const Build& build, const std::vector<LessonEntry*>& lessons,
                                      const std::vector<StepProgram>& programs) {
  std::set<std::string> targets = needed_by(build, programs);
  const auto add = [&](const std::string& target) {
    if (build.knows(target)) targets.insert(target);
  };
  for (const LessonEntry* lesson : lessons) add("judges/" + lesson->name);
  for (const char* program : {"bin/ladder-check", "bin/ladder-student", "bin/ladder-class", "bin/confine",
                              "bin/cu2cpp", "bin/probe-cuda", "bin/probe-opencl"})
    add(program);
  for (const std::string& library : build.beginning_with("lib/")) targets.insert(library);
  for (const char* of_programs : {"ladder-executor", "ladder-executor-observe", "cu2cpp",
                                  "program-headers-plain", "program-headers-observed", "lint-headers-17"})
    add(of_programs);
  return targets;
}

/// The harness runs on other machines of this kind; a step is compiled where it runs.
void refuse_native(const Build& build, const std::set<std::string>& targets) {
  std::vector<std::string> ask = {"ninja", "-C", build.folder(), "-t", "commands"};
  ask.insert(ask.end(), targets.begin(), targets.end());
  for (const std::string& line :
       lines_of(run_process({.arguments = ask, .seconds = 120, .output_only = true}).output))
    if (line.find("-march=native") != line.npos)
      throw UsageError{"the harness would run on this processor type only: " + line.substr(0, 300)};
}

/// Deletes what is neither in the harness nor read when a step is compiled.
void delete_others(const fs::path& folder, std::set<std::string> kept) {
  kept.insert({"toolchain.json", "prebuilt.json", ".configured"});
  std::vector<fs::path> gone;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string name = entry.path().lexically_relative(folder);
    const bool keep =
        kept.contains(name) || name.starts_with("found/") || name.starts_with("program-headers/");
    if (!entry.is_directory() && !keep) gone.push_back(entry.path());
  }
  for (const fs::path& file : gone) fs::remove(file);
}

/// Programs of other people are compiled without the cache that this build may have had.
void forget_launcher(const fs::path& file) {
  json toolchain = json::parse(read_text(file));
  toolchain["launcher"] = json::array();
  write_text(file, toolchain.dump(1) + "\n");
}

}  // namespace

void prebuild(Build& build, const std::vector<LessonEntry*>& lessons, bool prune,
              const BuildProgress& progress) {
  std::vector<StepProgram> programs;
  for (const LessonEntry* lesson : lessons)
    for (StepProgram& program : programs_of(build, *lesson)) programs.push_back(std::move(program));
  const std::set<std::string> targets = harness_targets(build, lessons, programs);
  refuse_native(build, targets);
  const auto failures = build.make({targets.begin(), targets.end()}, progress);
  if (!failures.empty())
    throw UsageError{
        fmt::format("{} does not build: {}", failures.begin()->first, failures.begin()->second.line())};
  std::set<std::string> kept;  // what is used later, and not only to make something
  for (const std::string& target : targets)
    if (!target.starts_with("CMakeFiles/")) kept.insert(target);
  json document = {{"schema", "gpu-ladder-harness/1"}, {"root", build.root().string()}, {"targets", kept}};
  for (const StepProgram& program : programs) {
    const Recipe recipe = recipe_of(program, build.root(), build.folder());
    document["recipes"].push_back({{"target", recipe.target},
                                   {"commands", recipe.commands},
                                   {"folders", recipe.folders},
                                   {"reads", recipe.reads}});
    for (const std::string& file : recipe.reads)
      kept.insert(fs::path(file).lexically_relative(build.folder()));
  }
  forget_launcher(build.folder() / "toolchain.json");
  write_text(build.folder() / "prebuilt.json", document.dump(1) + "\n");
  if (prune) delete_others(build.folder(), kept);
}

}  // namespace ladder
