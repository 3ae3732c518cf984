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

using nlohmann::json;

constexpr std::size_t max_output = 20000;  // bytes of a message

/// "03/g2 g2_shared_tiles", and of the final phase the part.
std::string test_name(const json& step) {
  const std::string lesson = step.value("lesson", ""), name = step.value("name", ""),
                    part = step.value("part", "");
  return fmt::format("{} {}{}", ladder::rung_of(lesson, name), name, part.empty() ? "" : ", " + part);
}

std::string cut(const std::string& text) {
  if (text.size() <= max_output) return text;
  std::size_t end = max_output;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;  // no half letter
  return text.substr(0, end) + " …";
}

json test_of(const json& step) {
  const json student = step.value("student", json::object());
  const std::string verdict = student.value("verdict", ""), message = student.value("message", "");
  json test = {{"name", test_name(step)},
               {"output", cut(message.empty() ? verdict : verdict + ": " + message)},
               {"output_format", "text"},
               {"visibility", "visible"},
               {"extra_data", {{"verdict", verdict}, {"phase", step.value("phase", "")}}}};
  const double most = step.value("max_points", 0.0);
  if (most <= 0) return test;  // SKIPPED, or not judged by a fault of ours: no score is not 0
  const double points = step.value("points", 0.0);
  test["score"] = points;
  test["max_score"] = most;
  if (verdict == "PASS" || verdict == "ACCEPTED") test["status"] = "passed";
  return test;
}

/// What a later phase gives: a line without a score.
json open_test(const json& item) {
  const double points = item.value("points", 0.0);
  return {{"name", item.value("what", "") + ", open"},
          {"output", fmt::format("{} {}, opens {}; not counted yet", grade::points_text(points),
                                 points == 1 ? "point" : "points", item.value("opens", ""))},
          {"output_format", "text"},
          {"visibility", "visible"}};
}

}  // namespace

bool has_private_part(const json& record) {
  for (const json& step : record.at("steps"))
    if (grade::is_private(step)) return true;
  return false;
}

json gradescope_results(const json& record, Part part) {
  const json view = grade::student_view(record);
  json tests = json::array();
  double points = 0, most = 0;
  for (const json& step : view.at("steps")) {
    if (part != Part::all && grade::is_private(step) != (part == Part::private_part)) continue;
    points += step.value("points", 0.0), most += step.value("max_points", 0.0);
    tests.push_back(test_of(step));
  }
  if (part != Part::private_part)
    for (const json& item : view.at("open")) tests.push_back(open_test(item));
  const bool apart = part == Part::visible && has_private_part(record);
  std::string total = apart
                          ? fmt::format("visible part {} of {}; the private part is an assignment of its own",
                                        grade::points_text(points), grade::points_text(most))
                          : view.value("total", "");
  if (part == Part::private_part)
    total = fmt::format("private part {} of {}", grade::points_text(points), grade::points_text(most));
  const json submission = view.value("submission", json::object());
  // Without tests Gradescope wants a score; with tests it adds theirs.
  json results = {
      {"output", total},
      {"output_format", "text"},
      {"visibility", "visible"},
      {"stdout_visibility", "hidden"},
      {"tests", tests},
      {"extra_data", {{"receipt", submission.value("receipt", "")}, {"ladder", "gpu-ladder-grade/1"}}}};
  if (tests.empty()) results["score"] = 0;
  return results;
}

json classroom50_result(const json& record, const Classroom& about) {
  const json view = grade::student_view(record);
  json tests = json::array();
  long score = 0, most = 0;
  for (const json& step : view.at("steps")) {
    if (grade::is_private(step) || step.value("max_points", 0.0) <= 0) continue;
    const long points = std::lround(100 * step.value("points", 0.0)),
               full = std::lround(100 * step.value("max_points", 0.0));
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
