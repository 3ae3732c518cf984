#include "common/trace/oclgrind/kernel_file.hpp"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "common/base/text/text.hpp"

namespace ladder {
namespace {

/// A raw string: the line of its opening quote, and its text.
struct RawString {
  int line;
  std::string_view text;
};

std::vector<RawString> raw_strings(std::string_view text) {
  std::vector<RawString> found;
  for (std::size_t at = 0; (at = text.find("R\"", at)) != text.npos;) {
    const std::size_t open = text.find('(', at);
    if (open == text.npos || open - at > 18) {  // a delimiter has at most 16 characters
      at += 2;
      continue;
    }
    const std::string close = ")" + std::string(text.substr(at + 2, open - at - 2)) + "\"";
    const std::size_t end = std::min(text.find(close, open), text.size());
    const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(open), '\n');
    found.push_back({static_cast<int>(line), text.substr(open + 1, end - open - 1)});
    at = end;
  }
  return found;
}

}  // namespace

int line_in_raw_string(const KernelFile& file, int line, std::string_view text) {
  for (const RawString& raw : raw_strings(file.text)) {
    std::string_view rest = raw.text;
    for (int i = 1; i < line && !rest.empty(); ++i) {
      const auto end = rest.find('\n');
      rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
    }
    if (!rest.empty() && trim(rest.substr(0, rest.find('\n'))) == trim(text)) return raw.line + line - 1;
  }
  return 0;
}

SourceLine place_in(const KernelFile& file, const std::string& named, int line, std::string_view text) {
  // A program that says where its source stands (#line) is believed, when it means this file.
  if (std::filesystem::path(named).filename() == std::filesystem::path(file.name).filename())
    return {file.name, line};
  if (const int found = line_in_raw_string(file, line, text); found > 0) return {file.name, found};
  return {named, line};
}

}  // namespace ladder
