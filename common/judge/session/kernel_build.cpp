#include "common/judge/session/kernel_build.hpp"

#include <algorithm>
#include <string_view>

#include "common/base/text/text.hpp"

namespace ladder {
namespace {

constexpr std::size_t longest = 1000;  // of a line: what a stranger's driver writes

/// Takes ":26:38" off a text that begins with it. @return the line's number; empty: it does not
std::string take_place(std::string_view& text) {
  std::string numbers[2];
  for (std::string& number : numbers) {
    if (text.empty() || text[0] != ':') return "";
    text.remove_prefix(1);
    const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
    if (digits == 0 || digits > 6) return "";
    number = text.substr(0, digits);
    text.remove_prefix(digits);
  }
  return numbers[0];
}

std::string error_in(std::string_view line) {
  const auto word = line.find("error:");
  if (word == line.npos) return "";
  for (auto at = line.find(':'); at != line.npos; at = line.find(':', at + 1)) {
    std::string_view rest = line.substr(at);
    const std::string number = take_place(rest);
    if (number.empty()) continue;
    if (const auto mark = rest.find("error:"); mark != rest.npos) rest.remove_prefix(mark + 6);
    if (rest.starts_with(":")) rest.remove_prefix(1);
    return "line " + number + ": " + std::string(trim(rest));
  }
  return "";
}

}  // namespace

std::string first_kernel_error(const std::string& log) {
  for (const std::string& line : lines_of(log))
    if (const std::string found = error_in(std::string_view(line).substr(0, longest)); !found.empty())
      return found;
  return "";
}

std::string rest_of_build_log(const std::string& log) {
  std::string rest;
  std::size_t errors = 0;
  for (const std::string& line : lines_of(log)) {
    const std::string_view text = std::string_view(line).substr(0, longest);
    if (trim(text).empty()) continue;
    errors += !error_in(text).empty();
    rest += std::string(text) + "\n";
  }
  if (!rest.empty()) rest.pop_back();
  return errors > 1 || first_kernel_error(log).empty() ? rest : "";
}

}  // namespace ladder
