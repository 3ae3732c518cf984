#include "common/tool/course.hpp"

#include <algorithm>
#include <cctype>
#include <regex>

#include "common/base/text.hpp"
#include "common/tool/code_lines.hpp"
#include "common/tool/cut.hpp"
#include "common/tool/region_marks.hpp"

namespace ladder::cut {
namespace {

/// A word or a sign of a source, and the line where it stands. An empty one is the border of a region.
struct Token {
  std::string text;
  std::size_t line = 0;
};

void add_tokens(const std::string& code, std::size_t line, std::vector<Token>& tokens) {
  const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  for (std::size_t at = 0; at < code.size();) {
    std::size_t end = at + 1;
    if (is_word(code[at]))
      while (end < code.size() && is_word(code[end])) ++end;
    if (!std::isspace(static_cast<unsigned char>(code[at])))
      tokens.push_back({code.substr(at, end - at), line});
    at = end;
  }
}

/// A border before each task: what stands before it and behind it is not in one piece.
std::vector<Token> tokens_of(const std::string& skeleton) {
  const auto lines = lines_of(skeleton), code = lines_of(without_comments(skeleton));
  std::vector<Token> tokens;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (Parts(lines[i]).rest.starts_with(task_mark)) tokens.push_back({"", i});
    if (i < code.size()) add_tokens(code[i], i, tokens);
  }
  return tokens;
}

/// Lines of a skeleton that are a region of an earlier rung.
struct Copy {
  std::size_t first, last;
  const Region* region;
};

/// Whether a token begins its line, or ends it.
bool whole_lines(const std::vector<Token>& tokens, std::size_t first, std::size_t last) {
  return (first == 0 || tokens[first - 1].line != tokens[first].line) &&
         (last + 1 == tokens.size() || tokens[last + 1].line != tokens[last].line);
}

/// The longest ones first, so that a part of a region does not hide the whole.
std::vector<Copy> copies_in(const std::string& skeleton, const std::vector<Region>& earlier) {
  const auto tokens = tokens_of(skeleton);
  std::vector<const Region*> wanted;
  for (const Region& region : earlier)
    if (is_secret(region)) wanted.push_back(&region);
  std::stable_sort(wanted.begin(), wanted.end(),
                   [](const Region* a, const Region* b) { return a->tokens.size() > b->tokens.size(); });
  std::vector<Copy> copies;
  for (const Region* region : wanted)
    for (auto at = tokens.begin();; ++at) {
      at = std::search(at, tokens.end(), region->tokens.begin(), region->tokens.end(),
                       [](const Token& token, const std::string& text) { return token.text == text; });
      if (at == tokens.end()) break;
      const auto first = static_cast<std::size_t>(at - tokens.begin()),
                 last = first + region->tokens.size() - 1;
      const bool free = std::none_of(copies.begin(), copies.end(), [&](const Copy& c) {
        return tokens[first].line <= c.last && c.first <= tokens[last].line;
      });
      if (free && whole_lines(tokens, first, last))
        copies.push_back({tokens[first].line, tokens[last].line, region});
    }
  std::sort(copies.begin(), copies.end(), [](const Copy& a, const Copy& b) { return a.first < b.first; });
  return copies;
}

std::string counted_lines(int lines) {
  return std::to_string(lines) + (lines == 1 ? " line" : " lines");
}

}  // namespace

std::vector<Region> regions_of(const std::string& solution, const std::string& name,
                               const std::string& rung) {
  static_cast<void>(skeleton(solution, name));  // its marks are right
  const auto lines = lines_of(solution), code = lines_of(without_comments(solution));
  std::vector<Region> regions;
  bool inside = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Parts line(lines[i]);
    if (line.rest.starts_with(begin_mark)) {
      inside = true;
      regions.push_back({rung, static_cast<int>(i) + 1, 0, {}, {}});
    } else if (line.rest.starts_with(end_mark)) {
      inside = false;
    } else if (inside && line.rest.starts_with(keep_mark)) {
      if (std::string kept = line.kept(); !kept.starts_with("[[maybe_unused]]"))
        regions.back().kept.push_back(std::move(kept));
    } else if (inside) {
      std::vector<Token> tokens;
      if (i < code.size()) add_tokens(code[i], i, tokens);
      for (const Token& token : tokens) regions.back().tokens.push_back(token.text);
      regions.back().lines += !tokens.empty();
    }
  }
  return regions;
}

bool is_secret(const Region& region) {
  return region.lines > 0;
}

CourseSkeleton course_skeleton(const std::string& solution, const std::string& name,
                               const std::vector<Region>& earlier) {
  const std::string usual = skeleton(solution, name);
  const auto lines = lines_of(usual);
  CourseSkeleton course;
  std::size_t next = 0;
  for (const Copy& copy : copies_in(usual, earlier)) {
    for (; next < copy.first; ++next) course.text += lines[next] + "\n";
    const std::string indent = Parts(lines[copy.first]).indent;
    course.text += indent + "// TASK, as in " + copy.region->rung + ": copy yours, " +
                   counted_lines(copy.region->lines) + ".\n";
    for (const std::string& kept : copy.region->kept)
      course.text += (kept.empty() ? "" : indent + kept) + "\n";
    next = copy.last + 1;
    course.to_copy += copy.region->lines;
    if (std::find(course.rungs.begin(), course.rungs.end(), copy.region->rung) == course.rungs.end())
      course.rungs.push_back(copy.region->rung);
  }
  for (; next < lines.size(); ++next) course.text += lines[next] + "\n";
  course.to_write = task_lines(course.text).to_write;
  return course;
}

TaskLines task_lines(const std::string& skeleton) {
  static const std::regex task(R"(// TASK, (as in [a-z]\d+: copy yours, )?(\d+) lines?[:.])");
  TaskLines lines;
  for (auto at = std::sregex_iterator(skeleton.begin(), skeleton.end(), task); at != std::sregex_iterator();
       ++at)
    ((*at)[1].matched ? lines.to_copy : lines.to_write) += std::stoi((*at)[2]);
  return lines;
}

std::string without_blanks(const std::string& source) {
  std::string text = without_comments(source);
  std::erase_if(text, [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; });
  return text;
}

std::string without_blanks(const Region& region) {
  std::string text;
  for (const std::string& token : region.tokens) text += token;
  return text;
}

}  // namespace ladder::cut
