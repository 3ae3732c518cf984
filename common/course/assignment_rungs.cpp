/// @file
/// The rungs of an assignment; students' copies need it, too, and read no course file.

#include "common/course/course_file.hpp"

namespace ladder::course {

std::vector<std::string> Assignment::rung_names() const {
  std::vector<std::string> names;
  for (const auto& [rung, rung_points] : rungs) names.push_back(rung);
  return names;
}

}  // namespace ladder::course
