#include "common/skeleton/handout_skeleton.hpp"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <map>
#include <regex>
#include <set>

#include "common/base/text/text.hpp"
#include "common/skeleton/code_lines.hpp"
#include "common/skeleton/region_marks.hpp"
#include "common/skeleton/skeletonize.hpp"

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

/// Whether a line is more than what is in every program.
bool tells(const std::vector<Token>& line) {
  static const std::set<std::string> words = {
      "alignas",  "auto",   "bool",     "break",  "char",     "const", "constexpr", "continue",
      "double",   "else",   "false",    "float",  "for",      "if",    "int",       "long",
      "nullptr",  "pragma", "return",   "size_t", "sizeof",   "std",   "static",    "struct",
      "template", "true",   "unsigned", "void",   "volatile", "while"};
  std::set<std::string> names;
  std::size_t signs = 0;
  for (const Token& token : line) {
    signs += token.text.size();
    if (const auto c = static_cast<unsigned char>(token.text[0]);
        (std::isalpha(c) || c == '_') && !words.contains(token.text))
      names.insert(token.text);
  }
  const bool loop = !line.empty() && line.front().text == "for";
  return signs >= 20 && names.size() >= (loop ? 5u : 4u);
}

/// A border before each task: what is before it and behind it is not in one piece.
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

std::uint64_t eight_signs(const std::string& text, std::size_t at) {
  std::uint64_t signs = 0;
  std::memcpy(&signs, text.data() + at, sizeof signs);
  return signs;
}

/// Code without blanks, and the line of each of its signs.
struct Squeezed {
  std::string text;
  std::vector<std::size_t> line;
  explicit Squeezed(const std::string& source) {
    const auto lines = lines_of(without_comments(source));
    for (std::size_t i = 0; i < lines.size(); ++i) {
      text += squeezed(lines[i]);
      line.resize(text.size(), i);
    }
  }
};

/// The lines of a skeleton that show a secret, and whose it is.
std::map<std::size_t, std::string> showing_lines(const std::string& skeleton, const Secrets& secrets) {
  const Squeezed code(skeleton);
  std::map<std::size_t, std::string> lines;
  for (const auto& [secret, rung] : secrets)
    for (auto at = code.text.find(secret); at != code.text.npos; at = code.text.find(secret, at + 1))
      for (std::size_t i = code.line[at]; i <= code.line[at + secret.size() - 1]; ++i) lines.emplace(i, rung);
  return lines;
}

/// The rest of a file is not compiled, and the rung's function is not started, until the student says
/// otherwise.
std::string not_compiled_yet(const std::string& text, const std::string& rung) {
  static const std::regex open(R"((^|\n)namespace (\w+) \{\n)"),
      function(R"(\n(\w+ \w+\(const Problem&) \w+\) \{\n)");
  std::smatch begin;
  if (!std::regex_search(text, begin, open))
    throw Error(rung + ":1: no namespace of a lesson: cannot be cut");
  std::string head;  // of the last such function, the rung's own
  for (auto at = std::sregex_iterator(text.begin(), text.end(), function); at != std::sregex_iterator(); ++at)
    head = (*at)[1];
  if (head.empty()) throw Error(rung + ":1: no function of the contract: cannot be cut");
  const auto split = static_cast<std::size_t>(begin.position(2)) - std::string("namespace ").size();
  const std::string name = begin[2];
  return text.substr(0, split) +
         "// Lines of earlier rungs are yours, and cut here. Copy them where the tasks say so, and make the "
         "0 a 1.\n"
         "#if 0\n" +
         text.substr(split) + "\n#else\nnamespace " + name + " {\n" + head +
         ") {\n  ladder::task();\n}\n}  // namespace " + name + "\n#endif\n";
}

/// A call that declares nothing: what comes after it compiles without it.
bool is_call(const std::string& code) {
  static const std::regex call(R"([A-Za-z_:]+\(.*\);)");
  return std::regex_match(code, call);
}

/// Cuts the lines that show a secret of an earlier rung.
void cut_lines(CourseSkeleton& course, const Secrets& secrets, const std::string& name) {
  const auto showing = showing_lines(course.text, secrets);
  if (showing.empty()) return;
  const auto lines = lines_of(course.text), code = lines_of(without_comments(course.text));
  bool compiles = true;
  std::string text;
  for (std::size_t i = 0; i < lines.size();) {
    const auto at = showing.find(i);
    if (at == showing.end()) {
      text += lines[i++] + "\n";
      continue;
    }
    const std::string indent = Parts(lines[i]).indent, rung = at->second;
    int count = 0;
    for (auto next = at; next != showing.end() && next->first == i && next->second == rung;
         ++i, ++next, ++count)
      compiles = compiles && is_call(squeezed(code[i]));
    text += indent + "// TASK, as in " + rung + ": copy yours, " + counted_lines(count) + ".\n";
    course.to_copy += count;
    if (std::find(course.rungs.begin(), course.rungs.end(), rung) == course.rungs.end())
      course.rungs.push_back(rung);
  }
  course.text = compiles ? text : not_compiled_yet(text, name);
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
      regions.push_back({rung, static_cast<int>(i) + 1, 0, {}, {}, {}});
    } else if (line.rest.starts_with(end_mark)) {
      inside = false;
    } else if (inside && line.rest.starts_with(keep_mark)) {
      if (std::string kept = line.kept(); !kept.starts_with("[[maybe_unused]]"))
        regions.back().kept.push_back(std::move(kept));
    } else if (inside) {
      std::vector<Token> tokens;
      if (i < code.size()) add_tokens(code[i], i, tokens);
      for (const Token& token : tokens) regions.back().tokens.push_back(token.text);
      if (tells(tokens)) regions.back().telling.push_back(squeezed(code[i]));
      regions.back().lines += !tokens.empty();
    }
  }
  return regions;
}

std::vector<std::string> telling_lines(const std::string& source) {
  std::vector<std::string> telling;
  for (const std::string& line : lines_of(without_comments(source))) {
    std::vector<Token> tokens;
    add_tokens(line, 0, tokens);
    if (tells(tokens)) telling.push_back(squeezed(line));
  }
  return telling;
}

SecretSearch::SecretSearch(const Secrets& secrets) : secrets_(secrets) {
  for (const auto& secret : secrets_) by_begin_.emplace(eight_signs(secret.first, 0), &secret);
}

const Secrets::value_type* SecretSearch::in(const std::string& text) const {
  if (secrets_.empty()) return nullptr;
  for (std::size_t i = 0; i + 8 <= text.size(); ++i) {
    const auto [begin, end] = by_begin_.equal_range(eight_signs(text, i));
    for (auto at = begin; at != end; ++at)
      if (text.compare(i, at->second->first.size(), at->second->first) == 0) return at->second;
  }
  return nullptr;
}

std::string squeezed(std::string text) {
  std::erase_if(text, [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; });
  return text;
}

bool is_secret(const Region& region) {
  return region.lines > 0;
}

CourseSkeleton course_skeleton(const std::string& solution, const std::string& name,
                               const std::vector<Region>& earlier, const Secrets& secrets) {
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
  cut_lines(course, secrets, name);
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
  return squeezed(without_comments(source));
}

std::string without_blanks(const Region& region) {
  std::string text;
  for (const std::string& token : region.tokens) text += token;
  return text;
}

}  // namespace ladder::cut
