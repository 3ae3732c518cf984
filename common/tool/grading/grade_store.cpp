#include "common/tool/grading/grade_store.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sstream>

#include "common/base/error.hpp"
#include "common/base/files/files.hpp"
#include "common/base/usage_error.hpp"
#include "common/grade/csv.hpp"
#include "common/grade/questions.hpp"
#include "common/report/html/grade_pages.hpp"
#include "common/report/results/results.hpp"
#include "common/tool/grading/export/points_of_course.hpp"

namespace ladder {
namespace fs = std::filesystem;
using nlohmann::json;
namespace {

constexpr const char* log_name = "decisions.jsonl";

/// Every line: an object, null for an empty one, discarded for one that is no JSON.
std::vector<json> lines_of(const fs::path& log) {
  std::vector<json> lines;
  std::istringstream in(read_text(log));
  for (std::string line; std::getline(in, line);)
    lines.push_back(line.empty() ? json() : json::parse(line, nullptr, false));
  return lines;
}

bool is_entry(const json& line) {
  return line.is_object() && line.value("student", json()).is_string();
}

json decided(json record, const Decisions& log) {
  for (const auto& [pseudonym, decision] : log)
    if (record.value("pseudonym", "") == pseudonym) grade::decide(record, decision);
  return record;
}

/// With what people have given for the questions of a course file.
json with_questions(json record, const std::vector<json>& log) {
  json lines = json::array();
  for (const json& line : log)
    if (is_entry(line) && line.value("action", "") == grade::manual_action &&
        line["student"] == record.value("pseudonym", ""))
      lines.push_back(line);
  if (!lines.empty()) record["manual"] = lines;
  return record;
}

/// With the private parts that were published; the last line of each counts.
json with_published(json record, const std::vector<json>& log) {
  for (const json& line : log) {
    if (!is_entry(line) || line.value("action", "") != grade::publish_action || !line.contains("key") ||
        line["student"] != record.value("pseudonym", ""))
      continue;
    for (json& step : record["steps"])
      if (grade::is_private(step) && grade::step_id(step) == line.value("step", ""))
        step["published"] = {{"key", line["key"]}, {"folder", line.value("folder", "")}};
  }
  return record;
}

/// With what a person has to look at, where something came and nothing was taken.
json with_untaken(json record) {
  for (json& step : record["steps"])
    if (grade::is_untaken(record, step)) step["untaken"] = grade::what_was_there(record["submission"], 8);
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

std::vector<json> GradeStore::records() const {
  const auto lines = lines_of(out_ / log_name);
  const Decisions log = decisions_in(lines);
  std::vector<json> all;
  for (const auto& entry : fs::directory_iterator(out_ / "records"))
    if (entry.path().extension() == ".json")
      all.push_back(with_untaken(
          with_published(with_questions(decided(grade::read_record(entry.path()), log), lines), lines)));
  std::sort(all.begin(), all.end(),
            [](const json& a, const json& b) { return a["pseudonym"] < b["pseudonym"]; });
  return all;
}

json GradeStore::with_decisions(json record) const {
  const auto lines = lines_of(out_ / log_name);
  return with_untaken(
      with_published(with_questions(decided(std::move(record), decisions_in(lines)), lines), lines));
}

Decisions GradeStore::decisions() const {
  return decisions_in(lines_of(out_ / log_name));
}

std::map<std::string, json> GradeStore::amendments(const std::string& pseudonym) const {
  std::map<std::string, json> last;
  for (json line : lines_of(out_ / log_name)) {
    if (!is_entry(line) || line.value("action", "") != "amend" || line["student"] != pseudonym) continue;
    const std::string step = line.value("step", "");
    for (const char* field : {"student", "step", "action"}) line.erase(field);
    last[step] = std::move(line);
  }
  return last;
}

std::vector<std::string> GradeStore::unreadable() const {
  std::vector<std::string> said;
  const auto lines = lines_of(out_ / log_name);
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (!lines[i].is_null() && !is_entry(lines[i]))
      said.push_back(fmt::format(
          "{}:{}: this line is broken, as when power is gone; what it decided is not counted: decide again",
          (out_ / log_name).string(), i + 1));
  return said;
}

json GradeStore::record(const std::string& pseudonym) const {
  std::vector<std::string> names;
  for (json& record : records()) {
    if (record.value("pseudonym", "") == pseudonym) return std::move(record);
    names.push_back(record["pseudonym"]);
  }
  throw UsageError{unknown("submission", pseudonym, names)};
}

json GradeStore::step(const std::string& pseudonym, const std::string& label) const {
  std::vector<std::string> names;
  const json of = record(pseudonym);
  for (const json& step : of.at("steps")) {
    if (report::label(step) == label) return step;
    names.push_back(report::label(step));
  }
  throw UsageError{unknown("rung", label, names)};
}

void GradeStore::decide(const Decisions& all) const {
  for (const auto& [pseudonym, decision] : all) {
    json now = fs::exists(file_of(pseudonym)) ? with_decisions(judged(pseudonym)) : record(pseudonym);
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

void GradeStore::replace(const json& record) const {
  const std::string pseudonym = record.value("pseudonym", "");
  keep_old(pseudonym);
  grade::write_record(file_of(pseudonym), record);
}

void GradeStore::try_to_write_here() const {
  try_to_write(out_ / "records" / ".writable");
  try_to_write(out_ / log_name);
}

void GradeStore::write_pages() const {
  const PointsOfCourse points(out_);
  std::vector<json> all;
  for (const json& record : records()) {
    all.push_back(points.scaled(record));
    write_text(out_ / "pages" / (record.value("pseudonym", "") + ".html"),
               report::student_page(points.view(record)));
  }
  const auto scaled = model::grade_records_from_json(all);
  write_text(out_ / "overview.html", report::overview_page(scaled));
  write_text(out_ / "grades.csv", grade::overview_csv(scaled));
}

void put_step(json& record, json entry) {
  const std::string phase = entry["phase"], part = entry.value("part", "");
  const std::vector<std::string> runs = entry["runs"];
  const double most = entry.value("max_points", 0.0);
  const json before = entry_of(record, grade::step_id(entry), part);
  std::vector<grade::Open> open;  // what the final phase will add is still to come
  for (const json& item : before.is_null() ? entry["open"] : before["open"])
    if (item["what"] != grade::step_id(entry)) open.push_back({item["what"], item["points"], item["opens"]});
  entry["points"] = entry["judged_points"];
  grade::add_step(record, {.result = std::move(entry),
                           .phase = phase,
                           .part = part,
                           .runs = runs,
                           .max_points = most,
                           .open = std::move(open)});
}

json entry_of(const json& record, const std::string& id, const std::string& part) {
  for (const json& step : record["steps"])
    if (grade::step_id(step) == id && step.value("part", "") == part) return step;
  return nullptr;
}

}  // namespace ladder
