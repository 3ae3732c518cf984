#pragma once
/// @file
/// Questions of a course file that people grade: which of them wait for an assistant, and where two of them
/// differ.

#include <optional>
#include <string>
#include <vector>

#include "common/course/course_file.hpp"
#include "common/grade/questions.hpp"

namespace ladder {

struct Context;

/// A question of one submission.
struct QuestionItem {
  const course::Manual* question;
  std::string pseudonym;
  std::string answer;  ///< or what is in notes.md where it has no such heading
};

/// One line from the person; nothing at the end of the input.
std::optional<std::string> typed_in(const std::string& question);

/// What waits for the assistant of that number and name: question after question, each over all submissions.
/// What they have graded already does not, nor what as many people as it is dealt to have graded.
std::vector<QuestionItem> waiting(const course::Assignment& assignment,
                                  const std::vector<model::GradeRecord>& records,
                                  const std::string& assistant, int number, int of);

/// What two people have given different points for, and nobody has settled.
std::vector<QuestionItem> disagreements(const course::Assignment& assignment,
                                        const std::vector<model::GradeRecord>& records);

/// review --course: shows and asks. @return the exit status
int review_questions(Context& context);

}  // namespace ladder
