#include "common/sitegen/slides/lesson_page.hpp"

#include <algorithm>
#include <cctype>
#include <regex>

#include "common/base/text/markdown.hpp"
#include "common/base/text/step_name.hpp"
#include "common/base/text/text.hpp"
#include "common/sitegen/site_text.hpp"

namespace ladder::report {
namespace {

using Lines = std::vector<std::string>;

/// The lines of a heading's section: up to the next heading of its level or of one above it.
struct HeadedPart {
  std::size_t line = 0;
  std::string heading;
  Lines lines{};
};

std::vector<HeadedPart> headed_parts(const std::string& text) {
  std::vector<HeadedPart> parts(1);
  bool fenced = false;
  std::size_t number = 0;
  for (const std::string& line : lines_of(text)) {
    ++number;
    if (is_code_fence(line)) fenced = !fenced;
    if (const std::size_t level = fenced ? 0 : heading_level(line); level > 0)
      parts.push_back({number, std::string(trim(line.substr(level)))});
    else
      parts.back().lines.push_back(line);
  }
  return parts;
}

/// The text that begins with these words, without them, up to an empty line or to one that does not go on
/// with it; empty: there is none.
template <class GoesOn>
std::string text_after(const Lines& lines, const std::string& words, GoesOn goes_on) {
  auto line = std::ranges::find_if(lines, [&](const auto& one) { return one.starts_with(words); });
  if (line == lines.end()) return "";
  std::string text = line->substr(words.size());
  while (++line != lines.end() && !trim(*line).empty() && goes_on(*line))
    text += " " + std::string(trim(*line));
  return std::string(trim(text));
}

/// A paragraph ends where a list or code begins.
std::string paragraph_after(const Lines& lines, const std::string& words) {
  return text_after(lines, words,
                    [](const std::string& line) { return !line.starts_with("- ") && !is_code_fence(line); });
}

/// "You need …"
std::string needs_of(const Lines& lines) {
  const std::string needs = paragraph_after(lines, "You need");
  if (needs.empty()) return "";
  return "You need" + (needs[0] == ':' ? needs : " " + needs);
}

/// The items of the list below the line with these words.
Lines items_after(const Lines& lines, const std::string& words) {
  Lines items;
  auto line = std::ranges::find_if(lines, [&](const auto& one) { return one.starts_with(words); });
  while (line != lines.end() && ++line != lines.end() && line->starts_with("- "))
    items.push_back(line->substr(2));
  return items;
}

/// The lines of the item "- **Predict.** …", which are indented.
std::string item_after(const Lines& lines, const std::string& words) {
  return text_after(lines, words, [](const std::string& line) { return line.starts_with(" "); });
}

/// Takes the folds out of an item. @return what is in the one with that summary
std::string take_folds(std::string& item, const std::string& summary) {
  const std::string open = "<details>", close = "</details>", named = "<summary>" + summary + "</summary>";
  std::string found;
  for (std::size_t at; (at = item.find(open)) != item.npos;) {
    const auto end = std::min(item.find(close, at), item.size());
    const std::string fold = item.substr(at + open.size(), end - at - open.size());
    if (fold.starts_with(named)) found = trim(std::string_view(fold).substr(named.size()));
    item.erase(at, end + close.size() - at);
  }
  item = trim(item);
  return found;
}

/// The first block of code in no language, or indented by four blanks.
std::string first_block(const Lines& lines, bool indented) {
  std::string text;
  bool drawn = false, in_language = false;
  for (const std::string& line : lines) {
    if (is_code_fence(line)) {
      if (!text.empty()) break;
      drawn = !in_language && trim(line) == "```";
      in_language = !in_language && !drawn;
    } else if (drawn || (indented && !in_language && line.starts_with("    "))) {
      text += (drawn ? line : line.substr(4)) + "\n";
    } else if (!text.empty()) {
      break;
    }
  }
  return text;
}

/// The first figure whose name has these letters; empty: there is none.
std::string figure_with(const Lines& lines, const std::string& letters) {
  for (const std::string& line : lines) {
    const auto at = line.find("](");
    if (!line.starts_with("![") || at == line.npos) continue;
    const std::string file = line.substr(at + 2, line.find(')', at) - at - 2);
    if (file.find(letters) != file.npos) return file;
  }
  return "";
}

/// The paragraph up to the end of its first sentence: a point in code, in parentheses or in a mark is
/// none.
std::string to_full_stop(const std::string& paragraph) {
  bool code = false;
  int depth = 0;
  for (std::size_t at = 0; at + 1 < paragraph.size(); ++at) {
    if (paragraph.compare(at, 4, "<!--") == 0) at = std::min(paragraph.find("-->", at), paragraph.size() - 1);
    const char c = paragraph[at];
    code = code != (c == '`');
    if (!code) depth += (c == '(') - (c == ')');
    const bool full_stop = !code && depth == 0 && c == '.' && paragraph[at + 1] == ' ';
    if (full_stop &&
        (at + 2 >= paragraph.size() || !std::islower(static_cast<unsigned char>(paragraph[at + 2]))))
      return paragraph.substr(0, at + 1);
  }
  return paragraph;
}

RungSection rung_section(const std::string& id, const HeadedPart& part) {
  RungSection rung{.id = id,
                   .heading = part.heading,
                   .line = part.line,
                   .drawing = figure_with(part.lines, "draw-"),
                   .sketch = first_block(part.lines, false),
                   .question = item_after(part.lines, "- **Predict.**"),
                   .answer = "",
                   .judged_by = to_full_stop(item_after(part.lines, "- **Judged by.**")),
                   .next = paragraph_after(part.lines, "**Why not more?**")};
  rung.answer = take_folds(rung.question, "Answer");
  return rung;
}

}  // namespace

LessonPage read_lesson_page(const std::string& text) {
  static const std::regex rung("(" + step_id_pattern + ") .*");
  LessonPage page;
  for (const HeadedPart& part : headed_parts(text)) {
    if (page.ladder.empty()) page.ladder = figure_with(part.lines, "-ladder-");
    if (std::smatch id; std::regex_match(part.heading, id, rung)) {
      page.rungs.push_back(rung_section(id[1], part));
      continue;
    }
    if (part.heading == "The problem") page.formula = first_block(part.lines, true);
    // On page 00 goals and needs come behind the first rung.
    if (page.needs.empty()) page.needs = needs_of(part.lines);
    if (page.goals.empty()) page.goals = items_after(part.lines, "After this lesson you can");
    if (!page.title.empty() || part.heading.empty()) continue;
    page.title = part.heading;
    for (const std::string& line : part.lines)
      if (page.about.empty() && !trim(line).empty() && !line.starts_with("<!--")) page.about = line;
  }
  return page;
}

}  // namespace ladder::report
