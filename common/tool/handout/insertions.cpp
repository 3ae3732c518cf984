#include "common/tool/handout/insertions.hpp"

#include <algorithm>
#include <optional>
#include <regex>
#include <vector>

#include "common/base/text/markdown.hpp"
#include "common/base/text/step_name.hpp"
#include "common/base/usage_error.hpp"

namespace ladder {
namespace {

/// Where the first match of the pattern begins whose first group names a rung behind `id`; how far all of
/// them reach is told by `last`, the begin of the last one.
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

/// A heading of a page: where it begins, how many #, and what it is about.
struct Heading {
  std::size_t at = 0, level = 0;
  std::string text;
  std::string rung{};  ///< "g2"; empty: another heading
};

std::vector<Heading> headings_of(const std::string& page) {
  static const std::regex rung("(" + step_id_pattern + ") .*");
  std::vector<Heading> all;
  bool fenced = false;
  for (std::size_t at = 0; at < page.size();) {
    const std::size_t end = std::min(page.find('\n', at), page.size());
    const std::string line = page.substr(at, end - at);
    if (is_code_fence(line)) fenced = !fenced;
    if (const std::size_t level = heading_level(line); !fenced && level > 0) {
      Heading heading{at, level, line.substr(level + 1)};
      if (std::smatch found; std::regex_match(heading.text, found, rung)) heading.rung = found[1];
      all.push_back(heading);
    }
    at = end + 1;
  }
  return all;
}

/// Where the section that a heading begins ends: at the next heading that is no part of it.
std::size_t end_of(const std::string& page, const std::vector<Heading>& headings, const Heading& of) {
  for (const Heading& one : headings)
    if (one.at > of.at && one.level <= of.level) return one.at;
  return page.size();
}

/// The heading of the second level that a rung is below; its own, when there is none.
const Heading& above(const std::vector<Heading>& headings, const Heading& rung) {
  const Heading* found = &rung;
  for (const Heading& one : headings)
    if (one.at < rung.at && one.level == 2) found = &one;
  return *found;
}

}  // namespace

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

std::string with_row(const std::string& table, const std::string& row, const std::string& id) {
  static const std::regex rows("\\[\\[rungs\\]\\]\nfile = \"(" + step_id_pattern + ")_");
  std::optional<std::size_t> last;
  if (const auto at = first_behind(table, 0, rows, id, last))
    return std::string(table).insert(*at, row + "\n");
  return table + (table.empty() || table.ends_with("\n\n") ? "" : "\n") + row;
}

std::string with_section(const std::string& page, const std::string& section, const std::string& id) {
  const std::vector<Heading> headings = headings_of(page);
  const Heading *before = nullptr, *after = nullptr;  // the rungs of this track on both sides
  const Heading *lower = nullptr,
                *higher = nullptr;  // the last rung of the tracks in front, the first of those behind
  const Heading *own = nullptr, *rest = nullptr;  // the heading of the track; what comes after all rungs
  bool flat = false;                              // rungs on the second level, without headings of tracks
  for (const Heading& one : headings) {
    if (one.rung.empty()) {
      if (one.text == heading_of_track(id[0])) own = &one;
      if (!rest && (one.text.starts_with("What the source") || one.text == "Beyond")) rest = &one;
      continue;
    }
    const bool same = one.rung[0] == id[0], behind = rank_of(id) < rank_of(one.rung);
    flat = one.level == 2;
    if (!behind) (same ? before : lower) = &one;
    if (behind && !after && same) after = &one;
    if (behind && !higher && !same) higher = &one;
  }
  std::string text = section;
  if (flat && text.starts_with("### ")) text.erase(0, 1);
  if (!flat && !before && !after && !own) text = std::string("## ") + heading_of_track(id[0]) + "\n\n" + text;
  std::size_t at = page.size();
  if (before)
    at = end_of(page, headings, *before);
  else if (after)
    at = after->at;
  else if (own)
    at = end_of(page, headings, *own);
  else if (higher)
    at = flat ? higher->at : above(headings, *higher).at;
  else if (lower)
    at = end_of(page, headings, flat ? *lower : above(headings, *lower));
  else if (rest)
    at = rest->at;
  return std::string(page).insert(at, text);
}

}  // namespace ladder
