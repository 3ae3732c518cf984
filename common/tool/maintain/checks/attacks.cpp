#include "common/tool/maintain/checks/attacks.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/base/error.hpp"
#include "common/base/files/whole_file.hpp"
#include "common/base/process/process_tree.hpp"
#include "common/base/text/step_name.hpp"
#include "common/base/text/text.hpp"
#include "common/grade/intake/names.hpp"
#include "common/grade/intake/scan.hpp"
#include "common/grade/record.hpp"

namespace ladder {
namespace fs = std::filesystem;
namespace {

using model::GradeEntry;
using model::GradeRecord;

constexpr const char* name_of_attacks = "ladder-attack";  // in files that they leave
constexpr const char* key_of_attacks = "1790887399";      // 0x6abe5de7, of their shared memory

/// The headers that a case includes, and that these include. A name that is in neither folder is the lesson's
/// own.
void add_headers(GradingCase& one, const fs::path& source, const fs::path& fixtures) {
  for (const std::string& name : grade::included_by(read_text(source)))
    for (const fs::path& folder : {one.file.parent_path(), fixtures / one.lesson}) {
      const fs::path header = folder / name;
      if (name.find('/') != name.npos || !fs::exists(header)) continue;
      if (std::find(one.headers.begin(), one.headers.end(), header) != one.headers.end()) break;
      one.headers.push_back(header);
      add_headers(one, header, fixtures);
      break;
    }
}

std::string with_marks_replaced(std::string text, const Marks& marks) {
  for (const auto& [mark, path] : marks) replace_all(text, mark, path);
  return text;
}

/// The step of a record that has a name; null: none.
const GradeEntry* step_of(const GradeRecord& record, const GradingCase& one) {
  for (const GradeEntry& step : record.steps)
    if (step.name == one.step && step.lesson == one.lesson) return &step;
  return nullptr;
}

std::string evidence_of(const GradeEntry& step) {
  std::string text = fmt::format("{}  {}", name(step.staff.verdict), step.staff.evidence);
  for (const auto& [heading, said] : step.details) text += fmt::format("\n{}: {}", heading, said);
  return text + "\n" + step.build_output;
}

/// What a student reads of it: no word of staff's, and nothing of the evidence.
std::string wrong_for_student(const GradeRecord& record, const GradeEntry& step) {
  const std::string verdict(name(step.staff.verdict)), &shown = step.student.verdict;
  const bool for_staff = step.staff.verdict == Verdict::review || step.staff.verdict == Verdict::rejected;
  GradeRecord alone = record;
  alone.steps = {step};
  const std::string text = to_json(grade::student_view(alone).steps.front()).dump();
  for (const char* word : {"REVIEW", "REJECTED"})
    if (text.find(word) != text.npos) return fmt::format("a student reads {}: {}", word, text);
  if (for_staff && text.find("points provisional") == text.npos)
    return fmt::format("a student does not read that a person looks at it, but: {}", text);
  if (!for_staff && shown != verdict) return fmt::format("staff reads {}, a student {}", verdict, shown);
  return "";
}

void add_files(std::vector<std::string>& left) {
  for (const char* folder : {"/tmp", "/var/tmp", "/dev/shm", "/dev/mqueue"}) {
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(folder, none))
      if (entry.path().filename().string().starts_with(name_of_attacks))
        left.push_back("file " + entry.path().string());
  }
}

void add_shared_memory(std::vector<std::string>& left) {
  for (const char* kind : {"shm", "sem", "msg"}) {
    for (const std::string& line : lines_of(read_text(fmt::format("/proc/sysvipc/{}", kind))))
      if (trim(line).starts_with(fmt::format("{} ", key_of_attacks)))
        left.push_back(fmt::format("System V {}: {}", kind, line));
  }
}

std::string cell(std::string text) {
  text = text.substr(0, text.find('\n'));
  replace_all(text, "{anonymous}::", "");
  if (text.size() > 160) text = text.substr(0, 157) + "…";
  std::string safe;
  for (const char c : text)
    safe += c == '|' || c == '#' ? fmt::format("\\{}", c) : c == '<' ? "&lt;" : std::string(1, c);
  replace_all(safe, "::", "\\::");  // Doxygen takes what follows # and :: for a link
  return safe;
}

}  // namespace

