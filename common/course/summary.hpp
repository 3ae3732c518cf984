#pragma once
/// @file
/// What commands say of a class, as lines: whom to look for, who gets nothing, what grading them costs.

#include <filesystem>
#include <string>
#include <vector>

#include "common/course/marks.hpp"

namespace ladder::course {

/// What was handed in, by how many people, who is missing, and whose times are not known. Of people the
/// course's id, no name.
/// @param times  received.csv, or where it would be
std::vector<std::string> handed_summary(const SubmissionImport& handed, const std::filesystem::path& times);

/// Of an export: how many have points, who gets 0 for being too late, an empty cell for nothing, and whose
/// time is unknown.
std::vector<std::string> ruled_summary(const std::vector<Ruled>& all);

/// Where the points of a trial are not those of the course file: "03/g3 8 → 10; private part, 6 points, in
/// the final phase".
/// @param record  of the reference; empty: all is as the rungs have it
std::string scale_text(const Assignment& assignment, const model::GradeRecord& record);

/// What one submission of a trial took on a machine that judged others next to it.
struct Cost {
  double different = 0;  ///< seconds for one that passes, with sources that nobody else has
  double cpu = 0;        ///< the same of a processor: what it would take on a machine with nothing else to do
  double known = 0;      ///< for one whose sources were judged before
  double once = 0;       ///< for what all share, and the reference
  std::size_t people = 0;
  int jobs = 1;
};

/// What a class costs, between all sources equal and all of them different.
std::string cost_text(const Cost& cost);

}  // namespace ladder::course
