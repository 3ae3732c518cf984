/// @file
/// The verb submit: what a student hands in, built in a clean folder, as one zip that grade takes; its
/// receipt.

#include "common/tool/student/submit.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "common/base/usage_error.hpp"
#include "common/course/questions.hpp"
#include "common/report/results/results.hpp"
#include "common/report/text/table.hpp"
#include "common/tool/build/submission_build.hpp"
#include "common/tool/core/context.hpp"
#include "common/tool/core/student_state.hpp"
#include "common/tool/handout/handout.hpp"
#include "common/tool/standing/assignment.hpp"
#include "common/tool/standing/progress.hpp"
#include "common/tool/student/feedback.hpp"
#include "common/tool/student/submit_package.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* history_schema = "gpu-ladder-submitted/1";

/// What is handed in.
struct SubmitRequest {
  std::string name;  ///< "hw2", "03-dgemm"
  std::vector<const StepEntry*> steps{};
  std::optional<course::Course> course{};
  const course::Assignment* assignment = nullptr;  ///< of that course
};

/// The rungs: as named, of the assignment, or of the handout.
std::vector<std::string> rungs_of(Context& context, SubmitRequest& request) {
  const auto& typed = context.options.names;
  const std::string& assignment = context.options.grade.assignment;
  request.course = course_of_handout(context.root);
  if (!assignment.empty() && !request.course)
    throw UsageError{"this copy has no assignments: name the rungs. For example: ./ladder submit 03/g1-g3"};
  if (!assignment.empty() && !typed.empty())
    throw UsageError{fmt::format("the course file names the rungs of {}: omit them", assignment)};
  if (!typed.empty()) return typed;
  if (request.course) {
    request.assignment = &assignment_now(*request.course, assignment, now_in_seconds());
    request.name = request.assignment->name;
    return request.assignment->rung_names();
  }
  if (const json handout = handout_of(context.root); !handout.is_null())
    return handout.value("rungs", std::vector<std::string>{});
  throw UsageError{"submit what? For example: ./ladder submit 03/g1-g3"};
}

SubmitRequest read_request(Context& context) {
  SubmitRequest request;
  const auto names = without_ranges(context.catalogue, rungs_of(context, request));
  context.need_tables(context.catalogue.resolve_lessons(names));
  std::string lessons;
  for (const StepEntry* step : context.catalogue.resolve(names)) {
    if (step->row.is_object() && step->kind() == "D") continue;  // given whole
    request.steps.push_back(step);
    if (lessons.find(step->lesson) == lessons.npos) lessons += (lessons.empty() ? "" : "-") + step->lesson;
  }
  if (request.steps.empty()) throw UsageError{"none of these rungs is handed in: they are given whole"};
  if (request.name.empty()) request.name = lessons;
  return request;
}

/// What was submitted before, in .ladder/submitted.json.
class History {
 public:
  explicit History(const Context& context) : file_(context.state_folder() / "submitted.json") {
    all_ = read_state_file(file_);
    const bool ours =
        all_.value("schema", json()) == history_schema && all_.value("submissions", json()).is_array();
    if (!ours && !all_.empty()) set_aside(file_);
    if (!ours) all_ = {{"schema", history_schema}, {"submissions", json::array()}};
  }
  /// The last one with that file; null when there is none.
  json last_with(const std::string& path) const {
    json found;
    for (const json& one : all_["submissions"])
      if (one.is_object() && one.value("files", json::object()).contains(path)) found = one;
    return found;
  }
  /// Silent when it cannot be kept: the package is what counts.
  void add(const std::string& name, const json& manifest) {
    json files = json::object();
    for (const json& file : manifest["files"]) files[file["path"].get<std::string>()] = file["sha256"];
    all_["submissions"].push_back(
        {{"receipt", manifest["receipt"]}, {"name", name}, {"time", report::now()}, {"files", files}});
    try {
      write_text(file_, report::dump(all_, 1) + "\n");
    } catch (const UsageError&) {
    }
  }

 private:
  fs::path file_;
  json all_;
};

/// "new", "as in ABCDEFGH", "changed since ABCDEFGH"; "missing" where the package has no such file.
std::string change_of(const std::string& path, const SubmitPackage& package, const History& history) {
  const json before = history.last_with(path);
  for (const json& file : package.manifest["files"]) {
    if (file["path"] != path) continue;
    if (before.is_null()) return "new";
    const bool same = before["files"][path] == file["sha256"];
    return fmt::format("{} {}", same ? "as in" : "changed since", before.value("receipt", "?"));
  }
  return "missing";
}

