#include "common/tool/standing/assignment.hpp"

#include <fmt/format.h>

#include <ctime>

#include "common/base/files/json_file.hpp"
#include "common/base/text/numbers.hpp"
#include "common/base/usage_error.hpp"
#include "common/course/student_course.hpp"

namespace ladder {

using std::chrono::sys_seconds;

sys_seconds now_in_seconds() {
  return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
}

// A file that is compiled with this one may have another `counted`.
std::string span_text(std::chrono::seconds span) {
  const auto seconds = span.count();
  if (seconds >= 2 * 86400) return ladder::counted(seconds / 86400, std::string("day"));
  if (seconds >= 2 * 3600) return ladder::counted(seconds / 3600, std::string("hour"));
  return ladder::counted(seconds / 60, std::string("minute"));
}

std::optional<course::Course> course_of_handout(const std::filesystem::path& root) {
  return course::read_student_course(read_json(root / course::student_course_file));
}

const course::Assignment& assignment_now(const course::Course& course, const std::string& name,
                                         sys_seconds now) {
  const course::Assignment *next = nullptr, *last = nullptr;
  std::vector<std::string> names;
  for (const course::Assignment& one : course.assignments) {
    if (one.name == name) return one;
    names.push_back(one.name);
    if (one.due >= now && (!next || one.due < next->due)) next = &one;
    if (!last || one.due > last->due) last = &one;
  }
  if (!name.empty()) throw UsageError{unknown("assignment", name, names)};
  return next ? *next : *last;
}

std::string local_text(sys_seconds moment) {
  const std::time_t clock = moment.time_since_epoch().count();
  std::tm local{};
  char text[64];
  std::strftime(text, sizeof text, "%a %Y-%m-%d %H:%M %Z", localtime_r(&clock, &local));
  return text;
}

std::string deadline_text(const course::Course& course, const course::Assignment& assignment,
                          sys_seconds now) {
  const std::string here = local_text(assignment.due), there = course.timezone.text(assignment.due);
  const bool past = now > assignment.due;
  return fmt::format("{} {} due {}{}, {}{}", assignment.name, past ? "was" : "is", here,
                     here.substr(4) == there ? "" : fmt::format(" ({} where the course is)", there),
                     past ? "" : "in ",
                     past ? span_text(now - assignment.due) + " ago" : span_text(assignment.due - now));
}

}  // namespace ladder
