#pragma once
/// @file
/// What the phases of a grade have in common: the steps of a batch, its sandbox, its key, its private tests.

#include <optional>

#include "common/tool/core/verb_options.hpp"
#include "common/tool/grading/grade_uids.hpp"
#include "common/tool/grading/grading.hpp"

namespace ladder {

inline constexpr double room_bytes = 300e6;  ///< on disk, of one submission while it is graded
inline constexpr double kept_bytes = 1e6;    ///< on disk, of one afterwards: record, sources, log and page
/// Where a batch is graded: a scratch folder that submissions may pass through, users for them, and the
/// sandbox.
class Workplace {
 public:
  /// Makes the folder.
  explicit Workplace(Batch& batch);
  /// Builds what the steps share, reserves users and chooses the sandbox. @param users that next_user() will
  /// be asked for
  void prepare(const std::vector<std::string>& rungs, std::size_t users);
  /// A user for a submission; 0: the caller's.
  unsigned next_user();
  /// "bwrap", "uid", "none (trusted)"
  std::string sandbox() const;
  /// The reference as a submission, with a user of its own. @throws UsageError where there is none
  Submission reference() const;

 private:
  Batch& batch_;
  ScratchFolder work_{};
  std::optional<Uids> uids_{};
  bool own_users_ = false;
  unsigned of_reference_ = 0;
};

/// Judges the reference as a submission. @return its record  @throws UsageError when it cannot be judged
model::GradeRecord judge_reference(Batch& batch, const Submission& reference);

/// Takes the bounds of --bounds instead of those of the rows. @throws UsageError when they are broken
void take_bounds(Batch& batch);
/// @throws UsageError when they are those of another machine
void check_bounds(const Batch& batch);
/// What a step is timed on, as bounds name it: "NVIDIA H200"; of a processor also its cores.
std::string model_of(const GradedStep& step, const model::Machine& machine);
/// The verb ./ladder grade calibrate. @return the exit status
int calibrate(Context& context);

/// The options of `grade calibrate`.
void add_grade_calibrate_options(CLI::App& app, Options& o, Typed& typed);

/// Who else uses a GPU that measures: "another process uses a GPU (pid 77)"; "" for nobody. Says where that
/// cannot be known.
std::string others_on_gpu(const Batch& batch);
/// @throws UsageError when a GPU that measures has other work
void check_alone(const Batch& batch);

/// The recipes of the steps. nvcc is asked for registers and local memory only where somebody reads them:
/// that is most of what an observed step costs to build.
void find_recipes(Batch& batch);

/// The steps that are graded, with all that their builds and their judging share.
void prepare_steps(Batch& batch, const std::vector<std::string>& rungs);

/// Which modes work for submissions on this machine, and to this checkout.
/// @param sandbox  as of probe()
SandboxModes modes_here(Context& context, const Sandbox& sandbox);
/// @throws UsageError where submissions cannot be confined, and are not trusted
Sandbox choose_sandbox(Context& context, const GradeOptions& options, unsigned uid);

/// The key of --key, else that of the folder.
grade::Key class_key(const GradeOptions& options);

/// The part that private tests judge.
Part private_part(const GradeOptions& options);

/// Builds the judges with private tests (--private) into the batch's work folder; nothing without that
/// option.
/// @throws UsageError for a folder that has none, and where submissions are not confined: they could read the
/// tests
void prepare_private(Batch& batch);

/// What the reference must get before anything is graded. What only a clock could not decide is said, and is
/// no reason to stop.
/// @param where  "here", "in the private tests"
/// @throws UsageError where the reference is not right
void expect_right(const Batch& batch, const GradedStep& step, const std::string& where,
                  const std::string& verdict, const std::string& message);

/// The points that the final phase will add to each step, from the record of the reference.
/// @throws UsageError when the reference does not pass the private tests
void find_open_points(Batch& batch, const model::GradeRecord& reference);

/// The phase of time and private tests, for records that are there. @return the exit status
int grade_final(Context& context);

/// One run of an autograder on Gradescope (grade_gradescope.cpp). @return 0: every rung was judged
int grade_for_gradescope(Context& context);

}  // namespace ladder
