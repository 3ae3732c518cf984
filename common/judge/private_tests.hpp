#pragma once
/// @file
/// Private tests of a lesson, which students do not have: the lesson's suite with problems, sizes, bounds and points of
/// their own. ./ladder grade --private FOLDER compiles FOLDER/NN-name/*.cpp and adds them to the lesson's judge;
/// tests/grading/private/ has an example.

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/judge/judge.hpp"

namespace ladder {

/// A lesson's table in which a row counts only where private tests say so.
class PrivateTable {
 public:
  /// A row of the lesson: its file, and what is different in it: points, targets, their bounds and sizes.
  struct Row {
    std::string_view file;
    std::function<void(Step& row)> change;
  };

  /// @throws Error for a file that is none of the lesson's
  PrivateTable(const Lesson& lesson, const std::vector<Row>& rows)
      : rows_(lesson.begin(), lesson.end()), lesson_(lesson) {
    for (Step& row : rows_) row.correctness_points = row.target_points = row.time_points = 0;
    for (const Row& one : rows) {
      const auto row = std::ranges::find(rows_, one.file, &Step::file);
      if (row == rows_.end())
        throw Error("private tests: " + std::string(lesson.name) + " has no step " + std::string(one.file));
      one.change(*row);
    }
    lesson_.steps = rows_.data();
  }
  PrivateTable(const PrivateTable&) = delete;

  const Lesson& lesson() const { return lesson_; }

 private:
  std::vector<Step> rows_;
  Lesson lesson_;
};

/// The lesson's suite with that table and those cases.
template <class Problem, class Given>
Judged privately_judged(const Suite<Problem, Given>& suite, const PrivateTable& table,
                        std::function<std::vector<Given>(const Step&)> cases) {
  Judged usual = judged(suite);
  const auto one_size = usual.cases;
  const auto own = [&suite, cases = std::move(cases), one_size](const Step& step, int size) {
    if (size > 0) return one_size(step, size);
    std::vector<Case> result;
    for (const Given& given : cases(step)) result.push_back(detail::case_of(suite, given));
    return result;
  };
  return {.lesson = table.lesson(),
          .cases = own,
          .sized = usual.sized,
          .work = usual.work,
          .small_sizes = usual.small_sizes,
          .classes = usual.classes};
}

}  // namespace ladder

/// The test cases of private tests. @param cases  a function: the cases of a step
#define LADDER_PRIVATE_JUDGE(suite, table, cases) \
  LADDER_TEST_CASES(std::string("private "), ladder::privately_judged(suite, table, {cases}))
