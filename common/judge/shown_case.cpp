#include "common/judge/shown_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <regex>
#include <span>
#include <sstream>

#include "common/base/text/numbers.hpp"
#include "common/judge/findings/source_text.hpp"

namespace ladder {
namespace {

constexpr std::size_t max_lines = 20, max_letters_shown = 160;
constexpr std::size_t most_threads = 8, most_accesses = 12;

/// A message of the executor, "file:line: error: …", which the judge tells otherwise; lines with four blanks
/// belong to it.
bool is_message(const std::string& line) {
  static const std::regex pattern(R"(^([^\s:]+:\d+|executor): (error|warning): )");
  return std::regex_search(line.substr(0, 300), pattern);
}

std::string without_control(std::string line) {
  for (char& c : line)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = c == '\t' ? ' ' : '?';
  if (line.size() > max_letters_shown) {
    std::size_t end = max_letters_shown;
    while (end > 0 && (static_cast<unsigned char>(line[end]) & 0xC0) == 0x80) --end;  // whole letters
    line = line.substr(0, end) + "…";
  }
  return line;
}

std::string number(double value) {
  return value == std::round(value) && std::abs(value) < 1e6 ? fmt::format("{:.0f}", value)
                                                             : fmt::format("{:.4g}", value);
}

/// Rows of numbers that line up; a wrong one has a star.
std::string table_of(const Compared& c, bool got) {
  const std::vector<double>& values = got ? c.got : c.expected;
  std::vector<std::string> cells;
  std::size_t width = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    cells.push_back(number(values[i]) + (got && !c.right(i) ? "*" : ""));
    width = std::max(width, cells.back().size());
  }
  const std::size_t columns = std::min<std::size_t>(c.columns > 0 ? c.columns : 8, 16);
  std::string text;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::size_t column = c.columns > 0 ? i % c.columns : i % columns;
    if (i > 0) text += column == 0 ? "\n" : " ";
    text += fmt::format("{:>{}}", cells[i], width);
  }
  return text;
}

using Thread = std::pair<std::array<std::uint32_t, 3>, std::array<std::uint32_t, 3>>;  // of a block

std::string index_text(const std::array<std::uint32_t, 3>& index, bool flat) {
  if (flat) return fmt::format("{}", index[0]);
  return index[2] == 0 ? fmt::format("({},{})", index[0], index[1])
                       : fmt::format("({},{},{})", index[0], index[1], index[2]);
}

/// "A + 5 (of 64)" as an element: "A[5]".
std::string element(const std::string& address) {
  static const std::regex pattern(R"((.+) \+ (\d+) \(of \d+\))");
  std::smatch parts;
  return std::regex_match(address, parts, pattern) ? parts.str(1) + "[" + parts.str(2) + "]" : address;
}

/// "line 23 reads A[0], A[2]; line 25 writes part[0]"; of many the first ones and the last, where results are
/// stored.
std::string accesses_text(const std::vector<const ThreadAccess*>& accesses, const PlannedStep& step) {
  std::string text, begun;
  const auto add = [&](const ThreadAccess& a, const std::string& between) {
    const char* verb = a.operation == "read" ? "reads" : a.operation == "write" ? "writes" : "updates";
    const std::string head = line_name(a.site, step) + " " + verb + " ";
    text += (head == begun ? ", " : between + head) + element(a.address);
    begun = head;
  };
  const bool all = accesses.size() <= most_accesses;
  for (const ThreadAccess* a : std::span(accesses).first(all ? accesses.size() : most_accesses - 1))
    add(*a, text.empty() ? "" : "; ");
  if (all) return text;
  begun.clear();
  add(*accesses.back(), fmt::format("; {} more, and at last ", accesses.size() - most_accesses));
  return text;
}

}  // namespace

std::string printed_text(const Printed& printed) {
  std::istringstream in(printed.first);
  std::string text;
  std::size_t shown = 0, seen = 0, of_messages = 0;
  bool message = false;
  for (std::string line; std::getline(in, line); ++seen) {
    message = is_message(line) || (message && line.starts_with("    "));
    of_messages += message;
    if (message || shown == max_lines) continue;
    text += (shown++ > 0 ? "\n" : "") + without_control(line);
  }
  const std::size_t all = std::max(printed.lines, seen) - of_messages;
  if (all > shown)
    text += fmt::format("\n… {} more {}, {} bytes in all", all - shown, all - shown == 1 ? "line" : "lines",
                        grouped(static_cast<double>(printed.bytes)));
  return text;
}

void show_numbers(const Case& one, const AnyInstance& instance, TestReport& report) {
  if (one.inputs)
    for (const Compared& input : one.inputs(instance)) report.detail(input.array, table_of(input, false));
  if (!one.compared) return;
  const auto compared = one.compared(instance);
  if (!compared || compared->size() == 0) return;
  report.detail(compared->array + " expected", table_of(*compared, false));
  report.detail(compared->array + " computed", table_of(*compared, true));
}

void show_accesses(const Observation& observation, const PlannedStep& step, TestReport& report) {
  std::map<Thread, std::vector<const ThreadAccess*>> all;
  bool flat = true, one_block = true;
  for (const ThreadAccess& access : observation.accesses) {
    all[{access.block, access.thread}].push_back(&access);
    flat = flat && access.thread[1] == 0 && access.thread[2] == 0;
    one_block = one_block && access.block == std::array<std::uint32_t, 3>{};
  }
  // Threads that have nothing to do with device memory say little.
  std::erase_if(all, [](const auto& entry) {
    return std::ranges::none_of(entry.second, [](const ThreadAccess* a) { return a->global; });
  });
  std::size_t told = 0;
  for (const auto& [thread, accesses] : all) {
    if (told++ == most_threads) break;
    const std::string block =
        one_block ? ""
                  : "block " + index_text(thread.first, thread.first[1] == 0 && thread.first[2] == 0) + " ";
    report.detail(block + "thread " + index_text(thread.second, flat), accesses_text(accesses, step));
  }
  if (all.size() > most_threads)
    report.detail("",
                  fmt::format("and {} more threads that access device memory", all.size() - most_threads));
}

}  // namespace ladder
