#pragma once
/// @file
/// Grading: what a batch of submissions has in common, and what is done with one of them.

#include <sys/types.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "common/base/process/cgroup.hpp"
#include "common/base/process/sandbox.hpp"
#include "common/grade/evidence/symbols.hpp"
#include "common/grade/key.hpp"
#include "common/grade/record.hpp"
#include "common/model/plan.hpp"
#include "common/tool/build/submission_build.hpp"
#include "common/tool/core/context.hpp"
#include "common/tool/grading/grade_store.hpp"

namespace ladder {

/// One submission of a batch.
struct Submission {
  std::string name;            ///< as the folder or archive is called
  std::string pseudonym;       ///< what everything but an export calls it
  std::filesystem::path path;  ///< folder or archive
  unsigned uid = 0;            ///< of its own; 0: the caller's
  int attempt = 1;
  std::optional<std::string> received{};       ///< as the platform says; none, or "": unknown
  std::vector<std::filesystem::path> files{};  ///< where it is some files of a folder: these
  std::string away{};                          ///< why it cannot be read now, by no fault of its authors
  std::filesystem::path
      again{};  ///< final phase, a second measurement: it goes there, and not into the record
};

/// A part of a step's points, judged by itself.
struct Part {
  std::string name{};           ///< of the final phase: "private part", "time"; empty: the instant phase
  std::string key = "visible";  ///< what its inputs are made from; see grade::plan_key
  std::vector<TestKind> kinds{TestKind::correctness, TestKind::targets, TestKind::findings};
  bool is_instant() const { return name.empty(); }
  bool is_time() const { return name == "time"; }
  bool is_private() const { return name == grade::private_part; }
};

/// Of a processor, where it is not known how long the reference takes.
inline constexpr double max_compile_seconds = 120;

/// How long a call of a step may take, and how it is built, for each of its back ends.
struct GradedStep {
  const StepEntry* step = nullptr;
  Placement place{};
  std::vector<Recipe> recipes{};  ///< that of place.backend first
  double call_seconds = 20, compile_seconds = max_compile_seconds;
  double max_points = 0;  ///< of the reference: what a step counts that does not run
  std::set<std::string>
      reference_names{};  ///< suspicious in another's hands, but the reference uses them too
  std::vector<std::string>
      private_judge{};         ///< the command of the judge with private tests; empty: there are none
  std::string private_hash{};  ///< of their sources
  double private_points = 0;   ///< of the reference
  double time_points = 0;      ///< of its row, or of the bounds of this machine
  std::optional<CalibratedTime> time_bounds{};  ///< of this machine, for its plan; nothing: those of its row
  std::vector<grade::Open> open{};              ///< what the final phase will add

  /// Whether it has such a part here.
  bool has(const Part& part) const;
};

/// What all submissions of a batch have in common.
struct Batch {
  Context& context;
  const GradeOptions& options;
  std::vector<GradedStep> steps{};
  grade::Key key{};
  grade::Grader grader{};
  Sandbox sandbox{};  ///< without its user
  std::filesystem::path out{}, work{};
  grade::Surroundings surroundings{};  ///< of steps: which names they may define and use
  std::vector<Part> parts{Part{}};     ///< that every submission is judged by
  std::optional<Part> of_reference{};  ///< and the reference next to them, to know how many points it has
  bool is_final = false;               ///< adds to records that are there
  std::string measured_on{};           ///< the machine, as a student reads it
  nlohmann::json bounds{};             ///< of --bounds: the file; null: none

  std::filesystem::path record_of(const Submission& submission) const {
    const bool is_reference = submission.pseudonym == reference_name;  // it is nobody's grade
    if (is_reference) return out / (is_final ? "reference-final.json" : "reference.json");
    return out / "records" / (submission.pseudonym + ".json");
  }
};

/// A file that says that the final phase has measured a submission to its end.
inline std::filesystem::path measured_file(const Batch& batch, const Submission& submission) {
  return batch.out / "final" / (submission.pseudonym + ".measured");
}

/// How many submissions are graded at once.
std::size_t lanes_of(const GradeOptions& options);

/// Of each program of a submission; an observed one may use four times as much.
inline constexpr double worker_memory = 2e9;
/// Of all that a submission runs at one time: what that needs, and for all submissions at once half of the
/// machine's memory.
CgroupBounds bounds_of_group(const Batch& batch);

/// What bounds a submission here, as records name it.
std::string limits_text(const Sandbox& sandbox);

/// A record of a submission with nothing judged.
model::GradeRecord empty_record(const Batch& batch, const Submission& submission, const grade::Taken& taken);

/// Takes the files of the batch's steps out of a submission. @throws Error when it is not there or cannot be
/// read
grade::Taken taken_in(const Batch& batch, const Submission& submission,
                      const std::filesystem::path& pristine);

/// Amendments outlive a new grading: puts their files where the submitted ones are, if these are the files
/// that were amended.
/// @return the amendments that count, by the steps' ids
std::map<std::string, model::Amendment> put_amendments(const Batch& batch, const Submission& submission,
                                                       const std::filesystem::path& sources);

/// Amendments that a new record does not have any more, since another file lies there, a line each.
std::vector<std::string> lost_amendments(const GradeStore& store, const model::GradeRecord& record);

/// What of a graded submission is not as it was graded: "03-dgemm/g1_naive.cu, notes.md"; empty: it is the
/// same.
/// @throws Error when it is not there
std::string changed_since(const Batch& batch, const Submission& submission);

/// Whether a submission has its grade from a batch that was interrupted: whole, of these steps, and judged.
bool is_graded(const Batch& batch, const Submission& submission);

/// Those that have no grade yet, or another content than their grade. Says which have changed. @post their
/// paths are laid out
std::vector<Submission> to_be_graded(Batch& batch, const std::vector<Submission>& submissions);

/// Takes a submission in, builds and judges it confined, and writes its record. Runs in a process of its own.
void grade_one(const Batch& batch, const Submission& submission);

/// Equal for equal sources of a step, with equal headers next to it: inputs come from it, and it is judged
/// once.
/// @param id  "03-dgemm/g2_shared_tiles"
std::string hash_of_step(const std::string& id, const std::string& backend,
                         const std::filesystem::path& source);

/// Writes the record of a submission that could not be graded: no step was judged, and why.
void write_failure(const Batch& batch, const Submission& submission, const std::string& why);

/// What a platform's folder holds, by --roster: each submission under its platform's key, not laid out yet.
/// Says whose are unknown and who has none, and keeps the list in handed.json of the grades.
std::vector<Submission> handed_submissions(const Batch& batch, const std::filesystem::path& folder);
/// Where a submission lies as one folder or archive: files of its own get a folder in the work folder.
std::filesystem::path gather_files(const Batch& batch, const Submission& submission);

/// Finds the names that steps may define and use.
void find_symbols(Batch& batch);

/// Everything that a submission's steps could have left on this machine.
void sweep_after(const Batch& batch, const Submission& submission);

/// Prints what came of a batch: verdicts, where the pages are, and what waits for a person. @return whether
/// all are graded
bool print_summary(const Batch& batch, const std::vector<Submission>& submissions,
                   const std::filesystem::path& folder);

/// Puts what several shards have graded into one folder. @return the exit status
int merge_grades(Context& context, const std::vector<std::string>& folders, const std::filesystem::path& out);

}  // namespace ladder
