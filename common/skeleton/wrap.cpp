#include "common/skeleton/wrap.hpp"

#include <algorithm>

#include "common/base/text/text.hpp"
#include "common/skeleton/region_marks.hpp"

namespace ladder::cut {
namespace {

/// Where a line can be broken: behind this comma, and where the rest begins then.
struct Break {
  std::size_t comma = std::string::npos, column = 0;
};

Break break_of(const std::string& code) {
  const std::size_t indent = Parts(code).indent.size();
  Break best;
  std::size_t depth = code.size();
  std::vector<std::size_t> open;  // behind each bracket
  for (std::size_t at = 0; at < std::min(code.size(), max_columns); ++at) {
    const char c = code[at];
    if (c == '(' || c == '[' || c == '{') open.push_back(at + 1);
    if ((c == ')' || c == ']' || c == '}') && !open.empty()) open.pop_back();
    if (c != ',' || at + 1 == code.size() || open.size() > depth) continue;
    depth = open.size();
    // In no bracket there are variables of a statement, or parameters that continue those of the line before.
    best = {at, !open.empty() ? open.back() : code.back() == ';' ? indent + 4 : indent};
  }
  return best;
}

}  // namespace

std::size_t columns_of(std::string_view line) {
  return static_cast<std::size_t>(std::count_if(line.begin(), line.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;  // not the rest of a character of UTF-8
  }));
}

std::vector<std::string> wrapped(const std::string& line) {
  if (columns_of(line) <= max_columns) return {line};
  const Parts parts(line);
  const std::size_t comment = std::min(line.find("//"), line.size());
  const std::string code = parts.indent + std::string(trim(line.substr(0, comment))),
                    remark = line.substr(comment), behind = remark.empty() ? "" : "  " + remark;
  if (columns_of(code + behind) <= max_columns) return {code + behind};
  if (!remark.empty() && code.back() == ';') {
    std::vector<std::string> lines = wrapped(code);
    lines.insert(lines.begin(), parts.indent + remark);
    return lines;
  }
  const Break at = break_of(code);
  if (at.comma == std::string::npos) return {line};
  std::vector<std::string> lines = {code.substr(0, at.comma + 1)};
  const std::string rest = std::string(trim(code.substr(at.comma + 1))) + behind;
  for (std::string& next : wrapped(std::string(at.column, ' ') + rest)) lines.push_back(std::move(next));
  return lines;
}

}  // namespace ladder::cut
