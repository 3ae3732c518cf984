#include "common/tool/exam_roster.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "common/base/text.hpp"
#include "common/tool/files.hpp"
#include "common/tool/names.hpp"

namespace ladder::exam {
namespace {

/// The fields of a line, RFC 4180.
std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"')
      fields.back() += line[++i];
    else if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      fields.emplace_back();
    else
      fields.back() += c;
  }
  for (std::string& field : fields) field = std::string(trim(field));
  return fields;
}

}  // namespace

std::vector<Student> read_students(const std::filesystem::path& file) {
  std::string text = read_text(file);
  if (text.starts_with("\xef\xbb\xbf")) text.erase(0, 3);
  const auto lines = lines_of(text);
  if (lines.empty()) throw UsageError{fmt::format("{}: no roster, or an empty one", file.string())};
  const auto titles = fields_of(lines[0]);
  const auto column = [&](const char* name) {
    const auto at = std::find(titles.begin(), titles.end(), name);
    if (at == titles.end())
      throw UsageError{fmt::format("{}:1: the roster has no column '{}'", file.string(), name)};
    return static_cast<std::size_t>(at - titles.begin());
  };
  const std::size_t id = column("id"), name = column("name");
  std::vector<Student> students;
  std::set<std::string> known;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    if (trim(lines[i]).empty()) continue;
    const auto fields = fields_of(lines[i]);
    if (fields.size() <= std::max(id, name) || fields[id].empty())
      throw UsageError{fmt::format("{}:{}: no id or no name on this line", file.string(), i + 1)};
    if (!known.insert(fields[id]).second)
      throw UsageError{fmt::format("{}:{}: the id {} is there twice", file.string(), i + 1, fields[id])};
    students.push_back({fields[id], fields[name]});
  }
  if (students.empty()) throw UsageError{fmt::format("{}: nobody is in the roster", file.string())};
  return students;
}

}  // namespace ladder::exam
