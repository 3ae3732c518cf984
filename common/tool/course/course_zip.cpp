#include "common/tool/course/course_zip.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "common/base/files/json_file.hpp"
#include "common/base/text/text.hpp"
#include "common/base/usage_error.hpp"
#include "common/course/marks.hpp"
#include "common/course/platforms/gradebook.hpp"
#include "common/grade/sha256.hpp"
#include "common/tool/grading/grade_course.hpp"
#include "common/tool/grading/gradescope.hpp"

namespace ladder {
namespace fs = std::filesystem;

using nlohmann::json;

void may_try_zip(const Context& context, const course::Course& course) {
  if (!fs::is_regular_file(context.options.course_zip))
    throw UsageError{fmt::format("--zip {}: no such file; ./ladder image --gradescope writes one",
                                 context.options.course_zip)};
  if (::geteuid() != 0)
    throw UsageError{
        "--zip unpacks the autograder in a root of Ubuntu 22.04, and needs root: sudo ./ladder course check "
        "…"};
  chosen_assignment(course, context.options.grade.assignment);
}

namespace {

/// None where the zip has written nothing.
model::GradescopeResults results_in(const fs::path& file) {
  const json results = read_json(file);
  return results.is_object() ? model::gradescope_results_from_json(results, file.string())
                             : model::GradescopeResults{};
}

}  // namespace

json try_zip(Context& context, const course::Assignment& assignment, const fs::path& zip,
             const fs::path& trials, const std::map<std::string, model::GradeRecord>& records) {
  const ScratchFolder results;
  const std::string prefix = "course: ";
  std::size_t begun = 0;
  context.terminal.begin_work();
  const auto show = [&](const std::string& fresh) {
    for (const std::string& line : lines_of(fresh))
      if (line.starts_with(prefix))
        context.terminal.progress("in the zip: " + line.substr(prefix.size()),
                                  static_cast<double>(begun++) / static_cast<double>(records.size() + 3));
  };
  const ProcessResult ended =
      run_process({.arguments = {"sh", context.root / "common/tool/gradescope/try_zip.sh", zip, trials,
                                 results.path(), context.options.image.base, context.options.image.mirror},
                   .seconds = 4 * 3600.0},
                  show);
  context.terminal.end_work();
  if (!ended.ok())
    throw UsageError{fmt::format("{} was not tried: {}", zip.string(), ended.output + ended.error)};
  json rows = json::array();
  for (const auto& [name, record] : records) {
    const model::GradeRecord scaled = course::in_points_of(assignment, record);
    const std::string must = gradescope::results_text(course::gradescope_results(scaled)),
                      got = gradescope::results_text(results_in(results.path() / (name + ".json")));
    rows.push_back({{"submission", name}, {"must_get", must}, {"got", got}, {"right", must == got}});
  }
  return {{"file", fs::absolute(zip).string()}, {"sha256", sha256(read_text(zip))}, {"rows", rows}};
}

}  // namespace ladder
