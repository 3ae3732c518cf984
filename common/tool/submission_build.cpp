#include "common/tool/submission_build.hpp"

#include <fmt/format.h>

#include "common/base/text.hpp"
#include "common/tool/names.hpp"

namespace ladder {
namespace fs = std::filesystem;

Recipe recipe_for(const Build& build, const StepEntry& step, const std::string& backend) {
  const StepProgram program{"lessons", step.lesson, step.name, backend,
                            build.root() / "lessons" / step.lesson / step.file};
  if (build.harness()) return build.harness()->recipe(program.target());
  return recipe_of(program, build.root(), build.folder());
}

std::optional<BuildFailure> build_submitted(const Recipe& recipe, const Build& build, const fs::path& sources,
                                            const fs::path& outputs, const Confined& run) {
  const Ended ended = run(recipe.script(sources, outputs), recipe.reads);
  if (ended.ok() && fs::exists(outputs / recipe.target)) return std::nullopt;
  if (ended.interrupted) return BuildFailure{{}, "interrupted", {}, {}};
  if (ended.out_of_memory) return BuildFailure{{}, "the compiler needed too much memory and was ended", {}, {}};
  if (ended.timed_out)
    return BuildFailure{
        {}, fmt::format("the compiler did not end in {:.0f} s and was ended", ended.seconds), {}, {}};
  std::string output = ended.output;
  replace_all(output, sources.string() + "/", (build.root() / "lessons").string() + "/");
  replace_all(output, outputs.string() + "/", build.folder().string() + "/");
  BuildFailure failure = first_error(output, build.root(), build.folder());
  if (failure.text.empty()) failure.text = fmt::format("the compiler ended with status {}", ended.status);
  failure.output = output;
  return failure;
}

}  // namespace ladder