/// Whether the file is the skeleton as it was handed out: it builds, and says NOT STARTED.
bool is_skeleton(const Context& context, const StepEntry& step) {
  const std::string skeleton = read_text(context.root / pristine_path(step));
  return !skeleton.empty() && skeleton == read_text(source_of(context.root, "lessons", step));
}

/// Why steps do not build in a clean folder, or were not taken, a line each.
std::vector<std::string> failures_of(Context& context, const SubmitRequest& request,
                                     const SubmitPackage& package, const fs::path& pristine) {
  std::vector<std::string> said, targets;
  for (const grade::Refused& one : package.taken.refused)
    said.push_back(fmt::format("{} {}", one.path, one.why));
  std::vector<std::pair<const StepEntry*, Placement>> to_build;
  for (const StepEntry* step : request.steps) {
    const std::string worker = fmt::format("workers/lessons/{}/{}", step->lesson, step->name);
    const Placement place = context.placer().place(*step, context.build, worker);
    if (!fs::exists(pristine / step->lesson / step->file) || is_skeleton(context, *step)) continue;
    if (!place.skip.empty() && interrupted()) break;
    if (!place.skip.empty()) {
      context.terminal.say(fmt::format("{} was not built here: {}", step->label(), place.skip));
      continue;
    }
    to_build.emplace_back(step, place);
    targets.push_back(worker + "." + place.backend);
  }
  // What steps share is built first; a step that fails here is said below, as the clean folder sees it.
  context.build.make(targets, context.build_progress());
  for (std::size_t i = 0; i < to_build.size() && !interrupted(); ++i) {
    const auto& [step, place] = to_build[i];
    context.terminal.progress("building " + step->label() + " in a clean folder",
                              static_cast<double>(i) / static_cast<double>(to_build.size()));
    if (const auto failure = build_apart(context.build, *step, place.backend, pristine, context.scratch()))
      said.push_back(fmt::format("{} does not build in a clean folder: {}", step->label(), failure->line()));
  }
  return said;
}

/// What the assignment asks for and is not there: answers below their headings, predictions.
std::vector<std::string> gaps_of(const SubmitRequest& request, const SubmitPackage& package,
                                 const Predictions& predictions) {
  std::vector<std::string> gaps;
  if (!request.assignment) return gaps;
  for (const course::Manual& question : request.assignment->manual) {
    const auto answer = course::answer_to(question, *request.assignment, package.taken.notes);
    if (!answer)
      gaps.push_back(fmt::format("notes.md has no heading \"## {}\"", course::heading_of(question)));
    else if (answer->empty())
      gaps.push_back(fmt::format("notes.md has no answer below \"{}\"", course::heading_of(question)));
  }
  for (const course::Predict& asked : request.assignment->predict)
    for (const StepEntry* step : request.steps) {
      const auto said = predictions.of(step->path());
      if (step->label() == asked.rung && std::none_of(said.begin(), said.end(), [&](const Prediction& p) {
            return p.metric == asked.metric;
          }))
        gaps.push_back(fmt::format("not predicted: {} {}. ./ladder predict {} \"{}=NUMBER\"", asked.rung,
                                   asked.metric, asked.rung, asked.metric));
    }
  return gaps;
}

void show_steps(Context& context, const SubmitRequest& request, const SubmitPackage& package,
                const History& history, std::vector<model::DocumentStep>& shown) {
  const Progress progress(context);
  report::Table table(
      {{"rung"}, {"file", false, false, 1}, {"last check", false, true}, {"since the last submit"}});
  for (const StepEntry* step : request.steps) {
    const std::string change = change_of(step->lesson + "/" + step->file, package, history),
                      state = progress.state(*step);
    table.add({step->label(), step->file, progress.shown_state(*step), change});
    shown.push_back(step->stated());
    shown.back().state = state, shown.back().change = change;
  }
  context.terminal.print(table.text(static_cast<std::size_t>(context.terminal.width())));
}

