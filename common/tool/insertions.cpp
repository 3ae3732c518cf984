#include "common/tool/insertions.hpp"

#include <algorithm>
#include <optional>
#include <regex>

#include "common/base/step_name.hpp"
#include "common/tool/names.hpp"

namespace ladder {
namespace {

/// Where the first match of the pattern begins whose first group names a rung behind `id`; how far all of them reach is
/// told by `last`, the begin of the last one.
std::optional<std::size_t> first_behind(const std::string& text, std::size_t from, const std::regex& pattern,
                                        const std::string& id, std::optional<std::size_t>& last) {
  for (std::sregex_iterator i(text.begin() + static_cast<std::ptrdiff_t>(from), text.end(), pattern), end;
       i != end; ++i) {
    const std::size_t at = from + static_cast<std::size_t>(i->position());
    if (rank_of(id) < rank_of((*i)[1])) return at;
    last = at;
  }
  return {};
}

}  // namespace

std::string space_of(const LessonEntry& lesson) {
  std::string text = lesson.word();
  std::replace(text.begin(), text.end(), '-', '_');
  return text;
}

std::pair<std::size_t, int> rank_of(const std::string& id) {
  return {tracks.find(id[0]), std::stoi(id.substr(1))};
}

std::string filled(const std::string& text, const std::map<std::string, std::string>& values) {
  static const std::regex pattern("@([a-z]+)@");
  std::string out;
  std::size_t from = 0;
  for (std::sregex_iterator i(text.begin(), text.end(), pattern), end; i != end; ++i) {
    const auto value = values.find((*i)[1]);
    if (value == values.end()) throw UsageError{"a template has the unknown placeholder " + i->str()};
    const auto at = static_cast<std::size_t>(i->position());
    out += text.substr(from, at - from) + value->second;
    from = at + static_cast<std::size_t>(i->length());
  }
  return out + text.substr(from);
}

std::string with_row(const std::string& contract, const std::string& row, const std::string& id) {
  static const std::regex rows(" *\\{\\.file = \"(" + step_id_pattern + ")_");
  const auto table = contract.find("steps[] = {\n");
  const auto end = table == std::string::npos ? table : contract.find("\n};", table);
  if (end == std::string::npos)
    throw UsageError{"the contract has no table that begins with \"steps[] = {\" and ends with \"};\""};
  std::optional<std::size_t> last;
  const std::string rest = contract.substr(0, end + 1);
  const std::size_t at = first_behind(rest, table, rows, id, last).value_or(end + 1);
  return std::string(contract).insert(at, row);
}

std::string with_section(const std::string& page, const std::string& section, const std::string& id) {
  static const std::regex rungs("(?:^|\n)## (" + step_id_pattern + ") ");
  const std::string text = "\n" + page;  // so that each heading has a line end in front of it
  std::optional<std::size_t> last;
  std::optional<std::size_t> at = first_behind(text, 0, rungs, id, last);
  if (!at) {
    const auto next = last ? text.find("\n## ", *last + 1) : text.find("\n## Beyond");
    at = next == std::string::npos ? text.size() - 1 : next;
  }
  return std::string(page).insert(*at, section);
}

}  // namespace ladder
