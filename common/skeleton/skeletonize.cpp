#include "common/skeleton/skeletonize.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <regex>
#include <string_view>

#include "common/base/text/text.hpp"
#include "common/skeleton/region_marks.hpp"
#include "common/skeleton/wrap.hpp"

namespace ladder::cut {
namespace {

constexpr std::string_view unused_mark = "[[maybe_unused]] ";

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

[[noreturn]] void fail(const std::string& file, std::size_t line, const std::string& why) {
  throw Error(file + ":" + std::to_string(line) + ": " + why);
}

/// How much a student writes, as the task says it; nothing where a call of task() is only deleted.
std::string lines_text(int lines) {
  return lines == 0 ? "" : lines == 1 ? ", 1 line:" : ", " + std::to_string(lines) + " lines:";
}

/// `//| [[maybe_unused]] n, t;` names what the skeleton declares and does not use yet.
std::vector<std::string> unused_names(const std::string& kept) {
  static const std::regex all(R"(\[\[maybe_unused\]\] \w+(, \w+)*; *)"), one(R"(\w+)");
  std::vector<std::string> names;
  if (std::regex_match(kept, all))
    for (auto at = std::sregex_iterator(kept.begin(), kept.end(), one); at != std::sregex_iterator(); ++at)
      if (at->str() != "maybe_unused") names.push_back(at->str());
  return names;
}

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// Where a declaration begins whose name is at a place: after the opening bracket or comma of a
/// parameter, or where its statement begins.
std::size_t begin_of_declaration(const std::string& text, std::size_t name) {
  int depth = 0;
  std::size_t at = name, comma = 0;
  while (at > 0) {
    const char c = text[at - 1];
    if (depth == 0 && (c == ';' || c == '{' || c == '}')) break;
    if (depth == 0 && c == ',' && comma == 0) comma = at;
    if (c == ')' || c == ']' || c == '>') ++depth;
    if (c == '(' || c == '[' || c == '<') --depth;
    if (depth < 0) break;
    --at;
  }
  if (depth < 0 && comma > 0) at = comma;
  return std::min(text.find_first_not_of(" \n", at), name);
}

/// Marks the declaration of a name in the function whose lines end here. @return whether there is one
bool mark_unused(std::vector<std::string>& lines, const std::string& name) {
  std::size_t first = lines.size();
  while (first > 0 && (lines[first - 1].empty() ||
                       std::string_view(" }/#").find(lines[first - 1][0]) != std::string_view::npos))
    --first;
  first -= first > 0;
  std::string text, code;  // the same places in both
  for (std::size_t i = first; i < lines.size(); ++i) {
    text += lines[i] + "\n";
    const std::size_t comment = std::min(lines[i].find("//"), lines[i].size());
    code += lines[i].substr(0, comment) + std::string(lines[i].size() - comment, ' ') + "\n";
  }
  for (std::size_t at = code.find(name); at != code.npos; at = code.find(name, at + 1)) {
    const std::size_t next = code.find_first_not_of(" \n", at + name.size());
    const std::size_t before = at == 0 ? code.npos : code.find_last_not_of(" \n", at - 1);
    if (before == code.npos || next == code.npos || is_word(code[at - 1]) || is_word(code[at + name.size()]))
      continue;
    const bool declares =
        (is_word(code[before]) || std::string_view("*&>").find(code[before]) != std::string_view::npos) &&
        std::string_view(",);=[{").find(code[next]) != std::string_view::npos;
    if (!declares) continue;
    const std::size_t begin = begin_of_declaration(code, at);
    if (begin == at) continue;  // no type
    if (code.compare(begin, 2, "[[") == 0) return true;
    text.insert(begin, unused_mark);
    lines.resize(first);
    for (std::string& line : lines_of(text)) lines.push_back(std::move(line));
    return true;
  }
  return false;
}

/// Declarations that unused_mark makes too long are on several lines.
std::vector<std::string> with_wrapped_declarations(const std::vector<std::string>& lines) {
  std::vector<std::string> result;
  for (const std::string& line : lines)
    if (line.find(unused_mark) == line.npos)
      result.push_back(line);
    else
      for (std::string& part : wrapped(line)) result.push_back(std::move(part));
  return result;
}

std::string without_blanks_at_end(std::string line) {
  line.erase(line.find_last_not_of(" \t\r") + 1);
  return line;
}

/// Where the lines `part` are in `whole`.
std::vector<std::size_t> places(const std::vector<std::string>& whole, const std::vector<std::string>& part) {
  std::vector<std::size_t> found;
  const auto same = [](const std::string& a, const std::string& b) {
    return without_blanks_at_end(a) == without_blanks_at_end(b);
  };
  for (auto at = whole.begin(); !part.empty();) {
    at = std::search(at, whole.end(), part.begin(), part.end(), same);
    if (at == whole.end()) break;
    found.push_back(static_cast<std::size_t>(at - whole.begin()));
    ++at;
  }
  return found;
}

/// Whether a verdict is one that a mistake may get.
bool is_wrong(std::string_view verdict) {
  constexpr std::array<std::string_view, 7> verdicts = {"WRONG",       "MISSED", "CRASHED", "TIMEOUT",
                                                        "BUILD ERROR", "REVIEW", "REJECTED"};
  return std::find(verdicts.begin(), verdicts.end(), verdict) != verdicts.end();
}

}  // namespace

std::string skeleton(const std::string& solution, const std::string& name) {
  std::vector<std::string> out;
  std::size_t at = 0;      // where the region's task is in out
  int to_write = 0;        // lines of code in the region
  std::size_t open = 0;    // line of the BEGIN whose region we are in; 0: outside
  bool task_text = false;  // still in the comment that continues the task
  std::size_t number = 0;
  for (const std::string& line : lines_of(solution)) {
    ++number;
    const Parts parts(line);
    if (parts.rest.starts_with(begin_mark)) {
      if (open)
        fail(name, number, "BEGIN SOLUTION inside the region that begins in line " + std::to_string(open));
      open = number;
      task_text = true;
      const std::string task = parts.rest.substr(begin_mark.size());
      if (task.find_first_not_of(" \t\r") == std::string::npos)
        fail(name, number, "BEGIN SOLUTION without a task");
      at = out.size();
      to_write = 0;
      out.push_back(parts.indent + std::string(task_mark) + task);
    } else if (parts.rest.starts_with(end_mark)) {
      if (!open) fail(name, number, "END SOLUTION without BEGIN SOLUTION");
      open = 0;
      out[at].insert(out[at].find(task_mark) + task_mark.size(), lines_text(to_write));
    } else if (parts.rest.starts_with(keep_mark)) {
      if (!open) fail(name, number, "a //| line outside BEGIN SOLUTION … END SOLUTION");
      task_text = false;
      const std::string kept = parts.kept();
      if (const auto names = unused_names(kept); !names.empty()) {
        for (const std::string& unused : names)
          if (!mark_unused(out, unused)) fail(name, number, "no declaration of '" + unused + "' is above");
        continue;
      }
      out.push_back(kept.empty() ? kept : parts.indent + kept);
    } else if (!open) {
      out.push_back(line);
    } else if (task_text && parts.rest.starts_with("//  ")) {
      out.push_back(line);
    } else {
      task_text = false;
      to_write += parts.rest.empty() || parts.rest.starts_with("//") ? 0 : 1;
    }
  }
  if (open) fail(name, open, "BEGIN SOLUTION without END SOLUTION");
  return joined(with_wrapped_declarations(out));
}

bool has_regions(const std::string& solution) {
  return solution.find(begin_mark) != std::string::npos;
}

std::vector<Mutant> read_mutants(const std::string& text, const std::string& name) {
  std::vector<Mutant> mutants;
  enum class In { header, find, put } in = In::header;
  std::size_t number = 0;
  for (const std::string& line : lines_of(text)) {
    ++number;
    if (in != In::header) {
      Edit& edit = mutants.back().edits.back();
      const std::string word = without_blanks_at_end(line);
      if (in == In::find && word == "put") {
        if (edit.find.empty()) fail(name, number, "nothing to find before put");
        in = In::put;
      } else if (in == In::put && word == "end") {
        in = In::header;
      } else {
        (in == In::find ? edit.find : edit.put).push_back(line);
      }
      continue;
    }
    const std::string clean = without_blanks_at_end(line);
    if (clean.empty() || clean.front() == '#') continue;
    const std::string key = clean.substr(0, clean.find(' '));
    const std::string value = key.size() < clean.size() ? clean.substr(key.size() + 1) : "";
    if (key == "mutant") {
      if (value.empty() ||
          value.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-_") != std::string::npos)
        fail(name, number, "a mutant's name has letters a-z, digits, - and _ only: '" + value + "'");
      for (const Mutant& m : mutants)
        if (m.name == value)
          fail(name, number, "mutant " + value + " is twice, first in line " + std::to_string(m.line));
      mutants.push_back({value, "", "", {}, "", static_cast<int>(number), {}});
      continue;
    }
    if (mutants.empty()) fail(name, number, "'" + key + "' before the first mutant");
    Mutant& mutant = mutants.back();
    if (key == "verdict") {
      const std::size_t end = value.find(" or "), other = end == value.npos ? value.size() : end + 4;
      mutant.verdict = value.substr(0, end);
      mutant.other_verdict = value.substr(other);
      const bool right = value == "PASS" && name.ends_with(".variants");
      if (!right && !is_wrong(mutant.verdict)) fail(name, number, "no verdict of a mutant: '" + value + "'");
      if (other < value.size() && (!is_wrong(mutant.other_verdict) || mutant.other_verdict == mutant.verdict))
        fail(name, number, "no other verdict of a mutant: '" + value + "'");
    } else if (key == "words" && !value.empty()) {
      mutant.words.push_back(value);
    } else if (key == "device" && !value.empty()) {
      mutant.device = value;
    } else if (key == "find" && value.empty()) {
      mutant.edits.push_back({static_cast<int>(number), {}, {}});
      in = In::find;
    } else {
      fail(name, number, "expected mutant, verdict, words, device or find, got '" + clean + "'");
    }
  }
  if (in != In::header)
    fail(name, static_cast<std::size_t>(mutants.back().edits.back().line), "find without put and end");
  for (const Mutant& m : mutants) {
    if (m.verdict.empty())
      fail(name, static_cast<std::size_t>(m.line), "mutant " + m.name + " has no verdict");
    if (m.edits.empty()) fail(name, static_cast<std::size_t>(m.line), "mutant " + m.name + " has no edit");
  }
  return mutants;
}

std::string mutate(const std::string& solution, const Mutant& mutant, const std::string& mutants_name) {
  std::vector<std::string> lines = lines_of(solution);
  for (const Edit& edit : mutant.edits) {
    const auto found = places(lines, edit.find);
    const auto line = static_cast<std::size_t>(edit.line);
    if (found.empty())
      fail(
          mutants_name, line,
          "mutant " + mutant.name + ": the lines to find are not in the solution (whole lines are compared)");
    if (found.size() > 1)
      fail(mutants_name, line,
           "mutant " + mutant.name + ": the lines to find are at " + std::to_string(found.size()) +
               " places, the first two are lines " + std::to_string(found[0] + 1) + " and " +
               std::to_string(found[1] + 1));
    const auto at = lines.begin() + static_cast<std::ptrdiff_t>(found[0]);
    const auto next = lines.erase(at, at + static_cast<std::ptrdiff_t>(edit.find.size()));
    lines.insert(next, edit.put.begin(), edit.put.end());
  }
  return joined(lines);
}

}  // namespace ladder::cut
