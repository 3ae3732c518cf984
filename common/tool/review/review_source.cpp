#include "common/tool/review/review_source.hpp"

#include <fmt/format.h>

#include <regex>
#include <set>
#include <vector>

#include "common/base/files/files.hpp"
#include "common/base/text/text.hpp"
#include "common/model/grade_json.hpp"

namespace ladder {
namespace {

constexpr int neighbours = 2;
constexpr int max_lines = 60;

/// What is in a page of text without moving the cursor of whoever reads it: a source is a stranger's.
std::string printable(std::string line) {
  for (char& c : line)
    if (static_cast<unsigned char>(c) < ' ' && c != '\t') c = '?';
  return line.substr(0, 200);
}

std::set<int> named_lines(const model::GradeEntry& step, const std::vector<std::string>& lines) {
  std::set<int> named;
  const std::string said = to_json(step).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  const std::regex place(std::regex_replace(step.file, std::regex(R"([.])"), "\\.") + ":([0-9]{1,6})");
  for (std::sregex_iterator at(said.begin(), said.end(), place), end; at != end; ++at)
    named.insert(std::stoi((*at)[1]));
  for (const std::string& symbol : step.uses) {
    const std::regex word("\\b" + std::regex_replace(symbol, std::regex(R"([^A-Za-z0-9_])"), ".") + "\\b");
    for (std::size_t i = 0; i < lines.size(); ++i)
      if (std::regex_search(lines[i].substr(0, 500), word)) named.insert(static_cast<int>(i) + 1);
  }
  return named;
}

}  // namespace

std::string lines_in_question(const model::GradeEntry& step, const std::filesystem::path& source) {
  const auto lines = lines_of(read_text(source));
  const auto named = named_lines(step, lines);
  std::set<int> shown;
  for (const int line : named)
    for (int i = line - neighbours; i <= line + neighbours; ++i)
      if (i >= 1 && i <= static_cast<int>(lines.size())) shown.insert(i);
  std::string text;
  int last = 0, count = 0;
  for (const int line : shown) {
    if (count++ == max_lines) return text + "     …\n";
    if (last > 0 && line > last + 1) text += "     …\n";
    text += fmt::format("{}{:4} {}\n", named.contains(line) ? ">" : " ", line,
                        printable(lines[static_cast<std::size_t>(line - 1)]));
    last = line;
  }
  return text;
}

}  // namespace ladder
