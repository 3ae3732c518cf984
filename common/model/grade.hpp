#pragma once
/// @file
/// What a grade is made of. grade_json.hpp has it as the files of grades have it, docs/grades.schema.json
/// says what the fields mean.

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "common/model/result.hpp"

namespace ladder::model {

/// A step as it was before a person fixed a slip in it. Nothing but an empty message once it was purged.
struct BeforeAmendment {
  std::optional<Verdict> verdict{};
  std::string message{};
  std::optional<double> points{}, max_points{};
};

/// A slip that a person has fixed before the step was judged again.
struct Amendment {
  std::string by{}, reason{}, at{};
  double points = 0;            ///< deducted
  std::string diff{};           ///< from the submitted file to the judged one
  std::string source_sha256{};  ///< of the submitted file
  BeforeAmendment before{};
};

/// A step's result as the grader has judged it: what several runs say together.
struct GradedResult : StepResult {
  std::vector<Verdict> runs{};             ///< of the repeats, the first one included
  std::optional<int> right_runs{};         ///< of what may depend on the order of its threads
  std::optional<Verdict> judged_as{};      ///< of one that a person looks at: what the judge said
  std::vector<std::string> uses{};         ///< suspicious names
  std::vector<std::string> problems{};     ///< faults of ours
  std::vector<nlohmann::json> profiles{};  ///< records of kind profile and hardware
  std::string measured_on{};               ///< the machine, as a student reads it
  std::optional<double> judge_seconds{};   ///< of the reference
  std::optional<double> build_seconds{};   ///< of the reference
  std::optional<Timing> again{};           ///< a second timing session
  std::optional<Amendment> amendment{};
};

/// Points that are not given yet.
struct OpenPoints {
  std::string what{};  ///< "private part", "time"
  double points = 0;
  std::string opens{};  ///< "after 2027-02-14 23:59"
};

/// What staff reads of a step.
struct StaffVerdict {
  Verdict verdict = Verdict::not_run;
  std::string evidence{};
};

/// What its student reads: a verdict, or a word of the decision about it, "PROVISIONAL" for one.
struct StudentVerdict {
  std::string verdict{}, message{};
};

/// What repeats a private part that was published.
struct PublishedPart {
  std::string key{}, folder{};
};

/// One entry of a record's steps: a result with its points.
struct GradeEntry : GradedResult {
  std::string phase{};  ///< "instant", "final"
  std::string part{};   ///< final: which open item it closes
  double judged_points = 0, open_points = 0;
  std::vector<OpenPoints> open{};
  StaffVerdict staff{};
  StudentVerdict student{};
  std::optional<PublishedPart> published{};
  std::string untaken{};  ///< what was there where nothing was taken, for a person to look at
};

/// A file that was judged.
struct GradedFile {
  std::string path{};
  std::uint64_t bytes = 0;
  std::string sha256{}, submitted_sha256{};  ///< of what was judged, and as it came where that differs
  std::vector<std::string> changed{};        ///< what was converted
};

/// A file that was not taken.
struct RefusedFile {
  std::string path{}, why{};
};

/// What was handed in.
struct GradedSubmission {
  std::string name{}, sha256{}, receipt{}, received{};
  int attempt = 1;
  std::vector<GradedFile> files{};
  std::vector<RefusedFile> refused{};
  std::vector<std::string> missing{};
  std::string notes{};
  std::vector<std::string> differences{}, contained{};
  std::string handout{};
  nlohmann::json predictions{};  ///< as the package has them
};

/// What a person has decided of a step.
struct GradeDecision {
  std::string step{}, action{}, by{}, reason{}, at{};
  std::optional<double> points{};
  std::string source_sha256{};  ///< of the file that it is about
};

/// What a person has given for the answer to a question.
struct QuestionMark {
  std::string student{}, step{}, question{}, action{};
  double points = 0, of = 0;
  std::string by{}, reason{}, at{};
  bool settles = false;
};

/// What judged it, as far as that does not change from run to run.
struct Grader {
  std::optional<std::string> sandbox{}, limits{};
  nlohmann::json machine{}, ladder{};
  std::optional<std::string> key_id{};
};

/// The record of a submission's grade.
struct GradeRecord : Grader {
  std::string pseudonym{};
  GradedSubmission submission{};
  std::vector<GradeEntry> steps{};
  double points = 0, max_points = 0;
  std::vector<OpenPoints> open{};
  std::vector<GradeDecision> decisions{};
  std::vector<QuestionMark> manual{};
};

/// What a dry run of regrade has judged of a submission, until it is applied.
struct RegradeProposal {
  std::string pseudonym{}, base_sha256{};  ///< the sum is of the record that it was made for
  nlohmann::json ladder{}, machine{};
  std::vector<GradeEntry> steps{};
  std::map<std::string, std::string> private_tests{};  ///< sums of their sources, by step
};

}  // namespace ladder::model
