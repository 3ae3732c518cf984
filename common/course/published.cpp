#include "common/course/published.hpp"

#include <fmt/format.h>

#include "common/grade/record.hpp"

namespace ladder::course {
namespace {

/// "25.6 of 32; not counted yet: private part, 4 points"
std::string total_of(const Ruled& one, const model::GradeRecord& record) {
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

model::StudentView published_view(const Course& course, const Assignment& assignment, const Ruled& one,
                                  const model::GradeRecord& record) {
  model::StudentView view = counted_view(assignment, record);
  view.total = total_of(one, record);
  view.published = model::Publication{
      .assignment = assignment.name,
      .judged = grade::points_text(one.counted.points, one.counted.most),
      .lateness = one.credit && one.received ? lateness_text(*one.credit, course.late) : "",
      .due = course.timezone.text(one.due),
      .received = received_text(course, one),
      .attempt = one.attempt,
      .attempts = one.attempts};
  return view;
}

model::GradescopeResults published_results(const Course& course, const Assignment& assignment,
                                           const Ruled& one, const model::GradeRecord& record) {
  const model::StudentView view = published_view(course, assignment, one, record);
  const model::Publication& said = *view.published;
  model::GradescopeResults results = gradescope_results(in_points_of(assignment, record), Part::all);
  results.output = fmt::format("Published: {}. Judged: {}; {}. Received {}, due {}. Attempt {} of {}.",
                               view.total, said.judged, said.lateness.empty() ? "in time" : said.lateness,
                               said.received, said.due, one.attempt, one.attempts);
  if (one.mark.points) results.score = *one.mark.points;
  return results;
}

}  // namespace ladder::course
