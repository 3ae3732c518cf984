#include "common/tool/compiler_output.hpp"

#include <algorithm>
#include <cstdio>
#include <sstream>
#include <string_view>

namespace ladder {
namespace fs = std::filesystem;
namespace {

/// A message and the place it is about.
struct Located {
  std::string file, line, text;
};

/// Takes ":12" off the end of a text. @return whether there was one
bool take_number(std::string_view& text, std::string& number) {
  const auto colon = text.rfind(':');
  if (colon == std::string_view::npos || colon + 1 == text.size()) return false;
  const std::string_view digits = text.substr(colon + 1);
  if (digits.find_first_not_of("0123456789") != std::string_view::npos) return false;
  number = digits;
  text.remove_suffix(digits.size() + 1);
  return true;
}

/// g++ and clang: "file:line:column: error: text"
bool like_gcc(std::string_view line, Located& found) {
  for (const std::string_view mark : {": error: ", ": fatal error: "}) {
    const auto at = line.find(mark);
    if (at == std::string_view::npos) continue;
    std::string_view place = line.substr(0, at);
    std::string first, second;
    if (!take_number(place, first)) continue;
    found.line = take_number(place, second) ? second : first;
    found.file = place;
    found.text = line.substr(at + mark.size());
    return !place.empty();
  }
  return false;
}

/// nvcc: "file(line): error: text", "file(line): error #20: text"
bool like_nvcc(std::string_view line, Located& found) {
  const auto at = line.find("): error");
  const auto open = at == std::string_view::npos ? at : line.rfind('(', at);
  const auto colon = at == std::string_view::npos ? at : line.find(": ", at + 8);
  if (open == std::string_view::npos || open == 0 || colon == std::string_view::npos) return false;
  found = {std::string(line.substr(0, open)), std::string(line.substr(open + 1, at - open - 1)),
           std::string(line.substr(colon + 2))};
  return !found.line.empty() && found.line.find_first_not_of("0123456789") == std::string::npos;
}

/// our cut: "cut: file:line: text"
bool like_cut(std::string_view line, Located& found) {
  if (line.substr(0, 5) != "cut: ") return false;
  const auto colon = line.find(": ", 5);
  if (colon == std::string_view::npos) return false;
  std::string_view place = line.substr(5, colon - 5);
  if (!take_number(place, found.line)) return false;
  found.file = place;
  found.text = line.substr(colon + 2);
  return true;
}

/// A line that says what is wrong without a place we know.
std::string without_place(std::string_view line) {
  for (const std::string_view mark : {"undefined reference to", "multiple definition of"})
    if (const auto at = line.find(mark); at != std::string_view::npos) return std::string(line.substr(at));
  for (const std::string_view mark : {"rror: ", "No space left"})
    if (line.find(mark) != std::string_view::npos) return std::string(line);
  return {};
}

/// "[3/12] …"
bool is_status(const std::string& line) {
  int done = 0, all = 0;
  return !line.empty() && line[0] == '[' && std::sscanf(line.c_str(), "[%d/%d]", &done, &all) == 2;
}

/// Texts that beginners meet, and what they usually mean.
const char* hint_of(const std::string& text) {
  struct Hint {
    const char* part;
    const char* meaning;
  };
  static constexpr Hint hints[] = {
      {"undefined reference",
       "the function that the contract names must be defined with exactly its name and parameters"},
      {"was not declared in this scope",
       "is the name spelled as where it is declared, and declared before this line?"},
      {"has not been declared", "is the name spelled as in the contract?"},
      {"expected ';'", "look at the end of the line before as well"},
      {"expected '}'", "a bracket that was opened above is not closed"},
      {"no matching function", "compare the number and the types of the arguments with the declaration"},
      {"invalid conversion", "compare the types on both sides"},
      {"No such file", "is the header's name spelled as in common/device?"},
      {"is not a member of", "the contract's header lists what the namespace has"},
      {"No space left", "the disk is full: free some space, then repeat"},
  };
  for (const Hint& h : hints)
    if (text.find(h.part) != std::string::npos) return h.meaning;
  return "";
}

}  // namespace

std::vector<FailedCommand> failed_commands(const std::string& output) {
  std::vector<FailedCommand> failed;
  std::istringstream in(output);
  bool inside = false, command_line = false;
  for (std::string line; std::getline(in, line);) {
    if (line.rfind("FAILED: ", 0) == 0) {
      std::istringstream names(line.substr(8));
      failed.emplace_back();
      for (std::string name; names >> name;) failed.back().outputs.push_back(name);
      inside = command_line = true;
    } else if (is_status(line) || line.rfind("ninja: ", 0) == 0) {
      inside = false;
    } else if (inside && command_line) {
      command_line = false;  // ninja repeats the command; nobody wants to read it
    } else if (inside) {
      failed.back().text += line + "\n";
    }
  }
  return failed;
}

BuildFailure first_error(const std::string& output, const fs::path& root, const fs::path& from) {
  constexpr std::size_t longest = 2000;  // of a line; what follows is the inside of some template
  BuildFailure failure;
  failure.output = output;
  std::istringstream in(output);
  std::string fallback, first;
  for (std::string line; std::getline(in, line);) {
    line.resize(std::min(line.size(), longest));
    if (first.empty()) first = line;
    Located found;
    if (like_gcc(line, found) || like_nvcc(line, found) || like_cut(line, found)) {
      const auto near = fs::absolute(from / found.file).lexically_normal().lexically_relative(root);
      const bool inside = !near.empty() && *near.begin() != "..";
      failure.where = (inside ? near.string() : found.file) + ":" + found.line;
      failure.text = found.text;
      break;
    }
    if (fallback.empty()) fallback = without_place(line);
  }
  for (const std::string& text : {fallback, first, std::string("the build stopped without saying why")})
    if (failure.text.empty()) failure.text = text;
  failure.hint = hint_of(failure.text);
  return failure;
}

}  // namespace ladder
