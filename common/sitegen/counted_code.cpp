#include "common/sitegen/counted_code.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <set>

#include "common/base/files/whole_file.hpp"
#include "common/base/text/numbers.hpp"
#include "common/grade/sha256.hpp"
#include "common/skeleton/code_lines.hpp"

namespace ladder::report {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

/// Each line of code without blanks: another layout is the same code.
std::vector<std::string> lines_without_blanks(const std::string& source) {
  std::vector<std::string> lines = cut::code_lines(source);
  for (std::string& line : lines) std::erase_if(line, [](char c) { return c == ' ' || c == '\t'; });
  return lines;
}

std::string code_in(const std::string& source) {
  std::string code;
  for (const std::string& line : lines_without_blanks(source)) code += line;
  return code;
}

/// A source with the CUDA headers of its lesson, each once: kernels that are given are in these.
std::string code_with_headers(const fs::path& file, const fs::path& lesson, std::set<std::string>& read) {
  static const std::regex header("#include \"([^\"/]+\\.cuh)\"");
  const std::string source = read_text(file);
  std::string code = code_in(source);
  for (auto found = std::sregex_iterator(source.begin(), source.end(), header);
       found != std::sregex_iterator(); ++found)
    if (const std::string name = (*found)[1]; read.insert(name).second)
      code += code_with_headers(lesson / name, lesson, read);
  return code;
}

/// Of a file of planted mistakes that of one case: its function, and what is between the function before and
/// it.
std::string code_of_case(const std::string& source, std::string name) {
  std::ranges::replace(name, '-', '_');
  static const std::regex begins(R"(void(\w+)\(bool(right)?\)\{)");
  std::string code, function;
  for (const std::string& line : lines_without_blanks(source)) {
    code += line;
    if (std::smatch found; std::regex_search(line, found, begins)) function = found[1];
    if (line != "}" || function.empty()) continue;
    if (function == name) return code;
    code.clear(), function.clear();
  }
  return "";
}

std::string name_of_row(const json& row) {
  for (const char* field : {"step", "name"})
    if (row.contains(field)) return row[field];
  const std::string program = row.value("program", "");
  return row.contains("case") ? program + " " + row["case"].get<std::string>() : program;
}

std::string code_of_row(const fs::path& root, const std::string& part, const json& row) {
  const std::string name = name_of_row(row);
  if (part == "programs") return code_in(read_text(root / "common/programs/counters" / (name + ".cu")));
  if (part == "findings") {
    const std::string program = row.value("program", "");
    return code_of_case(read_text(root / "common/programs/planted" / (program + ".cu")),
                        row.value("case", ""));
  }
  if (name.find('/') == name.npos) return code_in(read_text(root / "common/programs/speed.cu"));
  std::set<std::string> read;
  return code_with_headers(root / "solutions" / (name + ".cu"),
                           root / "lessons" / fs::path(name).parent_path(), read);
}

}  // namespace

std::string hash_of_row(const fs::path& root, const std::string& part, const json& row) {
  constexpr std::size_t enough = 16;  // digits
  const std::string code = code_of_row(root, part, row);
  return code.empty() ? "" : sha256(code).substr(0, enough);
}

void add_hashes(const fs::path& root, const std::string& part, json& rows) {
  for (json& row : rows) row["code"] = hash_of_row(root, part, row);
}

std::map<std::string, ChangedRows> drop_changed_code(json& executor, const fs::path& root) {
  std::map<std::string, ChangedRows> changed;
  const json dates = executor.value("dates", json::object());
  for (const std::string part : counted_parts) {
    if (!executor.contains(part)) continue;
    json rows = json::array();
    for (const json& row : executor[part]) {
      const bool same = row.contains("code") && row["code"] == hash_of_row(root, part, row);
      if (same || part == "costs") rows.push_back(row);
      if (same) continue;
      ChangedRows& all = changed[part];
      const std::string day = row.value("date", dates.value(part, "")).substr(0, 10);
      all.names.push_back(name_of_row(row));
      all.first = all.first.empty() ? day : std::min(all.first, day);
      all.last = std::max(all.last, day);
    }
    executor[part] = rows;
  }
  return changed;
}

std::string changed_text(const std::map<std::string, ChangedRows>& changed, const std::string& part,
                         const std::string& noun) {
  const auto found = changed.find(part);
  if (found == changed.end()) return "";
  const auto& [names, first, last] = found->second;
  return fmt::format("{}, stored {}, {} changed since: left out.", counted(names.size(), noun),
                     first == last ? "on " + first : fmt::format("from {} to {}", first, last),
                     names.size() == 1 ? "has" : "have");
}

}  // namespace ladder::report
