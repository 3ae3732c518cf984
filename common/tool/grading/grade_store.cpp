#include "common/tool/grading/grade_store.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "common/base/error.hpp"
#include "common/base/files/files.hpp"
#include "common/base/files/json_file.hpp"
#include "common/base/text/text.hpp"
#include "common/base/usage_error.hpp"
#include "common/grade/csv.hpp"
#include "common/grade/questions.hpp"
#include "common/report/html/grade_pages.hpp"
#include "common/report/results/results.hpp"
#include "common/tool/grading/export/points_of_course.hpp"

namespace ladder {
namespace fs = std::filesystem;
using model::GradeEntry;
using model::GradeRecord;
using nlohmann::json;
namespace {

constexpr const char* log_name = "decisions.jsonl";

/// Every line: an object, null for an empty one, discarded for one that is no JSON.
std::vector<json> entries_in(const fs::path& log) {
  std::vector<json> lines;
  for (const std::string& line : lines_of(read_text(log)))
    lines.push_back(line.empty() ? json() : json::parse(line, nullptr, false));
  return lines;
}

bool is_entry(const json& line) {
  return line.is_object() && line.value("student", json()).is_string();
}

GradeRecord decided(GradeRecord record, const Decisions& log) {
  for (const auto& [pseudonym, decision] : log)
    if (record.pseudonym == pseudonym) grade::decide(record, decision);
  return record;
}

/// Whether a line is about a submission, and does that.
bool is_about(const json& line, const GradeRecord& record, const char* action) {
  return is_entry(line) && line.value("action", "") == action && line["student"] == record.pseudonym;
}

/// With what people have given for the questions of a course file.
GradeRecord with_questions(GradeRecord record, const std::vector<json>& log) {
  std::vector<model::QuestionMark> marks;
  for (const json& line : log)
    if (is_about(line, record, grade::manual_action))
      marks.push_back(model::question_mark_from_json(line, log_name));
  if (!marks.empty()) record.manual = std::move(marks);
  return record;
}

/// With the private parts that were published; the last line of each counts.
GradeRecord with_published(GradeRecord record, const std::vector<json>& log) {
  for (const json& line : log) {
    if (!is_about(line, record, grade::publish_action) || !line.contains("key")) continue;
    for (GradeEntry& step : record.steps)
      if (grade::is_private(step) && grade::step_id(step) == line.value("step", ""))
        step.published = model::PublishedPart{line["key"], line.value("folder", "")};
  }
  return record;
}

/// With what a person has to look at, where something came and nothing was taken.
GradeRecord with_untaken(GradeRecord record) {
  for (GradeEntry& step : record.steps)
    if (grade::is_untaken(record, step)) step.untaken = grade::what_was_there(record.submission, 8);
  return record;
}

/// What the log decides of steps.
Decisions decisions_in(const std::vector<json>& log) {
  Decisions all;
  for (const json& j : log)
    // An amendment is in the record itself; points of a talk or of a question are no verdict on a step, and
    // what is published has one.
    if (is_entry(j) && j.value("action", "") != "amend" && j.value("action", "") != "viva" &&
        j.value("action", "") != grade::manual_action && j.value("action", "") != grade::publish_action)
      all.emplace_back(j["student"],
                       grade::Decision{j.value("step", ""), j.value("action", ""), j.value("points", 0.0),
                                       j.value("by", ""), j.value("reason", ""), j.value("at", ""),
                                       j.value("source_sha256", "")});
  return all;
}

}  // namespace

GradeStore::GradeStore(fs::path out) : out_(std::move(out)) {
  if (!fs::is_directory(out_ / "records"))
    throw UsageError{
        fmt::format("{}: no grades here; ./ladder grade writes them, --out names the folder", out_.string())};
}

std::vector<GradeRecord> GradeStore::records() const {
  const auto lines = entries_in(out_ / log_name);
  const Decisions log = decisions_in(lines);
  std::vector<GradeRecord> all;
  for (const auto& entry : fs::directory_iterator(out_ / "records"))
    if (entry.path().extension() == ".json")
      all.push_back(with_untaken(
          with_published(with_questions(decided(grade::read_record(entry.path()), log), lines), lines)));
  std::sort(all.begin(), all.end(),
            [](const GradeRecord& a, const GradeRecord& b) { return a.pseudonym < b.pseudonym; });
  return all;
}

GradeRecord GradeStore::with_decisions(GradeRecord record) const {
  const auto lines = entries_in(out_ / log_name);
  return with_untaken(
      with_published(with_questions(decided(std::move(record), decisions_in(lines)), lines), lines));
}

std::map<std::string, model::Amendment> GradeStore::amendments(const std::string& pseudonym) const {
  std::map<std::string, model::Amendment> last;
  for (json line : entries_in(out_ / log_name)) {
    if (!is_entry(line) || line.value("action", "") != "amend" || line["student"] != pseudonym) continue;
    const std::string step = line.value("step", "");
    for (const char* field : {"student", "step", "action"}) line.erase(field);
    last[step] = model::amendment_from_json(line, "an amendment");
  }
  return last;
}

std::vector<std::string> GradeStore::unreadable() const {
  std::vector<std::string> said;
  const auto lines = entries_in(out_ / log_name);
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (!lines[i].is_null() && !is_entry(lines[i]))
      said.push_back(fmt::format(
          "{}:{}: this line is broken, as when power is gone; what it decided is not counted: decide again",
          (out_ / log_name).string(), i + 1));
  return said;
}

GradeRecord GradeStore::record(const std::string& pseudonym) const {
  std::vector<std::string> names;
  for (GradeRecord& record : records()) {
    if (record.pseudonym == pseudonym) return std::move(record);
    names.push_back(record.pseudonym);
  }
  throw UsageError{unknown("submission", pseudonym, names)};
}

GradeEntry GradeStore::step(const std::string& pseudonym, const std::string& label) const {
  std::vector<std::string> names;
  const GradeRecord record = this->record(pseudonym);
  for (const GradeEntry& step : record.steps) {
    if (report::label(step) == label) return step;
    names.push_back(report::label(step));
  }
  throw UsageError{unknown("rung", label, names)};
}

void GradeStore::decide(const Decisions& all) const {
  for (const auto& [pseudonym, decision] : all) {
    GradeRecord now = fs::exists(file_of(pseudonym)) ? with_decisions(judged(pseudonym)) : record(pseudonym);
    try {
      grade::decide(now, decision);
    } catch (const Error& error) {
      throw UsageError{error.what()};
    }
  }
  for (const auto& [pseudonym, decision] : all)
    log({{"student", pseudonym},
         {"step", decision.step},
         {"action", decision.action},
         {"points", decision.points},
         {"by", decision.by},
         {"reason", decision.reason},
         {"at", decision.at},
         {"source_sha256", grade::source_of(judged(pseudonym), decision.step)}});
  write_pages();
}

void GradeStore::log(const json& entry) const {
  const fs::path log = out_ / log_name;
  const std::string before = read_text(log);
  // After a line without an end, ours begins a new one.
  const std::string line =
      (before.empty() || before.ends_with('\n') ? "" : "\n") + report::dump(entry) + "\n";
  const int file = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  const bool written = file >= 0 &&
                       ::write(file, line.data(), line.size()) == static_cast<ssize_t>(line.size()) &&
                       ::fsync(file) == 0;
  const int failed = errno;
  if (file >= 0) ::close(file);
  if (!written) throw UsageError{fmt::format("cannot add to {}: {}", log.string(), std::strerror(failed))};
}

void GradeStore::keep_old(const std::string& pseudonym) const {
  fs::create_directories(out_ / "old");
  fs::path kept;
  int number = 0;
  do kept = out_ / "old" / fmt::format("{}.{}.json", pseudonym, ++number);
  while (fs::exists(kept));
  fs::copy_file(file_of(pseudonym), kept);
}

void GradeStore::replace(const GradeRecord& record) const {
  keep_old(record.pseudonym);
  grade::write_record(file_of(record.pseudonym), record);
}

void GradeStore::try_to_write_here() const {
  try_to_write(out_ / "records" / ".writable");
  try_to_write(out_ / log_name);
}

void GradeStore::write_pages() const {
  const PointsOfCourse points(out_);
  std::vector<GradeRecord> all;
  for (const GradeRecord& record : records()) {
    all.push_back(points.scaled(record));
    write_text(out_ / "pages" / (record.pseudonym + ".html"), report::student_page(points.view(record)));
  }
  write_text(out_ / "overview.html", report::overview_page(all));
  write_text(out_ / "grades.csv", grade::overview_csv(all));
}

void put_step(GradeRecord& record, const GradeEntry& entry) {
  const auto before = entry_of(record, grade::step_id(entry), entry.part);
  grade::StepGrade judged{.result = entry,
                          .phase = entry.phase,
                          .part = entry.part,
                          .max_points = entry.max_points.value_or(0),
                          .open = {}};
  judged.result.points = entry.judged_points;
  // What the final phase will add is still to come.
  for (const grade::Open& item : before ? before->open : entry.open)
    if (item.what != grade::step_id(entry)) judged.open.push_back(item);
  grade::add_step(record, judged);
}

std::optional<GradeEntry> entry_of(const GradeRecord& record, const std::string& id,
                                   const std::string& part) {
  for (const GradeEntry& step : record.steps)
    if (grade::step_id(step) == id && step.part == part) return step;
  return std::nullopt;
}

std::optional<model::GradedResult> known_result(const fs::path& file) try {
  const json result = read_json(file);
  if (!result.is_object()) return std::nullopt;
  return model::graded_result_from_json(result, file.string());
} catch (const Error&) {
  return std::nullopt;
}

}  // namespace ladder
