/// @file
/// A record as the result files of Gradescope and Classroom 50.
/// Source: gradescope/autograder_samples docs/specs.md; foundation50/classroom50 wiki, Advanced-Autograding,
/// "The result.json contract".

#include <fmt/format.h>

#include <cmath>

#include "common/base/text/step_name.hpp"
#include "common/course/platforms/gradebook.hpp"
#include "common/grade/intake/source_encoding.hpp"
#include "common/grade/record.hpp"

namespace ladder::course {
namespace {

using model::StudentStep;
using nlohmann::json;

constexpr std::size_t max_output = 20000;  // bytes of a message

bool is_of_private_part(const StudentStep& step) {
  return step.part == grade::private_part;
}

/// "03/g2 g2_shared_tiles", and of the final phase the part.
std::string test_name(const StudentStep& step) {
  return fmt::format("{} {}{}", ladder::rung_of(step.lesson, step.name), step.name,
                     step.part.empty() ? "" : ", " + step.part);
}

std::string cut(const std::string& text) {
  if (text.size() <= max_output) return text;
  std::size_t end = max_output;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;  // no half letter
  return text.substr(0, end) + " …";
}

model::GradescopeTest test_of(const StudentStep& step) {
  const auto& [verdict, message] = step.student;
  model::GradescopeTest test{.name = test_name(step),
                             .output = cut(message.empty() ? verdict : verdict + ": " + message),
                             .extra_data = model::GradescopeTestData{verdict, step.phase}};
  if (step.max_points <= 0) return test;  // SKIPPED, or not judged by a fault of ours: no score is not 0
  test.score = step.points;
  test.max_score = step.max_points;
  if (verdict == "PASS" || verdict == "ACCEPTED") test.status = "passed";
  return test;
}

/// What a later phase gives: a line without a score.
model::GradescopeTest open_test(const model::OpenPoints& item) {
  return {.name = item.what + ", open",
          .output = fmt::format("{} {}, opens {}; not counted yet", grade::points_text(item.points),
                                item.points == 1 ? "point" : "points", item.opens)};
}

}  // namespace

bool has_private_part(const model::GradeRecord& record) {
  for (const model::GradeEntry& step : record.steps)
    if (grade::is_private(step)) return true;
  return false;
}

model::GradescopeResults gradescope_results(const model::GradeRecord& record, Part part) {
  const model::StudentView view = grade::student_view(record);
  model::GradescopeResults results{
      .stdout_visibility = "hidden",
      .extra_data = model::GradescopeData{view.submission.receipt, model::grade_schema}};
  double points = 0, most = 0;
  for (const StudentStep& step : view.steps) {
    if (part != Part::all && is_of_private_part(step) != (part == Part::private_part)) continue;
    points += step.points, most += step.max_points;
    results.tests.push_back(test_of(step));
  }
  if (part != Part::private_part)
    for (const model::OpenPoints& item : view.open) results.tests.push_back(open_test(item));
  const bool apart = part == Part::visible && has_private_part(record);
  results.output = apart ? fmt::format("visible part {} of {}; the private part is an assignment of its own",
                                       grade::points_text(points), grade::points_text(most))
                         : view.total;
  if (part == Part::private_part)
    results.output =
        fmt::format("private part {} of {}", grade::points_text(points), grade::points_text(most));
  // Without tests Gradescope wants a score; with tests it adds theirs.
  if (results.tests.empty()) results.score = 0;
  return results;
}

json classroom50_result(const model::GradeRecord& record, const Classroom& about) {
  const model::StudentView view = grade::student_view(record);
  json tests = json::array();
  long score = 0, most = 0;
  for (const StudentStep& step : view.steps) {
    if (is_of_private_part(step) || step.max_points <= 0) continue;
    const long points = std::lround(100 * step.points), full = std::lround(100 * step.max_points);
    tests.push_back(
        {{"test-name", test_name(step)}, {"passed", points == full}, {"score", points}, {"max-score", full}});
    score += points, most += full;
  }
  return {{"schema", "classroom50/result/v1"},
          {"classroom", about.classroom},
          {"assignment", about.assignment},
          {"submission", about.submission},
          {"commit", about.commit},
          {"release", about.release},
          {"review", about.review.empty() ? about.commit : about.review},
          {"datetime", about.datetime},
          {"score", score},
          {"max-score", most},
          {"tests", tests}};
}

}  // namespace ladder::course