bool is_kept_submission(const std::string& file) {
  const auto below = [&](const char* folder) { return file.starts_with(folder); };
  return below("tests/grading/attacks/") || below("tests/grading/honest/") ||
         below("tests/grading/fixtures/");
}

std::vector<GradingCase> grading_cases(const fs::path& root) {
  const fs::path tests = root / "tests/grading";
  std::vector<GradingCase> all;
  for (const bool hostile : {true, false}) {
    const fs::path folder = tests / (hostile ? "attacks" : "honest");
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (!entry.is_regular_file() || grade::is_header(entry.path().string())) continue;
      const fs::path stem = entry.path().stem();
      GradingCase one{.lesson = *entry.path().lexically_relative(folder).begin(),
                      .step = stem.stem(),
                      .name = {},
                      .file = entry.path(),
                      .hostile = hostile,
                      .expected = read_expected(read_text(entry.path()))};
      if (stem.has_extension()) one.name = stem.extension().string().substr(1);
      if (one.expected.what.empty() || one.expected.allowed().empty() || one.name.empty())
        throw Error(entry.path().string() + ": is no STEP.NAME that begins with `// what` and `// verdict`");
      add_headers(one, one.file, tests / "fixtures");
      all.push_back(std::move(one));
    }
  }
  std::sort(all.begin(), all.end(),
            [](const auto& a, const auto& b) { return a.submission() < b.submission(); });
  const auto same = std::adjacent_find(
      all.begin(), all.end(), [](const auto& a, const auto& b) { return a.submission() == b.submission(); });
  if (same != all.end())
    throw Error(
        fmt::format("{} and {} have the same name", same->file.string(), std::next(same)->file.string()));
  return all;
}

void pack(const GradingCase& one, const fs::path& submissions, const Marks& marks) {
  const fs::path folder = submissions / one.submission() / one.lesson;
  fs::create_directories(folder);
  write_text(folder / one.file_name(), with_marks_replaced(read_text(one.file), marks));
  for (const fs::path& header : one.headers)
    write_text(folder / header.filename(), with_marks_replaced(read_text(header), marks));
}

std::string wrong_grade(const GradingCase& one, const std::string& mode, const GradeRecord& record) {
  const GradeEntry* step = step_of(record, one);
  if (!step) return "its record has no such rung";
  const std::string wrong =
      unexpected(one.expected, mode, std::string(name(step->staff.verdict)), evidence_of(*step));
  if (!wrong.empty()) return wrong;
  return wrong_for_student(record, *step);
}

std::vector<std::string> leftovers(const fs::path& programs) {
  std::vector<std::string> left;
  for (const pid_t pid : all_processes()) {
    std::string line = read_text(fmt::format("/proc/{}/cmdline", pid));
    std::replace(line.begin(), line.end(), '\0', ' ');
    if (line.starts_with(programs.string())) left.push_back(fmt::format("process {}: {}", pid, line));
  }
  add_files(left);
  add_shared_memory(left);
  return left;
}

std::string table_row(const GradingCase& one, const std::map<std::string, GradeRecord>& records) {
  std::string row = fmt::format("| {} | {} |", cell(one.expected.what), rung_of(one.lesson, one.step));
  std::string evidence;
  for (const char* mode : {"bwrap", "uid"}) {
    const auto record = records.find(mode);
    const GradeEntry* step = record == records.end() ? nullptr : step_of(record->second, one);
    row += step ? fmt::format(" {} |", name(step->staff.verdict)) : " not run |";
    if (step && evidence.empty()) evidence = step->staff.evidence;
  }
  return row + " " + cell(evidence) + " |\n";
}

}  // namespace ladder
