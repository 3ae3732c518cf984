#include "common/tool/standing/course_view.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "common/tool/standing/assignment.hpp"

namespace ladder {

std::string course_points(const std::optional<course::Course>& course, const std::string& label) {
  std::string text;
  if (course)
    for (const course::Assignment& one : course->assignments)
      for (const auto& [rung, points] : one.rungs)
        if (rung == label) text += fmt::format("{}{:g}", text.empty() ? "" : " + ", points);
  return text;
}

std::string phases_text(const course::Assignment& one) {
  double instant = 0, predicted = 0, asked = 0;
  for (const auto& [rung, points] : one.rungs) instant += points;
  for (const course::Predict& predict : one.predict) predicted += predict.points;
  for (const course::Manual& manual : one.manual) asked += manual.points;
  std::vector<std::string> later;
  const auto add = [&](const char* what, double points) {
    if (points > 0) later.push_back(fmt::format("{} {:g}", what, points));
  };
  add("time", one.time ? one.time->points : 0);
  add("private tests", one.private_tests ? one.private_tests->points : 0);
  add("predictions", predicted);
  add("questions", asked);
  std::string text = fmt::format("{:g} points in the instant phase, which ./ladder check shows", instant);
  if (!later.empty()) text += fmt::format("; final phase, after the deadline: {}", fmt::join(later, ", "));
  return text;
}

std::string course_line(const course::Course& course, const course::Assignment& one,
                        std::chrono::sys_seconds now) {
  const std::string opens = now < one.opens ? fmt::format(" It opens {}.", local_text(one.opens)) : "";
  return fmt::format("{}: {}.{}", deadline_text(course, one, now), phases_text(one), opens);
}

std::string ago(std::time_t moment, std::time_t now) {
  return span_text(std::chrono::seconds(std::max(std::time_t{0}, now - moment))) + " ago";
}

}  // namespace ladder
