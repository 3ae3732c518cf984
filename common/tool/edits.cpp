#include "common/tool/edits.hpp"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <regex>

#include "common/base/text.hpp"
#include "common/tool/code_lines.hpp"

namespace ladder {
namespace {

/// One kind of edit: what it looks for in a line of code, and what it makes of it.
struct Rule {
  const char* kind;
  std::regex finds;
  std::string puts;           ///< as std::regex_replace reads it
  const char* asked;          ///< with {} for the line
  bool declarations = false;  ///< also in a declaration of shared memory, and only there
};

const std::vector<Rule>& rules() {
  static const std::string bound =
      R"((m|n|k|rows|columns|cols|width|height|elements|end|size|count|\w+\.(?:m|n|k|rows|columns)))";
  static const std::vector<Rule> all = {
      {"barrier", std::regex(R"(\b(?:__syncthreads|__syncwarp)\(\s*\w*\s*\);)"), ";",
       "The barrier in line {} is removed."},
      {"indices", std::regex(R"(\b(\w+)\[([^\[\]]+)\]\[([^\[\]]+)\])"), "$1[$3][$2]",
       "In line {} the two indices of an array are exchanged."},
      {"indices", std::regex(R"(\bthreadIdx\.x\b([^;]*)\bthreadIdx\.y\b)"), "threadIdx.y$1threadIdx.x",
       "In line {} threadIdx.x and threadIdx.y are exchanged."},
      {"indices", std::regex(R"(\bthreadIdx\.y\b([^;]*)\bthreadIdx\.x\b)"), "threadIdx.x$1threadIdx.y",
       "In line {} threadIdx.x and threadIdx.y are exchanged."},
      {"padding", std::regex(R"(\[(\w+)\s*\+\s*1\])"), "[$1]", "In line {} the padding is dropped.", true},
      {"guard", std::regex(R"((\bif\s*\([^;?]*?|\?[^;]*|=[^;=]*?)\s>=\s)" + bound + R"(\b)"), "$1 > $2",
       "The guard in line {} is moved by one: > in place of >=."},
      {"guard", std::regex(R"((\bif\s*\([^;?<]*?|=\s*[^;=<?]*?)\s<\s)" + bound + R"(\b)"), "$1 <= $2",
       "The guard in line {} is moved by one: <= in place of <."},
      {"block", std::regex(R"(\b(constexpr\s+(?:unsigned|int|std::size_t)\s+\w+\s*=\s*)32;)"), "$0116;",
       "In line {} the size is 16 in place of 32."},
      {"block", std::regex(R"((\bdim3\s+\w+\()32, 32\))"), "$0116, 16)",
       "In line {} blocks are 16 x 16 in place of 32 x 32."},
  };
  return all;
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
  for (std::size_t i = 0; i < whole.size(); ++i) text += (other.contains(i) ? other.at(i) : whole[i]) + "\n";
  return text;
}

/// threadIdx.x and threadIdx.y exchanged where one line has the one and the next line the other.
std::optional<SmallEdit> exchanged_lanes(const std::vector<std::string>& code,
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
  SmallEdit edit{.kind = "indices", .line = static_cast<int>(i) + 1};
  edit.was = fmt::format("{} {}", trim(code[i]), trim(code[i + 1]));
  edit.is = fmt::format("{} {}", trim(first), trim(second));
  edit.asked = fmt::format("In lines {} and {} threadIdx.x and threadIdx.y are exchanged.", i + 1, i + 2);
  edit.text = with_lines(whole, {{i, first}, {i + 1, second}});
  return edit;
}

}  // namespace

std::vector<SmallEdit> small_edits(const std::string& source) {
  const auto code = lines_of(cut::without_comments(source)), whole = lines_of(source);
  std::vector<SmallEdit> edits;
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (auto edit = exchanged_lanes(code, whole, i)) edits.push_back(std::move(*edit));
    const bool declaration = code[i].find("__shared__") != std::string::npos;
    std::string last;  // one edit of a kind for a line
    for (const Rule& rule : rules()) {
      if (trim(code[i]).starts_with("for") || declaration != rule.declarations || last == rule.kind) continue;
      const std::string line = applied(rule, code[i]);
      if (line == code[i]) continue;
      SmallEdit edit{.kind = last = rule.kind, .line = static_cast<int>(i) + 1};
      edit.was = trim(code[i]), edit.is = trim(line);
      edit.asked = fmt::format(fmt::runtime(rule.asked), edit.line);
      edit.text = with_lines(whole, {{i, line}});
      edits.push_back(std::move(edit));
    }
  }
  return edits;
}

}  // namespace ladder
