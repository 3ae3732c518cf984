#pragma once
/// @file
/// The points that people read of grades.

#include <filesystem>
#include <optional>
#include <string>

#include "common/course/course_file.hpp"
#include "common/model/grade_view.hpp"

namespace ladder {

/// The points that people read of grades: those of the course file that they were graded by, as long as it
/// can be read; else those of the rungs, which records keep.
class PointsOfCourse {
 public:
  explicit PointsOfCourse(const std::filesystem::path& grades);
  /// Whether they are a course file's.
  bool known() const { return assignment_.has_value(); }
  model::GradeRecord scaled(model::GradeRecord record) const;
  /// What its student may read.
  model::StudentView view(const model::GradeRecord& record) const;
  /// Points that a person has typed for a step, as the record keeps them. @param id
  /// "03-dgemm/g2_shared_tiles"
  double own(const model::GradeRecord& record, const std::string& id, double points) const;

 private:
  std::optional<course::Assignment> assignment_{};
};

}  // namespace ladder
