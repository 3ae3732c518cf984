#pragma once
/// @file
/// Questions of a course file that people grade (`manual`): their headings in notes.md, the answers below
/// these, and whose they are among several assistants.

#include <optional>
#include <string>
#include <vector>

#include "common/course/course_file.hpp"

namespace ladder::course {

/// "03/g2: What goes wrong without the second barrier?", on one line.
std::string heading_of(const Manual& question);

/// notes.md as students get it: one heading for each question. Empty where there is none.
std::string notes_with_headings(const std::vector<const Assignment*>& assignments);

/// What is below the heading of a question, until the next question's; of several files all. Nothing: no
/// such heading.
std::optional<std::string> answer_to(const Manual& question, const Assignment& assignment,
                                     const std::string& notes);

/// Who grades a question of a submission: 1 to `of`; one in ten also a second one. It depends on submission
/// and question only, so that a submission that comes later changes nobody's share.
std::vector<int> dealt_to(const std::string& pseudonym, const Manual& question, int of);

}  // namespace ladder::course
