#include "common/tool/grade_store.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sstream>

#include "common/grade/csv.hpp"
#include "common/lesson/lesson.hpp"
#include "common/report/grade_pages.hpp"
#include "common/report/results.hpp"
#include "common/tool/files.hpp"
#include "common/tool/names.hpp"

namespace ladder {
namespace fs = std::filesystem;
using nlohmann::json;
namespace {

constexpr const char* log_name = "decisions.jsonl";

}  // namespace

GradeStore::GradeStore(fs::path out) : out_(std::move(out)) {
  if (!fs::is_directory(out_ / "records"))
    throw UsageError{fmt::format("{}: no grades here; ./ladder grade writes them, --out names the folder", out_.string())};
}

std::vector<json> GradeStore::records() const {
  const auto log = decisions();
  std::vector<json> all;
  for (const auto& entry : fs::directory_iterator(out_ / "records")) {
    if (entry.path().extension() != ".json") continue;
    json record = grade::read_record(entry.path());
    for (const auto& [pseudonym, decision] : log)
      if (pseudonym == record["pseudonym"].get<std::string>()) grade::decide(record, decision);
    all.push_back(std::move(record));
  }
  std::sort(all.begin(), all.end(), [](const json& a, const json& b) { return a["pseudonym"] < b["pseudonym"]; });
  return all;
}

std::vector<std::pair<std::string, grade::Decision>> GradeStore::decisions() const {
  std::vector<std::pair<std::string, grade::Decision>> all;
  std::istringstream in(read_text(out_ / log_name));
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    const json j = json::parse(line, nullptr, false);
    if (!j.is_object() || !j.contains("student"))
      throw UsageError{fmt::format("{}:{}: no decision", (out_ / log_name).string(), number)};
    all.emplace_back(j["student"], grade::Decision{j.value("step", ""), j.value("action", ""), j.value("points", 0.0), j.value("by", ""), j.value("reason", ""), j.value("at", "")});
  }
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

void GradeStore::decide(const std::string& pseudonym, const grade::Decision& decision) const {
  json now = record(pseudonym);
  try {
    grade::decide(now, decision);
  } catch (const Error& error) {
    throw UsageError{error.what()};
  }
  const std::string line = report::dump({{"student", pseudonym}, {"step", decision.step}, {"action", decision.action},
                                         {"points", decision.points}, {"by", decision.by}, {"reason", decision.reason},
                                         {"at", decision.at}}) + "\n";
  const fs::path log = out_ / log_name;
  const int file = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  const bool written = file >= 0 && ::write(file, line.data(), line.size()) == static_cast<ssize_t>(line.size()) && ::fsync(file) == 0;
  const int failed = errno;
  if (file >= 0) ::close(file);
  if (!written) throw UsageError{fmt::format("cannot add to {}: {}", log.string(), std::strerror(failed))};
  write_pages();
}

void GradeStore::write_pages() const {
  const std::vector<json> all = records();
  write_text(out_ / "overview.html", report::overview_page(all));
  write_text(out_ / "grades.csv", grade::overview_csv(all));
  for (const json& record : all)
    write_text(out_ / "pages" / (record.value("pseudonym", "") + ".html"), report::student_page(grade::student_view(record)));
}

}  // namespace ladder
