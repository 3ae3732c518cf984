#include "common/tool/exam/code_mutations.hpp"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <regex>

#include "common/base/text/text.hpp"
#include "common/skeleton/code_lines.hpp"

namespace ladder {
namespace {

/// What a line is; each rule is for lines of one kind.
enum class Line { statement, declaration, loop };

/// One kind of edit: what it looks for in a line of code, and what it makes of it.
struct Rule {
  const char* kind;
  std::regex finds;
  const char* puts;   ///< as std::regex_replace reads it
  const char* asked;  ///< with {} for the line
  Line of = Line::statement;
};

const std::vector<Rule>& rules() {
  static const auto regex = [](const char* text) { return std::regex(text); };
  static const std::vector<Rule> all = {
      {"barrier", regex(R"(\b(?:__syncthreads|__syncwarp)\(\s*\w*\s*\);)"), ";",
       "The barrier in line {} is removed."},
      {"indices", regex(R"(\b(\w+)\[([^\[\]]+)\]\[([^\[\]]+)\])"), "$1[$3][$2]",
       "In line {} the two indices of an array are exchanged."},
      {"indices", regex(R"(\bthreadIdx\.x\b([^;]*)\bthreadIdx\.y\b)"), "threadIdx.y$1threadIdx.x",
       "In line {} threadIdx.x and threadIdx.y are exchanged."},
      {"indices", regex(R"(\bthreadIdx\.y\b([^;]*)\bthreadIdx\.x\b)"), "threadIdx.x$1threadIdx.y",
       "In line {} threadIdx.x and threadIdx.y are exchanged."},
      {"indices", regex(R"(\bblockIdx\.x \* ([\w.]+) \+ threadIdx\.x\b(?! [%/]))"),
       "threadIdx.x * $1 + blockIdx.x", "In line {} blockIdx.x and threadIdx.x are exchanged."},
      {"indices", regex(R"(\bthreadIdx\.x % (\w+))"), "threadIdx.x / $1",
       "In line {} there is / instead of %."},
      {"padding", regex(R"(\[(\w+)\s*\+\s*1\])"), "[$1]", "In line {} the padding is dropped.",
       Line::declaration},
      {"guard", regex(R"((\bif\s*\([^;?]*?|=\s[^;=?]*?)\s>=\s([\w.]+))"), "$1 > $2",
       "The guard in line {} is moved by one: > instead of >=."},
      {"guard", regex(R"((\bif\s*\([^;?<]*?|=\s[^;=<?]*?)\s<\s([\w.]+))"), "$1 <= $2",
       "The guard in line {} is moved by one: <= instead of <."},
      {"guard", regex(R"((\bif\s*\([^;?>]*?)\s>\s([\w.]+))"), "$1 >= $2",
       "The guard in line {} is moved by one: >= instead of >."},
      {"guard", regex(R"((\bif\s*\([^;?]*?)\s==\s([\w.]+))"), "$1 != $2",
       "The condition in line {} is the opposite: != instead of ==."},
      {"block", regex(R"((\bdim3\s+\w+\()32, 32\))"), "$0116, 16)",
       "In line {} blocks are 16 x 16 instead of 32 x 32."},
      {"blocks", regex(R"(\(([\w.]+) \+ ([\w.]+) - 1\) / \2)"), "$1 / $2",
       "In line {} the number of blocks is rounded down."},
      {"loop", regex(R"((;[^;<>]*)\s>\s0;)"), "$1 > 1;",
       "The loop in line {} ends one round earlier: > 1 instead of > 0.", Line::loop},
      {"loop", regex(R"((;[^;<>]*)\s<\s([^;]+;))"), "$1 <= $2",
       "The loop in line {} has one round more: <= instead of <.", Line::loop},
  };
  return all;
}

Line kind_of(const std::string& code) {
  if (code.find("__shared__") != std::string::npos) return Line::declaration;
  return trim(code).starts_with("for") ? Line::loop : Line::statement;
}

/// A line with the rule applied at its first place; the same line where it has none.
std::string applied(const Rule& rule, const std::string& line) {
  std::smatch found;
  if (!std::regex_search(line, found, rule.finds)) return line;
  if (found.size() > 3 && found[2] == found[3]) return line;
  return std::regex_replace(line, rule.finds, rule.puts, std::regex_constants::format_first_only);
}

/// The source with some of its lines in another form.
std::string with_lines(const std::vector<std::string>& whole,
                       const std::map<std::size_t, std::string>& other) {
  std::string text;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    const std::string& line = other.contains(i) ? other.at(i) : whole[i];
    text += line.substr(0, line.find_last_not_of(" \t") + 1) + "\n";
  }
  return text;
}

/// threadIdx.x and threadIdx.y exchanged where one line has the one and the next line the other.
std::optional<CodeMutation> exchanged_lanes(const std::vector<std::string>& code,
                                            const std::vector<std::string>& whole, std::size_t i) {
  if (i + 1 >= code.size()) return {};
  const auto has = [&](std::size_t line, const char* word) {
    return code[line].find(word) != std::string::npos;
  };
  const std::string x = "threadIdx.x", y = "threadIdx.y";
  const bool first_x = has(i, "threadIdx.x") && !has(i, "threadIdx.y"),
             first_y = has(i, "threadIdx.y") && !has(i, "threadIdx.x");
  const bool second_x = has(i + 1, "threadIdx.x") && !has(i + 1, "threadIdx.y"),
             second_y = has(i + 1, "threadIdx.y") && !has(i + 1, "threadIdx.x");
  if (!(first_x && second_y) && !(first_y && second_x)) return {};
  std::string first = code[i], second = code[i + 1];
  replace_all(first, first_x ? x : y, first_x ? y : x);
  replace_all(second, first_x ? y : x, first_x ? x : y);
  CodeMutation edit{.kind = "indices", .line = static_cast<int>(i) + 1};
  edit.was = fmt::format("{} {}", trim(code[i]), trim(code[i + 1]));
  edit.is = fmt::format("{} {}", trim(first), trim(second));
  edit.asked = fmt::format("In lines {} and {} threadIdx.x and threadIdx.y are exchanged.", i + 1, i + 2);
  edit.text = with_lines(whole, {{i, first}, {i + 1, second}});
  return edit;
}

/// A constant that is half as large: 16 for 32. Nothing for one that is small, or no power of two.
std::optional<CodeMutation> halved(const std::string& code, const std::vector<std::string>& whole,
                                   std::size_t i) {
  static const std::regex form(R"(\bconstexpr\s+(?:unsigned|int|std::size_t)\s+\w+\s*=\s*(\d{2,5});)");
  std::smatch found;
  if (!std::regex_search(code, found, form)) return {};
  const int size = std::stoi(found[1]);
  if (size < 16 || (size & (size - 1)) != 0) return {};
  const auto at = static_cast<std::size_t>(found.position(1));
  const std::string line = code.substr(0, at) + std::to_string(size / 2) + code.substr(at + found.length(1));
  CodeMutation edit{.kind = "block", .line = static_cast<int>(i) + 1};
  edit.was = trim(code), edit.is = trim(line);
  edit.asked = fmt::format("In line {} the size is {} instead of {}.", i + 1, size / 2, size);
  edit.text = with_lines(whole, {{i, line}});
  return edit;
}

}  // namespace

std::vector<CodeMutation> code_mutations(const std::string& source) {
  const auto code = lines_of(cut::without_comments(source)), whole = lines_of(source);
  std::vector<CodeMutation> edits;
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (auto edit = exchanged_lanes(code, whole, i)) edits.push_back(std::move(*edit));
    if (auto edit = halved(code[i], whole, i)) edits.push_back(std::move(*edit));
    std::string last;  // one edit of a kind for a line
    for (const Rule& rule : rules()) {
      if (rule.of != kind_of(code[i]) || last == rule.kind) continue;
      const std::string line = applied(rule, code[i]);
      if (line == code[i]) continue;
      CodeMutation edit{.kind = last = rule.kind, .line = static_cast<int>(i) + 1};
      edit.was = trim(code[i]), edit.is = trim(line);
      edit.asked = fmt::format(fmt::runtime(rule.asked), edit.line);
      edit.text = with_lines(whole, {{i, line}});
      edits.push_back(std::move(edit));
    }
  }
  return edits;
}

}  // namespace ladder
