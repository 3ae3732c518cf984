#pragma once
/// @file
/// Private tests of a lesson, which students do not have: the lesson's suite with problems, sizes, bounds and
/// points of their own. ./ladder grade --private FOLDER compiles FOLDER/NN-name/*.cpp and adds them to the
/// lesson's judge; tests/grading/private/ has an example.

#include <algorithm>
#include <functional>
#include <optional>
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

  /// @param own  amounts that the lesson does not have, by the names that the rows give them
  explicit PrivateTable(std::vector<Row> rows, Amounts own = {})
      : rows_(std::move(rows)), amounts_(std::move(own)) {}
  PrivateTable(const PrivateTable&) = delete;

  /// The plan's table with these rows.
  const Lesson& lesson() const {
    if (!lesson_) lesson_ = changed(plan().table);
    return *lesson_;
  }
  /// The lesson's amounts, and its own.
  const Amounts& with_own(const Amounts& usual) const {
    amounts_.insert(usual.begin(), usual.end());
    return amounts_;
  }

 private:
  Lesson changed(Lesson lesson) const {
    for (Step& row : lesson.steps) row.points = {.correctness = 0, .targets = 0, .time = 0};
    for (const Row& one : rows_) {
      const auto row = std::ranges::find(lesson.steps, one.file, &Step::file);
      if (row == lesson.steps.end())
        throw Error("private tests: " + lesson.name + " has no rung " + std::string(one.file));
      one.change(*row);
    }
    return lesson;
  }

  std::vector<Row> rows_;
  mutable Amounts amounts_;
  mutable std::optional<Lesson> lesson_{};
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
  return {.amounts = table.with_own(suite.amounts),
          .table = [&table]() -> const Lesson& { return table.lesson(); },
          .cases = own,
          .sized = usual.sized,
          .work = usual.work,
          .small_sizes = usual.small_sizes};
}

}  // namespace ladder

/// The test cases of private tests. @param cases  a function: the cases of a step
#define LADDER_PRIVATE_JUDGE(suite, table, cases) \
  LADDER_TEST_CASES(std::string("private "), ladder::privately_judged(suite, table, {cases}))
