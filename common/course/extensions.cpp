/// @file
/// extensions.csv: deadlines of single persons.

#include <fmt/format.h>

#include <algorithm>

#include "common/base/error.hpp"
#include "common/base/text/nearest.hpp"
#include "common/course/deadlines.hpp"
#include "common/course/platforms/table.hpp"
#include "common/course/times.hpp"

namespace ladder::course {
namespace {

/// A row. @throws Error without its place
void take_row(const Table& table, const Row& row, const Course& course, Extensions& extensions) {
  const std::string student = table.field(row, "student"), name = table.field(row, "assignment");
  const std::string text = table.field(row, "until");
  if (student.empty() || name.empty() || text.empty())
    throw Error("a row has a student, an assignment and until when");
  std::vector<std::string> names;
  for (const Assignment& one : course.assignments) names.push_back(one.name);
  if (std::find(names.begin(), names.end(), name) == names.end())
    throw Error(unknown("assignment", name, names));
  const auto until = time_of(
      text, [&](ClockTime shown) { return course.timezone.moment(local_seconds(shown.time_since_epoch())); });
  if (!until) throw Error(fmt::format("'{}' is no time; write it as 2027-02-14 23:59", text));
  if (const sys_seconds due = course.assignment(name).due; *until <= due)
    throw Error(fmt::format("{} is not after the deadline of {}, {}", course.timezone.text(*until), name,
                            course.timezone.text(due)));
  if (!extensions.emplace(std::pair(student, name), *until).second)
    throw Error(
        fmt::format("{} has a deadline for {} already, in a line before: keep one of them", student, name));
}

}  // namespace

Extensions parse_extensions(const std::string& text, const std::string& name, const Course& course) {
  const Table table = read_table(text, name);
  for (const char* column : {"student", "assignment", "until"})
    if (table.column(column) < 0)
      throw Error(fmt::format("{}:1: no column '{}'; the header is student,assignment,until", name, column));
  Extensions extensions;
  std::string problems;
  for (const Row& row : table.rows) {
    try {
      take_row(table, row, course, extensions);
    } catch (const Error& error) {
      problems += fmt::format("{}{}:{}: {}", problems.empty() ? "" : "\n", name, row.line, error.what());
    }
  }
  if (!problems.empty()) throw Error(problems);
  return extensions;
}

Extensions read_extensions(const Course& course) {
  if (course.extensions.empty()) return {};
  return parse_extensions(read_bytes(course.extensions), course.extensions.string(), course);
}

}  // namespace ladder::course
