#include "common/tool/grading/course_verb.hpp"

#include <fmt/format.h>

#include "common/base/error.hpp"
#include "common/base/usage_error.hpp"

namespace ladder {
namespace fs = std::filesystem;
namespace {

constexpr const char* usual_file = "course.toml";

/// The course file that is named; no other word.
fs::path named_file(const Context& context) {
  const auto& names = context.options.names;
  if (names.size() > 1) throw UsageError{fmt::format("unexpected argument '{}'", names[1])};
  return names.empty() ? usual_file : names[0];
}

}  // namespace

int course_new(Context& context) {
  write_new_course(context, named_file(context));
  return 0;
}

int course_check(Context& context) {
  return check_course(context, named_file(context));
}

int course_purge(Context& context) {
  const auto& names = context.options.names;
  const fs::path file = names.empty() ? usual_file : names[0];
  std::vector<fs::path> folders;
  for (std::size_t i = 1; i < names.size(); ++i) folders.push_back(fs::absolute(names[i]));
  return purge_course(context, file, std::move(folders));
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
