#include "common/tool/grade_store.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/grade/csv.hpp"
#include "common/lesson/lesson.hpp"
#include "common/report/grade_pages.hpp"
#include "common/report/results.hpp"
#include "common/tool/files.hpp"
#include "common/tool/names.hpp"

namespace ladder {
namespace fs = std::filesystem;
using nlohmann::json;

GradeStore::GradeStore(fs::path out) : out_(std::move(out)) {
  if (!fs::is_directory(out_ / "records"))
    throw UsageError{fmt::format("{}: no grades here; ./ladder grade writes them, --out names the folder", out_.string())};
}

std::vector<json> GradeStore::records() const {
  std::vector<grade::Decision> decisions;
  try {
    decisions = grade::read_decisions(out_ / "decisions.jsonl");
  } catch (const Error& error) {
    throw UsageError{error.what()};
  }
  std::vector<json> all;
  for (const auto& entry : fs::directory_iterator(out_ / "records")) {
    if (entry.path().extension() != ".json") continue;
    json record = json::parse(read_text(entry.path()), nullptr, false);
    if (!record.is_object() || !record.contains("steps"))
      throw UsageError{fmt::format("{}: no record of a grade; delete it and grade --resume", entry.path().string())};
    all.push_back(grade::decided(std::move(record), decisions));
  }
  std::sort(all.begin(), all.end(), [](const json& a, const json& b) { return a["pseudonym"] < b["pseudonym"]; });
  return all;
}

json GradeStore::record(const std::string& pseudonym) const {
  std::vector<std::string> names;
  for (json& record : records()) {
    if (record["pseudonym"] == pseudonym) return std::move(record);
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
  throw UsageError{unknown("step", label, names)};
}

void GradeStore::decide(const grade::Decision& decision) const {
  grade::append(out_ / "decisions.jsonl", decision);
  write_pages();
}

void GradeStore::write_pages() const {
  const std::vector<json> all = records();
  write_text(out_ / "overview.html", report::overview_page(all));
  write_text(out_ / "grades.csv", grade::csv(all));
  for (const json& record : all)
    write_text(out_ / "pages" / (record.value("pseudonym", "") + ".html"), report::student_page(record));
}

}  // namespace ladder
