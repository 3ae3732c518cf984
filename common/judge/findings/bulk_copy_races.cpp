#include "common/judge/findings/bulk_copy_races.hpp"

#include <algorithm>
#include <regex>
#include <vector>

#include "common/base/text/text.hpp"

namespace ladder {

RacesPrinted races_printed(const std::string& printed,
                           const std::function<bool(const std::string& file, int line)>& is_bulk_copy) {
  // "========= Error: Race reported between Read access at k()+0x4a0 in a.cu:87", then for each
  // access that it races with
  // "=========     and Write access at copy()+0xfb0 in b.cuh:86 [46272 hazards]"
  static const std::regex place(R"( in ([^\s:]+):(\d+)(?: \[\d+ hazards?\])?\s*$)");
  struct Race {
    bool first;  // whether the first access is a bulk copy
    std::vector<bool> second{};
  };
  std::vector<Race> races;
  for (const std::string& line : lines_of(printed)) {
    const bool begins = line.find("Race reported between") != std::string::npos;
    if (!begins && (races.empty() || line.find("=     and ") == std::string::npos)) continue;
    std::smatch found;
    const bool is_copy = std::regex_search(line, found, place) && is_bulk_copy(found[1], std::stoi(found[2]));
    if (begins)
      races.push_back({is_copy});
    else
      races.back().second.push_back(is_copy);
  }
  RacesPrinted count;
  for (const auto& [first, second] : races) {
    const bool all = !second.empty() && std::ranges::all_of(second, [](bool is_copy) { return is_copy; });
    ++(first || all ? count.of_bulk_copies : count.others);
  }
  return count;
}

bool is_bulk_copy(const std::string& text, int line) {
  constexpr int longest_statement = 8;  // lines
  const std::vector<std::string> lines = lines_of(text);
  if (line < 1 || line > static_cast<int>(lines.size())) return false;
  for (int i = line; i > 0 && i > line - longest_statement; --i) {
    const std::string& one = lines[static_cast<std::size_t>(i - 1)];
    if (one.find("cp.async.bulk") != std::string::npos) return true;
    if (i < line && (one.ends_with(";") || one.ends_with("{") || one.ends_with("}"))) return false;
  }
  return false;
}

}  // namespace ladder
