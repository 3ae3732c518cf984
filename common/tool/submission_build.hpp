#pragma once
/// @file
/// Builds the steps of a submission, confined: by the commands that ninja has for the same step of the checkout, with the
/// submission's source in the place of ours and all outputs in a folder of its own.

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "common/tool/build.hpp"
#include "common/tool/catalogue.hpp"
#include "common/tool/compiler_output.hpp"

namespace ladder {

/// How a step is built for one back end: shell commands in which two marks stand for folders.
struct Recipe {
  static constexpr const char* sources = "@SOURCES@";  ///< holds NN-name/STEP.cu
  static constexpr const char* outputs = "@OUTPUTS@";
  std::string target;  ///< relative to the outputs: "workers/lessons/03-dgemm/g1_naive.executor"
  std::vector<std::string> commands;  ///< in their order
  std::vector<std::string> folders;   ///< of the outputs, relative to them
  std::vector<std::string> reads;     ///< what the commands read of checkout and build folder: whole paths

  /// The commands as one shell script. @param sources, outputs  whole paths without characters of the shell
  std::string script(const std::filesystem::path& sources, const std::filesystem::path& outputs) const;
};

/// The recipe from what `ninja -t commands` prints for the target. Commands for what all steps share are left out: it
/// is built before.
/// @param printed  the output of ninja
/// @param root, folder  of checkout and build
Recipe recipe_from(const std::string& printed, const StepEntry& step, const std::string& backend,
                   const std::filesystem::path& root, const std::filesystem::path& folder);

/// Asks ninja. @throws UsageError when it knows no such target
Recipe recipe_for(const Build& build, const StepEntry& step, const std::string& backend);

/// Starts a shell script confined, in the folder: it may read those paths and write below the outputs.
using Confined = std::function<Ended(const std::string& script, const std::vector<std::string>& reads)>;

/// Builds a step of a submission. @return why not, with the source named as students know it
std::optional<BuildFailure> build_submitted(const Recipe& recipe, const Build& build,
                                            const std::filesystem::path& sources,
                                            const std::filesystem::path& outputs, const Confined& run);

}  // namespace ladder
