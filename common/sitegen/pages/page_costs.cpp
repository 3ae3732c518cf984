/// @file
/// What the executor and its observed mode cost, as a table of a page.

#include <fmt/format.h>

#include "common/report/results/page_text.hpp"
#include "common/sitegen/pages/page_parts.hpp"

namespace ladder::report {
namespace {

using nlohmann::json;

constexpr std::string_view usual = "observed of executor";  ///< what most rows compare

/// "9.4x (8.9x to 10.2x)"
std::string ratio_text(const json& measure) {
  const json& ratio = measure.at("ratio");
  return fmt::format("{:.3g}x ({:.3g}x to {:.3g}x)", ratio.at("median").get<double>(),
                     ratio.at("low").get<double>(), ratio.at("high").get<double>());
}

std::string cost_row(const json& row) {
  const std::string of = row.value("measured", "") + " of " + row.value("reference", "");
  const std::string name = row.value("name", "") + (of == usual ? "" : ", " + of);
  if (!row.contains("cost")) return markdown_row({name, "not measured: " + row.value("reason", ""), "", ""});
  const json &cost = row.at("cost"), &processor = cost.at("processor");
  const std::string decision = processor.value("decision", "");
  return markdown_row({name, row.value("problem", ""),
                       ratio_text(processor) + (decision == "met" ? "" : ", bound " + decision),
                       ratio_text(cost.at("wall"))});
}

}  // namespace

PartMaker::Lines PartMaker::costs(const std::string& page) const {
  Lines lines;
  for (const StoredMachine& machine : machines_) {
    if (!machine.executor || !machine.executor->content.contains("costs")) continue;
    const json& content = machine.executor->content;
    const std::string date = content.value("dates", json::object()).value("costs", "").substr(0, 10);
    const json& rows = content.at("costs");
    std::string about = fmt::format(" Measured: {}.", date);
    const auto& all = changed_.at(machine.folder);
    if (const auto changed = all.find("costs"); changed != all.end())
      about += fmt::format(" {} of the {} programs have changed since.", changed->second.names.size(),
                           rows.size());
    about += " Each is within its bound, unless its row says otherwise.";
    lines.insert(lines.end(), {"### " + machine.name, "", source_of(page, *machine.executor) + about, ""});
    for (std::string& line : markdown_head({"program", "problem", "processor time", "wall time"}))
      lines.push_back(std::move(line));
    for (const json& row : rows) lines.push_back(cost_row(row));
    if (const Lines open = cuda_rows_without(rows, "name"); !open.empty())
      lines.insert(lines.end(),
                   {"", fmt::format("Not measured yet ({}): {}.", open.size(), short_names(open))});
    lines.push_back("");
  }
  if (lines.empty()) return {"*not measured yet on any machine*"};
  lines.pop_back();
  return lines;
}

}  // namespace ladder::report
