#include "common/tool/build/submission_build.hpp"

#include <fmt/format.h>
#include <signal.h>

#include <cstdlib>
#include <regex>

#include "common/base/text/temporary_names.hpp"
#include "common/base/text/text.hpp"
#include "common/base/usage_error.hpp"

namespace ladder {
namespace fs = std::filesystem;
namespace {

/// A folder for links, whose path has no blanks wherever the scratch folder lies.
class LinkFolder {
 public:
  LinkFolder() {
    if (!::mkdtemp(name_)) throw UsageError{"cannot make a folder in /tmp"};
  }
  LinkFolder(const LinkFolder&) = delete;
  LinkFolder& operator=(const LinkFolder&) = delete;
  ~LinkFolder() {
    std::error_code ignored;
    fs::remove_all(name_, ignored);
  }
  fs::path path() const { return name_; }

 private:
  char name_[32] = "/tmp/ladder-links-XXXXXX";
};

/// The recipe of a step of a checkout that may lie in a folder with blanks: its commands name a link to it.
Recipe recipe_by_link(const Build& build, const StepProgram& program, const fs::path& link) {
  if (build.harness()) return build.harness()->recipe(program.target());
  const fs::path root = link / "checkout", folder = link / "build";
  fs::create_directories(link);
  fs::create_directory_symlink(build.root(), root);
  fs::create_directory_symlink(build.folder(), folder);
  const ProcessResult listed =
      run_process({.arguments = {"ninja", "-C", build.folder(), "-t", "commands", program.target()},
                   .seconds = 60,
                   .output_only = true});
  if (!listed.ok()) throw UsageError{fmt::format("the build has no target {}", program.target())};
  std::string commands = listed.output;
  replace_all(commands, build.folder().string() + "/", folder.string() + "/");
  replace_all(commands, build.root().string() + "/", root.string() + "/");
  // What was quoted for its blanks has none any more.
  commands =
      std::regex_replace(commands, std::regex("[\"'](" + link.string() + "/[-A-Za-z0-9/._+~]*)[\"']"), "$1");
  StepProgram linked = program;
  linked.source = root / "lessons" / program.lesson / program.source.filename();
  return recipe_from(commands, linked, root, folder);
}

}  // namespace

Recipe recipe_for(const Build& build, const StepEntry& step, const std::string& backend) {
  const StepProgram program{"lessons", step.lesson, step.name, backend,
                            build.root() / "lessons" / step.lesson / step.file};
  if (build.harness()) return build.harness()->recipe(program.target());
  return recipe_of(program, build.root(), build.folder());
}

std::optional<BuildFailure> build_submitted(const Recipe& recipe, const Build& build, const fs::path& sources,
                                            const fs::path& outputs, const Confined& run) {
  const auto ended_from_outside = [](const ProcessResult& ended) {
    return ended.status > 128 && ended.status != 128 + SIGXCPU && !ended.interrupted &&
           !ended.out_of_memory && !ended.timed_out;
  };
  ProcessResult ended = run(recipe.script(sources, outputs), recipe.reads);
  // A compiler that finds an error ends by itself. Once may have been the machine.
  if (ended_from_outside(ended)) ended = run(recipe.script(sources, outputs), recipe.reads);
  if (ended.ok() && fs::exists(outputs / recipe.target)) return std::nullopt;
  if (ended.interrupted) return BuildFailure{{}, "interrupted", {}, {}};
  if (ended.out_of_memory)
    return BuildFailure{{}, "the compiler needed too much memory and was ended", {}, {}};
  if (ended.timed_out)
    return BuildFailure{
        {}, fmt::format("the compiler did not end in {:.0f} s and was ended", ended.seconds), {}, {}};
  if (ended.output.find("CPU time limit exceeded") !=
      std::string::npos)  // as g++ and shells say it of SIGXCPU
    return BuildFailure{
        {},
        "the compiler used up its CPU time, many times what the reference needs, and was ended",
        {},
        ended.output};
  if (ended_from_outside(ended))
    return BuildFailure{
        {}, fmt::format("the compiler was ended by signal {}, twice", ended.status - 128), {}, ended.output};
  std::string output = ended.output;
  replace_all(output, sources.string() + "/", (build.root() / "lessons").string() + "/");
  replace_all(output, outputs.string() + "/", build.folder().string() + "/");
  output = without_temporary_names(std::move(output));
  BuildFailure failure = first_error(output, build.root(), build.folder());
  if (failure.text.empty()) failure.text = fmt::format("the compiler ended with status {}", ended.status);
  failure.output = output;
  return failure;
}

std::vector<std::string> in_clean_environment(const fs::path& outputs) {
  const char* const path = std::getenv("PATH");
  std::vector<std::string> clean = {"/usr/bin/env",
                                    "-i",
                                    fmt::format("PATH={}", path ? path : "/usr/bin:/bin"),
                                    "TMPDIR=" + outputs.string(),
                                    "HOME=" + outputs.string(),
                                    "LC_ALL=C.UTF-8"};
  if (std::getenv("LADDER_PREFIX"))  // packages next to the system's are found by these
    for (const char* name : {"CPLUS_INCLUDE_PATH", "LIBRARY_PATH", "LD_LIBRARY_PATH"})
      if (const char* value = std::getenv(name)) clean.push_back(fmt::format("{}={}", name, value));
  return clean;
}

std::optional<BuildFailure> build_apart(const Build& build, const StepEntry& step, const std::string& backend,
                                        const fs::path& sources, const fs::path& scratch) {
  const fs::path room = scratch / "apart" / step.path(), outputs = room / "built";
  const LinkFolder links;
  const fs::path link = links.path();
  const StepProgram program{"lessons", step.lesson, step.name, backend,
                            build.root() / "lessons" / step.lesson / step.file};
  const Recipe recipe = recipe_by_link(build, program, link);
  for (const std::string& folder : recipe.folders) fs::create_directories(outputs / folder);
  const Confined run = [&](const std::string& script, const std::vector<std::string>&) {
    std::vector<std::string> command = in_clean_environment(outputs);
    command.insert(command.end(), {"/bin/sh", "-c", script});
    ProcessResult ended =
        run_process({.arguments = std::move(command), .folder = build.harness_folder(), .seconds = 300});
    replace_all(ended.output, (link / "checkout").string() + "/", build.root().string() + "/");
    replace_all(ended.output, (link / "build").string() + "/", build.folder().string() + "/");
    return ended;
  };
  return build_submitted(recipe, build, sources, outputs, run);
}

}  // namespace ladder
