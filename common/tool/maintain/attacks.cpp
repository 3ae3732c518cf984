#include "common/tool/maintain/attacks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "common/base/error.hpp"
#include "common/base/files.hpp"
#include "common/base/process_tree.hpp"
#include "common/base/step_name.hpp"
#include "common/base/text.hpp"
#include "common/grade/record.hpp"

namespace ladder {
namespace fs = std::filesystem;
namespace {

using nlohmann::json;

constexpr const char* name_of_attacks = "ladder-attack";  // in files that they leave
constexpr const char* key_of_attacks = "1790887399";      // 0x6abe5de7, of their shared memory

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, at);) {
    part.erase(0, part.find_first_not_of(' '));
    part.erase(part.find_last_not_of(' ') + 1);
    if (!part.empty()) parts.push_back(part);
  }
  return parts;
}

void take_header(GradingCase& one, const std::string& source) {
  std::istringstream lines(source);
  for (std::string line; std::getline(lines, line) && line.starts_with("// ");) {
    const auto after = [&](const std::string& word) {
      return line.starts_with("// " + word + " ") ? line.substr(word.size() + 4) : "";
    };
    if (const auto text = after("what"); !text.empty()) one.what = text;
    if (const auto text = after("verdict"); !text.empty()) one.verdicts[""] = split(text, '|');
    if (const auto text = after("must"); !text.empty()) one.must.push_back(text);
    if (const auto text = after("not"); !text.empty()) one.must_not.push_back(text);
    for (const char* mode : {"bwrap", "uid"})
      if (const auto text = after(fmt::format("mode {}", mode)); !text.empty())
        one.verdicts[mode] = split(text, '|');
  }
}

/// The step of a record that has a name; null: none.
json step_of(const json& record, const GradingCase& one) {
  for (const json& step : record.value("steps", json::array()))
    if (step.value("name", "") == one.step && step.value("lesson", "") == one.lesson) return step;
  return {};
}

std::string evidence_of(const json& step) {
  std::string text = step["staff"].value("verdict", "") + "  " + step["staff"].value("evidence", "");
  for (const json& d : step.value("details", json::array()))
    if (d.is_array() && d.size() == 2)
      text += fmt::format("\n{}: {}", d[0].get<std::string>(), d[1].get<std::string>());
  return text + "\n" + step.value("build_output", "");
}

/// What a student reads of it: no word of staff's, and nothing of the evidence.
std::string wrong_for_student(const json& record, const GradingCase& one, const std::string& verdict) {
  const json step = step_of(grade::student_view(record), one);
  const std::string shown = step.value("verdict", step.value("student", json::object()).value("verdict", ""));
  const bool for_staff = verdict == "REVIEW" || verdict == "REJECTED";
  const std::string text = step.dump();
  for (const char* word : {"REVIEW", "REJECTED"})
    if (text.find(word) != text.npos) return fmt::format("a student reads {}: {}", word, text);
  if (for_staff && text.find("points provisional") == text.npos)
    return fmt::format("a student does not read that a person looks at it, but: {}", text);
  if (!for_staff && shown != verdict) return fmt::format("staff reads {}, a student {}", verdict, shown);
  return "";
}

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
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
    std::istringstream lines(text_of(fmt::format("/proc/sysvipc/{}", kind)));
    for (std::string line; std::getline(lines, line);)
      if (split(line, ' ').front() == key_of_attacks)
        left.push_back(fmt::format("System V {}: {}", kind, line));
  }
}

std::string cell(std::string text) {
  text = text.substr(0, text.find('\n'));
  replace_all(text, "{anonymous}::", "");  // Doxygen takes what follows for a link
  if (text.size() > 160) text = text.substr(0, 157) + "…";
  std::string safe;
  for (const char c : text)
    safe += c == '|' || c == '#' ? fmt::format("\\{}", c) : c == '<' ? "&lt;" : std::string(1, c);
  return safe;
}

}  // namespace

std::vector<GradingCase> grading_cases(const fs::path& root) {
  std::vector<GradingCase> all;
  for (const bool hostile : {true, false})
    for (const auto& entry :
         fs::recursive_directory_iterator(root / "tests/grading" / (hostile ? "attacks" : "honest"))) {
      if (!entry.is_regular_file()) continue;
      const fs::path stem = entry.path().stem();
      GradingCase one{.lesson = entry.path().parent_path().filename(),
                      .step = stem.stem(),
                      .name = {},
                      .file = entry.path(),
                      .hostile = hostile,
                      .what = {},
                      .must = {},
                      .must_not = {}};
      if (stem.has_extension()) one.name = stem.extension().string().substr(1);
      take_header(one, read_text(entry.path()));
      const bool told = !one.what.empty() && one.verdicts.contains("") && !one.name.empty();
      if (!told)
        throw Error(entry.path().string() + ": is no STEP.NAME that begins with `// what` and `// verdict`");
      all.push_back(std::move(one));
    }
  std::sort(all.begin(), all.end(),
            [](const auto& a, const auto& b) { return a.submission() < b.submission(); });
  return all;
}

void pack(const GradingCase& one, const fs::path& submissions, const Marks& marks) {
  std::string text = read_text(one.file);
  for (const auto& [mark, path] : marks)
    for (std::size_t at = 0; (at = text.find(mark, at)) != text.npos; at += path.size())
      text.replace(at, mark.size(), path);
  const fs::path folder = submissions / one.submission() / one.lesson;
  fs::create_directories(folder);
  write_text(folder / one.file_name(), text);
}

std::string wrong_grade(const GradingCase& one, const std::string& mode, const json& record) {
  const json step = step_of(record, one);
  if (!step.is_object()) return "its record has no such step";
  const std::string verdict = step["staff"].value("verdict", ""), text = evidence_of(step);
  const auto& allowed = one.allowed(mode);
  if (std::find(allowed.begin(), allowed.end(), verdict) == allowed.end())
    return fmt::format("expected {}, got {}", fmt::join(allowed, " or "), text);
  for (const std::string& word : one.must)
    if (text.find(word) == text.npos) return fmt::format("\"{}\" is not in {}", word, text);
  for (const std::string& word : one.must_not)
    if (text.find(word) != text.npos) return fmt::format("\"{}\" is in {}", word, text);
  return wrong_for_student(record, one, verdict);
}

std::vector<std::string> leftovers(const fs::path& programs) {
  std::vector<std::string> left;
  for (const pid_t pid : all_processes()) {
    std::string line = text_of(fmt::format("/proc/{}/cmdline", pid));
    std::replace(line.begin(), line.end(), '\0', ' ');
    if (line.starts_with(programs.string())) left.push_back(fmt::format("process {}: {}", pid, line));
  }
  add_files(left);
  add_shared_memory(left);
  return left;
}

std::string table_row(const GradingCase& one, const std::map<std::string, json>& records) {
  std::string row = fmt::format("| {} | {} |", cell(one.what), rung_of(one.lesson, one.step));
  std::string evidence;
  for (const char* mode : {"bwrap", "uid"}) {
    const auto record = records.find(mode);
    const json step = record == records.end() ? json() : step_of(record->second, one);
    row += step.is_object() ? fmt::format(" {} |", step["staff"].value("verdict", "")) : " not run |";
    if (step.is_object() && evidence.empty()) evidence = step["staff"].value("evidence", "");
  }
  return row + " " + cell(evidence) + " |\n";
}

}  // namespace ladder
