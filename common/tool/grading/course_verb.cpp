#include "common/tool/grading/course_verb.hpp"

#include <fmt/format.h>

#include "common/base/error.hpp"
#include "common/base/names.hpp"

namespace ladder {
namespace fs = std::filesystem;
namespace {

constexpr const char* usual_file = "course.toml";

int new_course_file(Context& context, const fs::path& file) {
  write_new_course(context, file);
  return 0;
}

struct CoursePart {
  const char* name;
  int (*run)(Context& context, const fs::path& file);
};

constexpr CoursePart parts[] = {
    {"new", new_course_file},
    {"check", check_course},
    {"purge", purge_course},
};

}  // namespace

int course_verb(Context& context) {
  const auto& names = context.options.names;
  std::vector<std::string> known;
  for (const CoursePart& part : parts) known.push_back(part.name);
  if (names.empty()) throw UsageError{"course what? For example: ./ladder course new course.toml"};
  if (names.size() > 2 && names[0] != "purge") throw UsageError{fmt::format("'{}' is one word too many", names[2])};
  for (const CoursePart& part : parts)
    if (names[0] == part.name) return part.run(context, names.size() > 1 ? names[1] : usual_file);
  throw UsageError{unknown("part of course", names[0], known)};
}

course::Course course_of(const fs::path& file) {
  try {
    return course::read_course(file);
  } catch (const Error& error) {
    throw UsageError{error.what()};
  }
}

fs::path state_of(const course::Course& course) {
  return fs::absolute(course.file).replace_extension(".state");
}

}  // namespace ladder
