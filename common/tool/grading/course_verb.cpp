#include "common/tool/grading/course_verb.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "common/base/error.hpp"
#include "common/base/usage_error.hpp"
#include "common/tool/grading/grade_options.hpp"

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

void add_course_check_options(CLI::App& app, Options& o, Typed& typed) {
  add_device_options(app, o, typed);
  app.add_option("--assignment", o.grade.assignment, "only this one; all by default")->type_name("NAME");
  add_sandbox(app, o);
  app.add_flag("--trust", o.grade.trust, "go on where submissions cannot be confined");
  app.add_option("--jobs", typed.jobs, "submissions at once; by default one for two cores")->type_name("N");
  app.add_option("--zip", o.course_zip, "also inside this autograder for Gradescope; needs root")
      ->type_name("FILE");
  app.add_option("--base", o.image.base, "for --zip: a root of Ubuntu 22.04, not one by debootstrap")
      ->type_name("FOLDER");
  app.add_option("--mirror", o.image.mirror, "for --zip: of packages; by default Ubuntu's own")
      ->type_name("URL");
}

int course_check(Context& context) {
  return check_course(context, named_file(context));
}

void add_course_purge_options(CLI::App& app, Options& o, Typed&) {
  app.add_flag("--apply", o.review.apply, "delete what the list without it has shown");
  app.add_flag("--now", o.review.now, "also before the retention date");
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
