#include "common/sitegen/site/glossary_sections.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "common/base/text/text.hpp"
#include "common/sitegen/site_text.hpp"

namespace ladder::report {
namespace {

constexpr std::string_view head_of_words = "| word | meaning |";

/// The drawing of a rung that shows what a word means.
struct WordPicture {
  std::string_view word, lesson, drawing;  ///< "sector", "00", "g3-sectors"
};

constexpr WordPicture pictures[] = {
    {"grid, block, thread", "00", "g1-threads"},
    {"sector", "00", "g3-sectors"},
    {"coalesced", "00", "g3-sectors"},
    {"bank", "00", "g4-banks"},
    {"reduction", "00", "g5-tree"},
    {"shuffle", "00", "g6-shuffles"},
    {"scan", "00", "g8-scan"},
    {"compaction", "00", "g9-warps"},
    {"divergence", "00", "g9-warps"},
    {"packing, panel", "02", "t1-pivots"},
    {"shared memory", "03", "g2-tiles"},
    {"register blocking", "03", "g3-registers"},
    {"double buffering", "03", "g5-buffers"},
    {"asynchronous copy", "03", "g5-buffers"},
    {"overlap", "03", "g7-timeline"},
    {"tensor core", "03", "t1-fragments"},
    {"stage", "03", "t2-stages"},
    {"swizzle", "03", "t3-banks"},
    {"stream, event", "04", "g3-streams"},
    {"pageable, pinned memory", "04", "g4-timeline"},
    {"privatisation", "05", "g2-counts"},
    {"atomic operation", "05", "g2-counts"},
    {"tail effect", "05", "g5-places"},
    {"sweep", "06", "g2-sectors"},
    {"butterfly, radix", "06", "g6-butterflies"},
    {"look-back", "07", "g2-look-back"},
};

bool is_letter(char c) {
  const auto letter = static_cast<unsigned char>(c);
  return std::isalnum(letter) || c == '_' || letter >= 0x80;  // a letter outside ASCII has such bytes
}

std::string in_small_letters(std::string_view text) {
  std::string small(text);
  for (char& c : small) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return small;
}

/// What people read of a section: without code, in blocks and between ` and `.
std::string without_code(const std::string& markdown) {
  std::string text;
  bool fenced = false;
  for (const std::string& line : lines_of(markdown)) {
    if (is_code_fence(line)) fenced = !fenced;
    if (fenced || line.starts_with("    ")) continue;
    bool code = false;
    for (const char c : line)
      if (c == '`')
        code = !code;
      else if (!code)
        text += c;
    text += ' ';
  }
  return text;
}

/// @param text  without code, in small letters
bool has_word(const std::string& text, const std::string& spelling) {
  const std::string small = in_small_letters(spelling);
  for (auto at = text.find(small); at != text.npos; at = text.find(small, at + 1)) {
    if (at > 0 && is_letter(text[at - 1])) continue;
    auto end = at + small.size();
    for (const std::string_view plural : {"es", "s"})
      if (text.compare(end, plural.size(), plural) == 0) {
        end += plural.size();
        break;
      }
    if (end >= text.size() || !is_letter(text[end])) return true;
  }
  return false;
}

/// The text of a rung, prepared once for all words.
struct SearchedRung {
  const RungText* rung;
  std::string text;
};

/// "Used in 00: g3, g4 · 03: g1", with links; of a word that is everywhere the first rungs, and how many
/// follow; empty: no rung uses it.
std::string users_of(const std::string& word, const std::vector<SearchedRung>& rungs) {
  constexpr std::size_t all = 16, some = 5;
  const std::vector<std::string> spellings = spellings_of(word);
  std::vector<const RungText*> users;
  for (const SearchedRung& one : rungs)
    if (std::ranges::any_of(spellings, [&](const std::string& s) { return has_word(one.text, s); }))
      users.push_back(one.rung);
  const std::size_t shown = users.size() > all ? some : users.size();
  std::string line, lesson;
  for (std::size_t i = 0; i < shown; ++i) {
    const RungText* rung = users[i];
    if (rung->lesson == lesson)
      line += ", ";
    else
      line += fmt::format("{}{}: ", line.empty() ? "Used in " : " · ", rung->lesson);
    lesson = rung->lesson;
    line += fmt::format("[{}](@ref {})", rung->id, rung->page);
  }
  if (shown < users.size()) line += fmt::format(", and in {} more rungs", users.size() - shown);
  return line;
}

/// The line of a rung's text that shows the picture of a word; empty: it has none.
std::string picture_of(const std::string& word, const std::vector<RungText>& rungs) {
  for (const WordPicture& picture : pictures) {
    if (word != picture.word) continue;
    const std::string file = fmt::format("draw-{}.svg)", picture.drawing);
    for (const RungText& rung : rungs)
      if (rung.lesson == picture.lesson)
        for (const std::string& line : lines_of(rung.text))
          if (line.starts_with("![") && line.find(file) != line.npos) return line;
  }
  return "";
}

/// Makes names of sections, each of them once.
class SectionNames {
 public:
  std::string name(const std::string& word) {
    std::string name = "docs_glossary__word_" + heading_slug(word);
    std::ranges::replace_if(
        name, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
    while (!seen_.insert(name).second) name += '_';
    return name;
  }

 private:
  std::set<std::string> seen_{};
};

}  // namespace

std::vector<std::string> spellings_of(const std::string& word) {
  std::vector<std::string> all;
  const auto add = [&](std::string_view text) {
    if (!trim(text).empty()) all.emplace_back(trim(text));
  };
  const auto open = word.find('('), close = word.find(')');
  // In parentheses: a short form, "SM", or what tells two meanings apart, which is no spelling.
  if (open < close && close != word.npos) {
    const std::string inside = word.substr(open + 1, close - open - 1);
    if (inside.find(' ') == inside.npos) add(inside);
  }
  const std::string outside = word.substr(0, open);
  for (std::size_t from = 0; from <= outside.size();) {
    const auto end = std::min(outside.find(", ", from), outside.size());
    add(std::string_view(outside).substr(from, end - from));
    from = end + 2;
  }
  return all;
}

bool uses_word(const std::string& markdown, const std::string& spelling) {
  return has_word(in_small_letters(without_code(markdown)), spelling);
}

std::string glossary_sections(const std::string& text, const std::vector<RungText>& rungs) {
  std::vector<SearchedRung> searched;
  for (const RungText& rung : rungs) searched.push_back({&rung, in_small_letters(without_code(rung.text))});
  SectionNames names;
  std::string out;
  bool words = false;
  for (const std::string& line : lines_of(text)) {
    if (line == head_of_words) {
      words = true;
    } else if (!words || !line.starts_with("| ")) {
      if (words && line.starts_with("|--")) continue;
      words = false;
      out += line + "\n";
    } else {
      const auto border = line.find(" | ");
      const std::string word = line.substr(2, border - 2);
      const std::string_view rest = trim(std::string_view(line).substr(border + 3));
      out += fmt::format("### {} {{#{}}}\n\n{}\n\n", word, names.name(word),
                         trim(rest.substr(0, rest.rfind('|'))));
      if (const std::string picture = picture_of(word, rungs); !picture.empty()) out += picture + "\n\n";
      if (const std::string users = users_of(word, searched); !users.empty()) out += users + ".\n\n";
    }
  }
  return out;
}

}  // namespace ladder::report
