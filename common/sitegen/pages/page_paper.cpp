/// @file
/// The numbers of docs/paper.md in short tables: how much there is, suites, costs and attacks.

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>

#include "common/report/results/page_text.hpp"
#include "common/sitegen/pages/page_parts.hpp"

namespace ladder::report {
namespace {

using nlohmann::json;
using Lines = std::vector<std::string>;

/// Lessons, rungs and mutants, with the hours of the required rungs.
Lines extent_of(const Tables& tables) {
  Lines lines = markdown_head(
      {"lesson", "required rungs", "demonstrations", "hours", "stretch rungs", "mutants and variants"});
  struct Extent {
    std::size_t required = 0, given = 0, stretch = 0, mutants = 0;
    double hours = 0;
  };
  Extent together;
  const auto row = [&](const std::string& name, const Extent& of) {
    lines.push_back(markdown_row({name, std::to_string(of.required), std::to_string(of.given),
                                  fmt::format("{:g}", of.hours), std::to_string(of.stretch),
                                  std::to_string(of.mutants)}));
  };
  for (const auto& [lesson, table] : tables) {
    Extent of{.mutants = table.value("mutants", json::array()).size()};
    for (const json& step : table.value("steps", json::array())) {
      const std::string kind = step.value("kind", "");
      ++(kind == "S" ? of.stretch : kind == "D" ? of.given : of.required);
      if (kind != "S") of.hours += step.value("hours", 0.0);
    }
    row(lesson, of);
    together.required += of.required, together.given += of.given, together.stretch += of.stretch;
    together.mutants += of.mutants, together.hours += of.hours;
  }
  row("together", together);
  return lines;
}

/// Factors that observed runs cost, of a machine: how many, the least, the middle one and the greatest.
Lines costs_of(const std::vector<StoredMachine>& machines,
               const std::map<std::string, std::map<std::string, ChangedRows>>& changed) {
  Lines lines = markdown_head({"machine", "programs", "least", "median", "greatest",
                               "above their bound or open", "measured", "changed since"});
  for (const StoredMachine& machine : machines) {
    if (!machine.executor || !machine.executor->content.contains("costs")) continue;
    const auto& of = changed.at(machine.folder);
    const auto gone = of.find("costs");
    std::vector<double> factors;
    std::size_t open = 0;
    for (const json& row : machine.executor->content.at("costs")) {
      if (row.value("measured", "") != "observed" || !row.contains("cost")) continue;
      const json& processor = row.at("cost").at("processor");
      factors.push_back(processor.at("ratio").at("median"));
      open += processor.value("decision", "") != "met";
    }
    if (factors.empty()) continue;
    std::sort(factors.begin(), factors.end());
    lines.push_back(markdown_row(
        {machine.name, std::to_string(factors.size()), fmt::format("{:.3g}x", factors.front()),
         fmt::format("{:.3g}x", factors[factors.size() / 2]), fmt::format("{:.3g}x", factors.back()),
         std::to_string(open),
         machine.executor->content.value("dates", json::object()).value("costs", "").substr(0, 10),
         std::to_string(gone == of.end() ? 0 : gone->second.names.size())}));
  }
  return lines;
}

/// What the submissions of a table in docs/grading-attacks.md got in bubblewrap, by verdict.
/// @param heading  "## Attacks"
std::map<std::string, std::size_t> verdicts_below(const std::filesystem::path& file,
                                                  const std::string& heading) {
  std::map<std::string, std::size_t> verdicts;
  std::ifstream in(file);
  bool below = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("## ")) below = line == heading;
    if (!below || !line.starts_with("| ") || line.find(" | bwrap | ") != line.npos) continue;
    Lines cells;
    for (std::size_t at = 0; at != line.npos;) {
      const auto next = line.find(" | ", at);
      cells.push_back(line.substr(at, next == line.npos ? next : next - at));
      at = next == line.npos ? next : next + 3;
    }
    if (cells.size() > 2) ++verdicts[cells[2]];
  }
  return verdicts;
}

Lines attacks_of(const std::filesystem::path& root) {
  Lines lines = markdown_head({"submissions", "number", "verdicts in bubblewrap"});
  for (const char* heading : {"## Attacks", "## Honest and unusual"}) {
    std::size_t all = 0;
    std::string text;
    for (const auto& [verdict, number] : verdicts_below(root / "docs/grading-attacks.md", heading)) {
      all += number;
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", number, verdict);
    }
    lines.push_back(markdown_row({std::string(heading).substr(3), std::to_string(all), text}));
  }
  return lines;
}

}  // namespace

PartMaker::Lines PartMaker::paper(const std::string& which) const {
  if (which == "extent") return extent_of(tables_);
  if (which == "hardware") return hardware_in_short();
  if (which == "planted") return planted_in_short();
  if (which == "costs") return costs_of(machines_, changed_);
  if (which == "attacks") return attacks_of(root_);
  if (which != "suites")
    throw UnknownPart("generated: paper extent, hardware, planted, suites, costs or attacks, not " + which);
  Lines lines =
      markdown_head({"suite", "tool", "with a bug", "found", "warned of", "missed", "not applicable",
                     "not judged", "free of bugs", "accused wrongly", "recall", "precision"});
  constexpr int free_of_bugs = 8, by_warning = 10, precision = 12;  // of the cells
  for (const StoredMachine& machine : suites_)
    for (const json& run : machine.suites->content)
      for (Lines& cells : suite_cells(run)) {
        if (cells[free_of_bugs] == "0") cells[precision].clear();
        cells.erase(cells.begin() + by_warning);
        lines.push_back(markdown_row(cells));
      }
  std::sort(lines.begin() + 2, lines.end());
  return lines;
}

}  // namespace ladder::report
