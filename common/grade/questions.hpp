#pragma once
/// @file
/// Questions that people grade: what they have given for an answer, as the log of decisions keeps it.

#include <optional>
#include <string>
#include <vector>

#include "common/model/grade.hpp"

namespace ladder::grade {

/// The action of a line of the log that gives points for a question. Its fields: student, step ("03/g2"),
/// question, points, of (most), by, reason (a note that the student reads), at; and settles: true where two
/// people had given different points.
inline constexpr const char* manual_action = "manual";

/// What people have given for one question of one submission.
struct Graded {
  std::string rung, ask;
  double of = 0;                   ///< most points
  std::optional<double> points{};  ///< none: two people differ, and nobody has settled it
  std::string note{};
  std::vector<model::QuestionMark> given{};  ///< the last line of each person, by their time
};

/// All questions of a record that somebody has graded, in the order of their first line. The last line of
/// each person counts; where these differ, the last one that settles it.
std::vector<Graded> graded(const model::GradeRecord& record);

/// The same question in it; null: nobody has graded it.
const Graded* find(const std::vector<Graded>& all, const std::string& rung, const std::string& ask);

}  // namespace ladder::grade
