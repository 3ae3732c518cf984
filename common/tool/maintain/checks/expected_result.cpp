#include "common/tool/maintain/checks/expected_result.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>

#include "common/base/text/text.hpp"

namespace ladder {
namespace {

/// "REVIEW|CRASHED" or "REVIEW | CRASHED"
std::vector<std::string> alternatives_in(const std::string& text) {
  std::vector<std::string> alternatives;
  std::istringstream in(text);
  for (std::string one; std::getline(in, one, '|');)
    if (const std::string_view words = trim(one); !words.empty()) alternatives.emplace_back(words);
  return alternatives;
}

bool has_one_of(const std::string& text, const std::string& words) {
  const auto all = alternatives_in(words);
  return std::any_of(all.begin(), all.end(),
                     [&](const std::string& one) { return text.find(one) != text.npos; });
}

void add_line(ExpectedResult& expected, const std::string& word, const std::string& rest) {
  if (word == "what") expected.what = rest;
  if (word == "verdict") expected.verdicts[""] = alternatives_in(rest);
  if (word == "must") expected.must.push_back(rest);
  if (word == "not") expected.must_not.push_back(rest);
  if (word != "mode") return;
  const auto space = rest.find(' ');
  expected.verdicts[rest.substr(0, space)] = alternatives_in(space == rest.npos ? "" : rest.substr(space));
}

}  // namespace

const std::vector<std::string>& ExpectedResult::allowed(const std::string& mode) const {
  static const std::vector<std::string> none;
  auto found = verdicts.find(mode);
  if (found == verdicts.end()) found = verdicts.find("");
  return found == verdicts.end() ? none : found->second;
}

ExpectedResult read_expected(const std::string& source) {
  ExpectedResult expected;
  for (const std::string& line : lines_of(source)) {
    if (!line.starts_with("// ")) break;
    const auto space = line.find(' ', 3);
    if (space == line.npos || space + 1 == line.size()) continue;
    add_line(expected, line.substr(3, space - 3), line.substr(space + 1));
  }
  return expected;
}

std::string unexpected(const ExpectedResult& expected, const std::string& mode, const std::string& verdict,
                       const std::string& text) {
  const auto& allowed = expected.allowed(mode);
  if (std::find(allowed.begin(), allowed.end(), verdict) == allowed.end())
    return fmt::format("expected {}, got {}", fmt::join(allowed, " or "), text);
  for (const std::string& word : expected.must)
    if (!has_one_of(text, word)) return fmt::format("\"{}\" is not in {}", word, text);
  for (const std::string& word : expected.must_not)
    if (text.find(word) != text.npos) return fmt::format("\"{}\" is in {}", word, text);
  return "";
}

}  // namespace ladder
