#pragma once
/// @file
/// What a student may read of a grade: made from a record by grade::student_view, which names all that is in
/// it.

#include <optional>
#include <string>
#include <vector>

#include "common/model/grade.hpp"

namespace ladder::model {

/// A slip that a person has fixed; no name of the staff.
struct StudentAmendment {
  std::string reason{}, diff{};
  double points = 0;        ///< deducted
  StudentVerdict before{};  ///< of the step as it was submitted
  std::optional<double> before_points{}, before_max_points{};
};

/// Points of a rung's own row.
struct RungPoints {
  double points = 0, max_points = 0;
};

/// A step as its student reads it.
struct StudentStep {
  std::string lesson{}, name{}, file{}, phase{}, part{};
  double points = 0, max_points = 0;
  std::optional<RungPoints> own{};  ///< where a course file counts other ones
  StudentVerdict student{};
  std::optional<StudentAmendment> amendment{};
  std::vector<std::string> runs{};
  std::optional<int> right_runs{};
  std::string device{}, measured_on{};
  Details details{};
  std::vector<CaseClass> cases{};
  std::vector<Target> targets{};
};

/// An answer that people have graded; nobody's name.
struct StudentQuestion {
  std::string rung{}, ask{};
  double points = 0, of = 0;
  std::string note{};
};

/// How the points of a course file came about, on clocks of the course.
struct Publication {
  std::string assignment{}, judged{}, lateness{}, due{}, received{};
  int attempt = 1, attempts = 1;
};

/// A record as its student reads it.
struct StudentView {
  std::string pseudonym{};
  GradedSubmission submission{};  ///< without its name
  std::string sandbox{}, commit{};
  std::vector<StudentStep> steps{};
  std::vector<StudentQuestion> questions{};
  double points = 0, max_points = 0;
  std::vector<OpenPoints> open{};
  std::string total{};
  std::optional<Publication> published{};
};

}  // namespace ladder::model
