#include "common/course/published.hpp"

#include <fmt/format.h>

#include "common/grade/record.hpp"

namespace ladder::course {
namespace {

using nlohmann::json;

/// "25.6 of 32; not counted yet: private part, 4 points"
std::string total_of(const Ruled& one, const json& record) {
  std::string text = one.mark.points ? grade::points_text(*one.mark.points, one.counted.most)
                                     : "none, since nothing could be judged";
  for (std::size_t i = 0; i < one.counted.open.size(); ++i)
    text += (i == 0 ? "; not counted yet: " : "; ") + one.counted.open[i];
  if (grade::is_provisional(record)) text += "; provisional: a person looks at a rung";
  return text;
}

std::string received_text(const Course& course, const Ruled& one) {
  if (one.received) return course.timezone.text(*one.received);
  return one.credit ? "not known; counted as in time" : "not known";
}

}  // namespace

json published_view(const Course& course, const Assignment& assignment, const Ruled& one,
                    const json& record) {
  json view = counted_view(assignment, record);
  view["total"] = total_of(one, record);
  view["published"] = {
      {"assignment", assignment.name},
      {"judged", grade::points_text(one.counted.points, one.counted.most)},
      {"lateness", one.credit && one.received ? lateness_text(*one.credit, course.late) : ""},
      {"due", course.timezone.text(one.due)},
      {"received", received_text(course, one)},
      {"attempt", one.attempt},
      {"attempts", one.attempts}};
  return view;
}

json published_results(const Course& course, const Assignment& assignment, const Ruled& one,
                       const json& record) {
  const json view = published_view(course, assignment, one, record), &said = view["published"];
  json results = gradescope_results(in_points_of(assignment, record), Part::all);
  results["output"] = fmt::format("Published: {}. Judged: {}; {}. Received {}, due {}. Attempt {} of {}.",
                                  view["total"].get<std::string>(), said["judged"].get<std::string>(),
                                  said["lateness"] == "" ? "in time" : said["lateness"].get<std::string>(),
                                  said["received"].get<std::string>(), said["due"].get<std::string>(),
                                  one.attempt, one.attempts);
  if (one.mark.points) results["score"] = *one.mark.points;
  return results;
}

}  // namespace ladder::course