void show_package(Context& context, const SubmitRequest& request, const SubmitPackage& package,
                  const fs::path& file) {
  std::vector<std::string> paths;
  for (const json& one : package.manifest["files"]) paths.push_back(one["path"]);
  const auto width = static_cast<std::size_t>(context.terminal.width());
  std::string text = feedback_block(
      "Packed", fmt::format("{} ({})", path_in(context.root, file), fmt::join(paths, ", ")), width);
  text += feedback_block(
      "Receipt",
      fmt::format("{}   the page of your grade repeats it", package.manifest["receipt"].get<std::string>()),
      width);
  if (request.assignment)
    text += feedback_block("Deadline", deadline_text(*request.course, *request.assignment, now_in_seconds()),
                           width);
  text += feedback_block("Next",
                         "upload this zip as it is, where your course collects work: Gradescope, Canvas and "
                         "Moodle take it as one file. Nothing was sent.",
                         width);
  context.terminal.print(text);
}

/// Steps that are as they were handed out, or still have ladder::task(): they are packed, and earn nothing.
void say_not_started(Context& context, const SubmitRequest& request) {
  const Progress progress(context);
  std::vector<std::string> labels;
  for (const StepEntry* step : request.steps)
    if (progress.state(*step) == "not started" || is_skeleton(context, *step))
      labels.push_back(step->label());
  if (!labels.empty())
    context.terminal.say(fmt::format("NOT STARTED: {}. Packed as {}, and worth no points.",
                                     fmt::join(labels, ", "), labels.size() == 1 ? "it is" : "they are"));
}

/// A zip, by its first bytes: nobody's other file is written over.
bool is_zip(const std::string& content) {
  return content.starts_with("PK\x03\x04") || content.starts_with("PK\x05\x06");
}

/// Writes the package. Another one that was there is kept.
/// @return what to say of that one; empty: there was none, or the same
std::string replace_package(Context& context, const SubmitPackage& package, const fs::path& file) {
  const std::string before = read_text(file);
  if (!before.empty() && !is_zip(before))
    throw UsageError{fmt::format(
        "{} is there and is no zip: nothing was written. Another name: --out FILE.zip", file.string())};
  write_package(package, file);
  if (before.empty() || before == read_text(file)) return "";
  const std::string kept = OldFiles(context.root, context.state_folder()).keep(file, before);
  return fmt::format("another {} was there; it is kept in {}", file.filename().string(), kept);
}

}  // namespace

void add_submit_options(CLI::App& app, Options& o, Typed&) {
  add_json(app, o);
  app.add_option("--assignment", o.grade.assignment,
                 "in a course's handout: which one; the next that is due by default")
      ->type_name("NAME");
  app.add_option("--out", o.grade.out, "the zip; submission-NAME.zip in this copy by default")
      ->type_name("FILE.zip");
  app.add_flag("--anyway", o.anyway, "pack also what does not build in a clean folder");
}

int submit(Context& context) {
  const SubmitRequest request = read_request(context);
  const Predictions predictions(context.state_folder() / "predictions.json");
  const fs::path pristine = context.scratch() / "pristine";
  const SubmitPackage package = make_package(context.root, request.steps, predictions, pristine);
  if (package.taken.missing.size() == request.steps.size() && package.taken.refused.empty())
    throw UsageError{fmt::format("nothing to submit: no file of {} exists", request.name)};
  context.terminal.begin_work();
  std::vector<std::string> failures = failures_of(context, request, package, pristine);
  context.terminal.end_work();
  if (interrupted()) return 1;
  for (const std::string& line : failures) context.terminal.say(line);
  std::vector<model::DocumentStep> shown;
  History history(context);
  if (!failures.empty() && !context.options.anyway) {
    context.terminal.say(
        "Nothing was packed. A grader would see the same. Next: fix it and check it; or ./ladder submit "
        "--anyway: the other rungs count all the same.");
    return 1;
  }
  show_steps(context, request, package, history, shown);
  say_not_started(context, request);
  for (const std::string& gap : gaps_of(request, package, predictions)) context.terminal.say(gap);
  const std::string& out = context.options.grade.out;
  const fs::path file =
      out.empty() ? context.root / fmt::format("submission-{}.zip", request.name) : fs::absolute(out);
  const std::string replaced = replace_package(context, package, file);
  history.add(request.name, package.manifest);
  show_package(context, request, package, file);
  if (!replaced.empty())
    context.terminal.print(
        feedback_block("Replaced", replaced, static_cast<std::size_t>(context.terminal.width())));
  model::Document document = report::document("submit", 0, context.catalogue.by_lesson(std::move(shown)));
  document.package = {{"file", file.string()}, {"manifest", package.manifest}};
  context.write_json(document);
  return 0;
}

}  // namespace ladder
