#include "common/tool/course/course_purge.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/base/files/files.hpp"
#include "common/base/files/json_file.hpp"
#include "common/base/process/process.hpp"
#include "common/base/text/text.hpp"
#include "common/base/usage_error.hpp"
#include "common/report/results/results.hpp"
#include "common/tool/core/context.hpp"
#include "common/tool/grading/course_verb.hpp"
#include "common/tool/grading/grade_store.hpp"

namespace ladder {
namespace fs = std::filesystem;
namespace {

using nlohmann::json;

constexpr const char* deleted = "deleted at the retention date";
/// Of a folder of grades: what students have written, and what was said of it. Pages are made again from what
/// stays.
constexpr const char* code_and_evidence[] = {"sources",  "logs", "judged", "amended",   "old",
                                             "proposed", "viva", "pages",  "published", "results"};

json chosen_fields(const json& from, std::initializer_list<const char*> fields) {
  json kept = json::object();
  for (const char* field : fields)
    if (from.contains(field)) kept[field] = from[field];
  return kept;
}

/// Verdict and points. What is not named here goes, so that a new field with a line of code in it does not
/// stay.
model::GradeEntry bare_step(const model::GradeEntry& step) {
  model::GradeEntry bare;
  bare.lesson = step.lesson, bare.name = step.name, bare.file = step.file;
  bare.kind = step.kind, bare.tree = step.tree;
  bare.phase = step.phase, bare.part = step.part;
  bare.verdict = step.verdict, bare.runs = step.runs;
  bare.points = step.points, bare.max_points = step.max_points;
  bare.judged_points = step.judged_points;
  bare.open_points = step.open_points, bare.open = step.open;
  bare.backend = step.backend, bare.device = step.device, bare.measured_on = step.measured_on;
  bare.staff.verdict = step.staff.verdict;
  bare.student.verdict = step.student.verdict;
  if (step.amendment)
    bare.amendment = model::Amendment{.by = step.amendment->by,
                                      .reason = deleted,
                                      .at = step.amendment->at,
                                      .points = step.amendment->points,
                                      .source_sha256 = step.amendment->source_sha256};
  return bare;
}

model::GradeRecord bare_record(model::GradeRecord record) {
  record.submission.notes.clear();
  record.submission.refused.clear();
  record.submission.predictions = nullptr;
  for (model::GradeEntry& step : record.steps) step = bare_step(step);
  for (model::GradeDecision& decision : record.decisions) decision.reason = deleted;
  return record;
}

/// Who has decided what, and when; no reason, which may quote code. A broken line goes: nobody can say what
/// is in it.
std::string bare_log(const std::string& log) {
  std::string text;
  for (const std::string& line : lines_of(log)) {
    const json entry = json::parse(line, nullptr, false);
    if (!entry.is_object()) continue;
    json bare = chosen_fields(
        entry, {"student", "step", "action", "question", "points", "of", "settles", "by", "at"});
    bare["reason"] = deleted;
    text += report::dump(bare) + "\n";
  }
  return text;
}

}  // namespace

std::vector<fs::path> grades_of(const course::Course& course) {
  const fs::path file = fs::weakly_canonical(fs::absolute(course.file));
  std::vector<fs::path> all;
  for (const auto& entry : fs::directory_iterator(file.parent_path())) {
    const json kept = read_json(entry.path() / "assignment.json");
    if (entry.is_directory() && kept.is_object() && fs::is_directory(entry.path() / "records") &&
        fs::weakly_canonical(kept.value("course", "")) == file)
      all.push_back(entry.path());
  }
  std::sort(all.begin(), all.end());
  return all;
}

std::vector<fs::path> to_purge(const fs::path& grades) {
  std::vector<fs::path> all;
  for (const char* part : code_and_evidence)
    if (fs::exists(grades / part)) all.push_back(grades / part);
  return all;
}

void purge(const fs::path& grades) {
  write_privately();
  const GradeStore store(grades);
  store.try_to_write_here();
  for (const auto& entry : fs::directory_iterator(grades / "records"))
    if (entry.path().extension() == ".json")
      grade::write_record(entry.path(), bare_record(grade::read_record(entry.path())));
  const fs::path log = grades / "decisions.jsonl";
  if (const std::string lines = read_text(log); !lines.empty()) write_text(log, bare_log(lines));
  for (const fs::path& part : to_purge(grades)) fs::remove_all(part);
  store.write_pages();
}

std::string why_not_yet(const course::Course& course, std::chrono::sys_seconds now) {
  if (course.retention.empty())
    return fmt::format("{} has no retention date (retention = \"2028-06-30\"); --now deletes all the same",
                       course.file.string());
  if (course.timezone.text(now).substr(0, 10) >= course.retention) return "";
  return fmt::format("{} keeps code and evidence until {}; --now deletes them before", course.file.string(),
                     course.retention);
}

int purge_course(Context& context, const fs::path& file, std::vector<fs::path> folders) {
  const course::Course course = course_of(file);
  const ReviewOptions& options = context.options.review;
  const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  const std::string why = options.now ? "" : why_not_yet(course, now);
  if (options.apply && !why.empty()) throw UsageError{why};
  if (folders.empty()) folders = grades_of(course);
  if (folders.empty())
    throw UsageError{fmt::format("no grades by {} next to it: name their folders after it", file.string())};
  for (const fs::path& folder : folders) {
    const GradeStore store(folder);  // all of them are grades, or nothing is deleted
    context.terminal.print(
        fmt::format("{}: of {} records all but points and verdicts; reasons in decisions.jsonl",
                    folder.string(), store.records().size()));
    for (const fs::path& part : to_purge(folder)) context.terminal.print("  " + part.string());
  }
  if (!why.empty()) context.terminal.print(why);
  if (!options.apply) {
    context.terminal.print("nothing was deleted; --apply does it");
    return 0;
  }
  for (const fs::path& folder : folders) purge(folder);
  context.terminal.print(
      fmt::format("points and verdicts are left in {}",
                  folders.size() == 1 ? folders[0].string() : fmt::format("{} folders", folders.size())));
  return 0;
}

}  // namespace ladder
