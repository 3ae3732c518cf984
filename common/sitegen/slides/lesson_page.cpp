#include "common/sitegen/slides/lesson_page.hpp"

#include <algorithm>
#include <cctype>
#include <regex>

#include "common/base/text/step_name.hpp"
#include "common/base/text/text.hpp"

namespace ladder::report {
namespace {

using Lines = std::vector<std::string>;

bool opens_fence(const std::string& line) {
  return trim(line).starts_with("```");
}

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
    if (opens_fence(line)) fenced = !fenced;
    const auto level = line.find_first_not_of('#');
    if (!fenced && level != line.npos && level > 0 && line[level] == ' ')
      parts.push_back({number, std::string(trim(line.substr(level)))});
    else
      parts.back().lines.push_back(line);
  }
  return parts;
}

/// The paragraph that begins with these words, without them; empty: there is none.
std::string paragraph_after(const Lines& lines, const std::string& words) {
  const auto begin = std::ranges::find_if(lines, [&](const auto& line) { return line.starts_with(words); });
  std::string text;
  for (auto line = begin; line != lines.end() && !trim(*line).empty() && !opens_fence(*line); ++line)
    if (line == begin || !line->starts_with("- "))
      text += (text.empty() ? "" : " ") + *line;
    else
      break;
  return text.empty() ? text : std::string(trim(std::string_view(text).substr(words.size())));
}

/// The lines of the item "- **Predict.** …", as one text, without the words.
std::string item_after(const Lines& lines, const std::string& words) {
  const auto begin = std::ranges::find_if(lines, [&](const auto& line) { return line.starts_with(words); });
  std::string text;
  for (auto line = begin; line != lines.end() && !trim(*line).empty(); ++line)
    if (line == begin || line->starts_with(" "))
      text += (text.empty() ? "" : " ") + std::string(trim(*line));
    else
      break;
  return text.empty() ? text : std::string(trim(std::string_view(text).substr(words.size())));
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
    if (opens_fence(line)) {
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
    if (!page.title.empty() || part.heading.empty()) continue;
    page.title = part.heading;
    page.needs = paragraph_after(part.lines, "You need");
    if (!page.needs.empty()) page.needs = "You need" + (page.needs[0] == ':' ? page.needs : " " + page.needs);
    for (const std::string& line : part.lines) {
      if (page.about.empty() && !trim(line).empty() && !line.starts_with("<!--")) page.about = line;
      if (line.starts_with("- ")) page.goals.push_back(line.substr(2));
    }
  }
  return page;
}

}  // namespace ladder::report
