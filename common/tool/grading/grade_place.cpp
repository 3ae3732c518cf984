/// @file
/// Where a batch is graded: scratch folder, users, sandbox; and the reference, which goes the way of the
/// submissions.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "common/base/files/json_file.hpp"
#include "common/base/usage_error.hpp"
#include "common/tool/grading/grade_batch.hpp"
#include "common/tool/grading/grade_lanes.hpp"

namespace ladder {
namespace fs = std::filesystem;

Workplace::Workplace(Batch& batch) : batch_(batch) {
  // Others may pass through it to what is theirs.
  fs::permissions(work_.path(), fs::perms::owner_all | fs::perms::group_exec | fs::perms::others_exec);
  batch.work = work_.path();
}

void Workplace::prepare(const std::vector<std::string>& rungs, std::size_t users) {
  const GradeOptions& options = batch_.options;
  prepare_steps(batch_, rungs);
  const bool as_root = ::geteuid() == 0 && options.sandbox != "none";
  uids_.emplace(as_root ? users + 1 : 0);
  const unsigned first = as_root ? uids_->next() : 0;
  batch_.sandbox = choose_sandbox(batch_.context, options, first);
  own_users_ = as_root && !batch_.sandbox.mode.empty();
  of_reference_ = own_users_ ? first : 0;
}

unsigned Workplace::next_user() {
  return own_users_ ? uids_->next() : 0;
}

std::string Workplace::sandbox() const {
  return batch_.sandbox.mode.empty() ? "none (trusted)" : batch_.sandbox.mode;
}

Submission Workplace::reference() const {
  const fs::path solutions = batch_.context.root / "solutions";
  if (!fs::is_directory(solutions))
    throw UsageError{"this needs the reference, and there is no folder solutions/ here"};
  return {.name = reference_name, .pseudonym = reference_name, .path = solutions, .uid = of_reference_};
}

model::GradeRecord judge_reference(Batch& batch, const Submission& reference) {
  const auto problems = grade_all(batch, {reference}, 1);
  if (interrupted()) throw UsageError{"interrupted before the first submission"};
  if (!problems.empty()) throw UsageError{"the reference cannot be judged here: " + problems.front()};
  const fs::path file = reference.again.empty() ? batch.record_of(reference) : reference.again;
  return model::grade_record_from_json(need_json(file), file.string());
}

std::string others_on_gpu(const Batch& batch) {
  const bool gpu = std::any_of(batch.steps.begin(), batch.steps.end(),
                               [](const GradedStep& step) { return step.place.backend == "cuda"; });
  if (!gpu) return "";  // of a processor, the judge measures what others use
  const ProcessResult ended =
      run_process({.arguments = {"nvidia-smi", "--query-compute-apps=pid", "--format=csv,noheader"},
                   .seconds = 60,
                   .output_only = true});
  const std::string line = ended.output.substr(0, ended.output.find('\n'));
  if (!ended.ok())
    batch.context.terminal.print("whether others use the GPU is not known, since nvidia-smi failed: " + line);
  else if (line.find_first_of("0123456789") != std::string::npos)
    return fmt::format("another process uses a GPU (pid {})", line);
  return "";
}

void check_alone(const Batch& batch) {
  if (const std::string others = others_on_gpu(batch); !others.empty())
    throw UsageError{others + ": times are measured alone on the machine"};
}

}  // namespace ladder
