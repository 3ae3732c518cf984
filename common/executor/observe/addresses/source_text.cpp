#include "common/executor/observe/addresses/source_text.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <map>
#include <mutex>
#include <regex>
#include <vector>

#include "common/executor/observe/races/detector_mutex.hpp"

namespace ladder::executor {
namespace {

using Lines = std::vector<std::string>;

/// Messages name files relative to the project's folder, but the program may run in any folder.
const Lines& lines_of(const std::string& file) {
  static std::map<std::string, Lines>* const files = new std::map<std::string, Lines>;
  static std::mutex mutex;
  const DetectorLock lock(mutex);
  const auto [place, is_new] = files->try_emplace(file);
  if (!is_new) return place->second;
  std::ifstream text(file);
  if (!text) text.open(LADDER_PROJECT_FOLDER + file);
  for (std::string line; std::getline(text, line);) place->second.push_back(line);
  return place->second;
}

/// The line and, for a call that goes on, the next two.
std::string text_at(const std::string& file, int line) {
  const Lines& lines = lines_of(file);
  std::string text;
  for (int i = line; i < line + 3 && i >= 1 && i <= static_cast<int>(lines.size()); ++i)
    text += lines[static_cast<std::size_t>(i - 1)] + ' ';
  return text;
}

/// The nth match's first group that is not empty.
std::string match_of(const std::string& text, const std::regex& pattern, unsigned nth) {
  std::vector<std::string> names;
  for (std::sregex_iterator match(text.begin(), text.end(), pattern), end; match != end; ++match)
    names.push_back((*match)[1].str());
  return names.empty() ? "" : names[nth % names.size()];
}

/// Of "Buffer<float> dA(m * n), dB(n);" the names dA and dB: the name before each parenthesis at the
/// outermost depth.
std::vector<std::string> owners_in(const std::string& text) {
  static const std::regex& owner = *new std::regex(R"([Bb]uffer\s*<[^;()]*>\s+(?=[A-Za-z_]\w*\s*[({]))");
  std::vector<std::string> names;
  for (std::sregex_iterator match(text.begin(), text.end(), owner), end; match != end; ++match) {
    int depth = 0;
    std::string name;
    for (auto at = static_cast<std::size_t>(match->position() + match->length());
         at < text.size() && text[at] != ';' && depth >= 0; ++at) {
      const char c = text[at];
      const bool opens = c == '(' || c == '{', closes = c == ')' || c == '}';
      if (opens && depth == 0 && !name.empty()) names.push_back(name);
      if (depth == 0 && (std::isalnum(static_cast<unsigned char>(c)) || c == '_')) name += c;
      if (c == ',' && depth == 0) name.clear();
      depth += opens ? 1 : closes ? -1 : 0;
    }
  }
  return names;
}

std::string owner_of(const std::string& text, unsigned nth) {
  const auto names = owners_in(text);
  return names.empty() ? "" : names[nth % names.size()];
}

}  // namespace

std::string name_of_allocation(const std::string& file, int line, unsigned nth) {
  static const std::regex& call = *new std::regex(  // never destroyed: asked when the process ends

      R"((?:cudaMalloc\w*|cudaHostAlloc|cudaHostRegister)\s*\(\s*(?:\(\s*void\s*\*\s*\*\s*\)|reinterpret_cast\s*<[^>]*>\s*\(|\(\s*void\s*\*\s*\*\s*\)\s*\(|static_cast\s*<[^>]*>\s*\()?\s*&?\s*([A-Za-z_][\w.]*(?:->\w+|\[\w+\])*))");
  const Lines& lines = lines_of(file);
  if (line < 1 || line > static_cast<int>(lines.size())) return {};
  const std::string &one = lines[static_cast<std::size_t>(line - 1)], more = text_at(file, line);
  if (const std::string name = match_of(one, call, nth); !name.empty()) return name;
  if (const std::string name = match_of(more, call, nth); !name.empty()) return name;
  if (const std::string name = owner_of(one, nth); !name.empty()) return name;
  return owner_of(more, nth);
}

namespace {

/// "multiply" of "space::multiply<16>"
std::string base_name(const std::string& kernel) {
  std::string name = kernel.substr(0, kernel.find('<'));
  if (const auto scope = name.rfind("::"); scope != std::string::npos) name.erase(0, scope + 2);
  return name;
}

std::string without_comments(const std::string& line) {
  return line.substr(0, line.find("//"));
}

/// The last identifier of "const double* __restrict__ A[] = nullptr".
std::string declared_name(std::string parameter) {
  parameter.resize(std::min(parameter.find('='), parameter.size()));
  parameter.resize(std::min(parameter.find('['), parameter.size()));
  const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  while (!parameter.empty() && !is_word(parameter.back())) parameter.pop_back();
  std::size_t begin = parameter.size();
  while (begin > 0 && is_word(parameter[begin - 1])) --begin;
  return parameter.substr(begin);
}

/// The text between the parentheses after the kernel's name, at the start of `text`.
std::vector<std::string> parameters_in(const std::string& text) {
  std::vector<std::string> parameters(1);
  int depth = 0;
  for (const char c : text) {
    if (c == '(' || c == '<' || c == '{') ++depth;
    if (c == ')' || c == '>' || c == '}') --depth;
    if (depth == 0) break;
    if (depth == 1 && c == ',')
      parameters.emplace_back();
    else if (depth > 1 || c != '(')
      parameters.back() += c;
  }
  return parameters;
}

}  // namespace

std::string name_of_parameter(const std::string& file, const std::string& kernel, std::size_t position) {
  const std::regex definition("__global__[^;{}]*\\b" + base_name(kernel) + "\\s*\\(");
  std::string text;
  for (const std::string& line : lines_of(file)) text += without_comments(line) + ' ';
  std::smatch match;
  if (!std::regex_search(text, match, definition)) return {};
  const auto parameters =
      parameters_in(text.substr(static_cast<std::size_t>(match.position() + match.length()) - 1));
  return position < parameters.size() ? declared_name(parameters[position]) : "";
}

std::string name_of_dynamic_shared(const std::string& file, int line) {
  static const std::regex& declaration =
      *new std::regex(R"(extern\s[^;]*__shared__[^;]*?([A-Za-z_]\w*)\s*\[\s*\])");
  std::string above, any;
  bool one_name = true;
  const Lines& lines = lines_of(file);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::smatch match;
    if (!std::regex_search(lines[i], match, declaration)) continue;
    if (static_cast<int>(i) < line) above = match[1];
    if (!any.empty() && any != match[1]) one_name = false;
    any = match[1];
  }
  return !above.empty() ? above : one_name ? any : "";
}

}  // namespace ladder::executor
