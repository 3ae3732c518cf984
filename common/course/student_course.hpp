#pragma once
/// @file
/// What a handout tells its students of the course file: assignments with rungs, points, questions and
/// deadlines, and the machine of --remote. No people, keys, paths of theirs or tests.

#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "common/course/course_file.hpp"

namespace ladder::course {

/// Where a handout has it.
inline constexpr const char* student_course_file = ".handout/course.json";

/// Schema gpu-ladder-course/1. Times are UTC; "timezone" is the course's.
nlohmann::json student_course(const Course& course, const std::vector<const Assignment*>& assignments);

/// The same as a course again, with what students may know; nothing where it is none.
std::optional<Course> read_student_course(const nlohmann::json& document);

}  // namespace ladder::course
