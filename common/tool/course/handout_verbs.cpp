/// @file
/// The verbs handout and solutions: a handout is made again each time, from what its list says and what is
/// released.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "common/base/error.hpp"
#include "common/base/usage_error.hpp"
#include "common/course/questions.hpp"
#include "common/course/student_course.hpp"
#include "common/report/results/results.hpp"
#include "common/tool/grading/course_verb.hpp"
#include "common/tool/grading/grade_course.hpp"
#include "common/tool/handout/handout.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* top_folder = "gpu-ladder";  // of a zip

bool is_zip(const fs::path& out) {
  return out.extension() == ".zip";
}

/// A folder that is somebody's own, or a handout in which something was changed, is not written over.
void require_ours(const fs::path& folder) {
  if (!fs::exists(folder) || (fs::is_directory(folder) && fs::is_empty(folder))) return;
  const json list = handout_of(folder);
  if (list.is_null())
    throw UsageError{fmt::format("{} is neither empty nor a handout: nothing was written", folder.string())};
  for (const auto& [path, sum] : list["files"].items())
    if (fs::exists(folder / path) && sha256(read_text(folder / path)) != sum)
      throw UsageError{fmt::format("{} was changed since it was handed out: nothing was written",
                                   (folder / path).string())};
}

void write_folder(const Handout& handout, const fs::path& folder) {
  require_ours(folder);
  const json before = handout_of(folder);
  if (!before.is_null())
    for (const auto& [path, sum] : before["files"].items())
      if (!handout.files.contains(path)) fs::remove(folder / path);
  for (const auto& [path, file] : handout.files) {
    write_text(folder / path, file.bytes);
    if (file.executable)
      fs::permissions(folder / path, fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec,
                      fs::perm_options::add);
  }
}

void write_and_tell(Context& context, const HandoutRequest& request, const fs::path& out) {
  const Handout handout = make_handout(context, request);
  write_handout(handout, out);
  for (const std::string& line : handout.withheld) context.terminal.print(line);
  context.terminal.print(
      fmt::format("written: {}, handout {}, {} files", out.string(), handout.version, handout.files.size()));
}

std::set<std::string> paths_of(Context& context, const std::vector<std::string>& typed) {
  std::set<std::string> paths;
  if (!typed.empty())
    for (const StepEntry* step : context.catalogue.resolve(without_ranges(context.catalogue, typed)))
      paths.insert(step->path());
  return paths;
}

/// Those of --rungs; or of an assignment and of those that open before it, which students keep in their copy.
/// @throws UsageError where `course check` has not passed
std::vector<std::string> rungs_to_hand_out(Context& context) {
  const GradeOptions& options = context.options.grade;
  if (options.course.empty()) return options.rungs;
  if (!options.rungs.empty())
    throw UsageError{fmt::format("{} names the rungs: omit --rungs", options.course)};
  const course::Course course = course_of(options.course);
  const course::Assignment& chosen = chosen_assignment(course, options.assignment);
  if (const std::string why = why_unchecked(context, course, chosen); !why.empty()) throw UsageError{why};
  std::set<std::string> rungs;
  for (const course::Assignment& one : course.assignments)
    if (one.opens <= chosen.opens)
      for (const std::string& rung : one.rung_names()) rungs.insert(rung);
  return {rungs.begin(), rungs.end()};
}

/// What a course file says of the same assignments: headings for the questions that people grade, and what
/// students read of it.
void take_course(const GradeOptions& options, HandoutRequest& request) {
  if (options.course.empty()) return;
  const course::Course course = course_of(options.course);
  const course::Assignment& chosen = chosen_assignment(course, options.assignment);
  std::vector<const course::Assignment*> open;
  for (const course::Assignment& one : course.assignments)
    if (one.opens <= chosen.opens) open.push_back(&one);
  request.notes = course::notes_with_headings(open);
  request.course = report::dump(course::student_course(course, open), 1) + "\n";
}

void require_reference(const Context& context) {
  if (!fs::exists(context.root / "solutions"))
    throw UsageError{"this copy has no solutions, which a handout is made from"};
}

}  // namespace

void write_handout(const Handout& handout, const fs::path& out) {
  if (!is_zip(out)) return write_folder(handout, out);
  try {
    grade::write_zip(out, handout.files, top_folder);
  } catch (const Error& error) {
    throw UsageError{error.what()};
  }
}

void add_handout_options(CLI::App& app, Options& o, Typed&) {
  add_json(app, o);
  app.add_option("--rungs", o.grade.rungs, "what is handed out: 03/g1,03/g2 or 03/g1-g3 or 03")
      ->delimiter(',')
      ->type_name("RUNGS");
  app.add_option("--out", o.grade.out, "a zip, or a folder that is empty or an older handout")
      ->type_name("FILE.zip|FOLDER");
  app.add_option("--released", o.handout.released, "with the solutions of these rungs")
      ->delimiter(',')
      ->type_name("RUNGS");
  app.add_option("--course", o.grade.course, "instead of --rungs: the course file, checked by course check")
      ->type_name("FILE");
  app.add_option("--assignment", o.grade.assignment, "which one of the course file")->type_name("NAME");
}

int hand_out(Context& context) {
  const GradeOptions& options = context.options.grade;
  if ((options.rungs.empty() && options.course.empty()) || options.out.empty())
    throw UsageError{"hand out what? For example: ./ladder handout --rungs 03/g1-g3 --out hw2.zip"};
  require_reference(context);
  const auto names = without_ranges(context.catalogue, rungs_to_hand_out(context));
  // The order of rungs is the table's: it is read before steps are looked up.
  context.need_tables(context.catalogue.resolve_lessons(names));
  HandoutRequest request{context.catalogue.resolve(names),
                         paths_of(context, context.options.handout.released)};
  take_course(options, request);
  write_and_tell(context, request, options.out);
  context.write_json(report::document("handout", context.seed));
  return 0;
}

void add_solutions_options(CLI::App& app, Options& o, Typed&) {
  add_json(app, o);
  app.add_option("--release", o.handout.released, "the rungs: 03/g1 or 03/g1-g3 or 03")
      ->delimiter(',')
      ->type_name("RUNGS");
}

int release_solutions(Context& context) {
  if (context.options.names.empty() || context.options.handout.released.empty())
    throw UsageError{"release what, and where? For example: ./ladder solutions hw2.zip --release 03/g1"};
  require_reference(context);
  for (const std::string& name : context.options.names) {
    const grade::Tree before = read_handout(name);
    const json list = handout_of(before);
    const auto chosen = list["chosen"].get<std::vector<std::string>>();
    context.need_tables(context.catalogue.resolve_lessons(chosen));
    HandoutRequest request{context.catalogue.resolve(chosen), list["released"].get<std::set<std::string>>()};
    if (const auto notes = before.find(pristine_notes); notes != before.end())
      request.notes = notes->second.bytes;
    if (const auto course = before.find(course::student_course_file); course != before.end())
      request.course = course->second.bytes;
    std::size_t added = 0;
    for (const std::string& path : paths_of(context, context.options.handout.released))
      if (std::find(chosen.begin(), chosen.end(), path) != chosen.end())
        added += request.released.insert(path).second;
    if (added == 0)
      throw UsageError{
          fmt::format("{} has none of these rungs that is not released already: nothing was written", name)};
    write_and_tell(context, request, name);
  }
  context.write_json(report::document("solutions", context.seed));
  return 0;
}

}  // namespace ladder
