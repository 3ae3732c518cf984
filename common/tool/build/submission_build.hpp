#pragma once
/// @file
/// Builds the steps of a submission, confined: by the commands that ninja has for the same step of the
/// checkout, with the submission's source in the place of ours and all outputs in a folder of its own.

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "common/tool/build/build.hpp"
#include "common/tool/build/compiler_output.hpp"
#include "common/tool/build/recipe.hpp"
#include "common/tool/catalogue/catalogue.hpp"

namespace ladder {

/// That of a step of the checkout. @throws UsageError when it knows no such target
Recipe recipe_for(const Build& build, const StepEntry& step, const std::string& backend);

/// Starts a shell script confined, in the folder: it may read those paths and write below the outputs.
using Confined =
    std::function<ProcessResult(const std::string& script, const std::vector<std::string>& reads)>;

/// Builds a step of a submission. @return why not, with the source named as students know it
std::optional<BuildFailure> build_submitted(const Recipe& recipe, const Build& build,
                                            const std::filesystem::path& sources,
                                            const std::filesystem::path& outputs, const Confined& run);

/// How a command begins that gets nothing of our environment but where programs and packages are.
std::vector<std::string> in_clean_environment(const std::filesystem::path& outputs);

/// Builds one's own step as a submission's is built, in the scratch folder and not confined; the checkout may
/// lie in any folder.
/// @return why not, with the source named as students know it
std::optional<BuildFailure> build_apart(const Build& build, const StepEntry& step, const std::string& backend,
                                        const std::filesystem::path& sources,
                                        const std::filesystem::path& scratch);

}  // namespace ladder
