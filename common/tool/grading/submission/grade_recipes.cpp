/// @file
/// How the steps of a batch are built: the recipes of their back ends.

#include <filesystem>
#include <string>
#include <vector>

#include "common/base/files/files.hpp"
#include "common/base/text/step_name.hpp"
#include "common/tool/grading/grade_batch.hpp"
#include "common/tool/judging/judging.hpp"

namespace ladder {
namespace fs = std::filesystem;
namespace {

using nlohmann::json;

bool names_local_bytes(const std::string& text) {
  return text.find("local_bytes") != text.npos || text.find("local bytes") != text.npos;
}

/// Whether somebody reads what nvcc says of a step's kernels: a target, of private tests too, or who looks at
/// a profile.
bool reads_ptxas(const Batch& batch, const GradedStep& step) {
  if (batch.options.profiles || step.place.backend != "executor" || !step.step->row.is_object()) return true;
  if (names_local_bytes(step.step->row.value("targets", json::array()).dump())) return true;
  std::error_code none;  // a folder that is not there is told later
  for (const auto& entry : fs::recursive_directory_iterator(batch.options.private_tests, none))
    if (entry.is_regular_file() && names_local_bytes(read_text(entry.path()))) return true;
  return false;
}

}  // namespace

void find_recipes(Batch& batch) {
  for (GradedStep& step : batch.steps) {
    if (!step.place.skip.empty()) continue;
    Job job{.step = step.step, .tree = "lessons", .place = step.place};
    std::vector<std::string> backends = {worker_ending(step.step->name, step.place.backend)};
    if (is_cuda(step.step->family())) backends.push_back(worker_ending(step.step->name, "observed"));
    for (const auto& [what, worker] : job.sanitized_workers())
      backends.push_back(fs::path(worker).extension().string().substr(1));
    for (const std::string& backend : backends)
      if (batch.context.build.knows(job.worker_stem() + "." + backend))
        step.recipes.push_back(recipe_for(batch.context.build, *step.step, backend));
    if (!reads_ptxas(batch, step))
      for (Recipe& recipe : step.recipes) leave_out_ptxas(recipe);
  }
}

}  // namespace ladder
