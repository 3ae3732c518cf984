#include "common/tool/program/program_end.hpp"
#include "common/base/text/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <regex>

namespace ladder {
namespace {

constexpr int fault_status = 86;         // the executor ended the program, with a message
constexpr std::size_t looked_at = 4000;  // the end of the output: what matters comes last

/// The last match in a text of few lines.
std::smatch last_match(const std::string& text, const std::regex& pattern) {
  std::smatch last;
  for (std::sregex_iterator match(text.begin(), text.end(), pattern), end; match != end; ++match)
    last = *match;
  return last;
}

std::string assertion_in(const std::string& text) {
  static const std::regex pattern(
      R"((?:^|\n)(?:[^\s:]+: )?([^\s:]+:\d+): [^\n]*Assertion `([^\n]*)['`] failed)");
  const std::smatch found = last_match(text, pattern);
  return found.empty() ? "" : fmt::format("assertion at {} ({})", found.str(1), found.str(2));
}

std::string exception_in(const std::string& text) {
  static const std::regex pattern(
      R"(terminate called after throwing an instance of '([^\n]*)'(?:\n +what\(\):  ([^\n]*))?)");
  const std::smatch found = last_match(text, pattern);
  if (found.empty()) return "";
  const std::string what = found.str(2);
  return "nobody catches " + found.str(1) + (what.empty() ? "" : ": " + what);
}

/// "file:line: error: what" becomes "what (file:line)".
std::string executors_message_in(const std::string& text) {
  static const std::regex pattern(R"((?:^|\n)(?:([^\s:]+:\d+)|executor): error: ([^\n]*))");
  const std::smatch found = last_match(text, pattern);
  if (found.empty()) return "";
  return found.str(2) + (found.str(1).empty() ? "" : " (" + found.str(1) + ")");
}

}  // namespace

std::string cause_of_end(const ProcessResult& ended) {
  const std::size_t size = ended.output.size();
  // Files below the folder that the tool was called from, as seen from there.
  const std::string text =
      with_paths_in(std::filesystem::current_path(), ended.output.substr(size - std::min(size, looked_at)));
  if (ended.status == fault_status && ended.signal == 0) return executors_message_in(text);
  if (ended.status == 0) return "";
  if (const std::string assertion = assertion_in(text); !assertion.empty()) return assertion;
  return ended.signal == 0 ? "" : exception_in(text);
}

bool ended_by_executor(const ProcessResult& ended) {
  return ended.status == fault_status && ended.signal == 0 && !cause_of_end(ended).empty();
}

std::size_t executors_message_begin(const std::string& output) {
  static const std::regex pattern(R"((?:[^\s:]+:\d+|executor): error: [^\n]*)");
  std::size_t end = output.size();
  while (end > 0) {
    const std::size_t last = end - (output[end - 1] == '\n' ? 1 : 0);
    const std::size_t before = last == 0 ? output.npos : output.rfind('\n', last - 1);
    const std::size_t begin = before == output.npos ? 0 : before + 1;
    const std::string line = output.substr(begin, last - begin);
    if (line.size() > looked_at || output.size() - begin > looked_at) break;
    if (std::regex_match(line, pattern)) return begin;
    if (!line.starts_with("    ")) break;
    end = begin;
  }
  return output.size();
}

bool is_endless(const std::string& cause) {
  return cause.starts_with("the kernel does not finish");
}

std::string found_before_the_end(const Observation& observation) {
  const auto first = std::ranges::find_if(observation.findings, [](const Finding& f) {
    return f.severity == "error" && !f.fatal && f.kind != "fault";
  });
  if (first == observation.findings.end()) return "";
  std::string text = first->message;
  if (text.size() > 1 && std::islower(static_cast<unsigned char>(text[1])))
    text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
  if (first->site.line > 0) text += fmt::format(" (line {})", first->site.line);
  return "; before that, " + text;
}

}  // namespace ladder
