/// @file
/// What the executor and its observed mode cost, as a table of a page.

#include <fmt/format.h>

#include "common/report/results/page_text.hpp"
#include "common/sitegen/page_parts.hpp"

namespace ladder::report {
namespace {

using nlohmann::json;

/// "9.4x (8.9x to 10.2x)"
std::string ratio_text(const json& measure) {
  const json& ratio = measure.at("ratio");
  return fmt::format("{:.3g}x ({:.3g}x to {:.3g}x)", ratio.at("median").get<double>(),
                     ratio.at("low").get<double>(), ratio.at("high").get<double>());
}

std::string cost_row(const json& row) {
  const std::string of = row.value("measured", "") + " of " + row.value("reference", "");
  if (!row.contains("cost"))
    return markdown_row({row.value("name", ""), of, "not measured: " + row.value("reason", ""), "", "", ""});
  const json &cost = row.at("cost"), &processor = cost.at("processor");
  return markdown_row(
      {row.value("name", ""), of, row.value("problem", ""), ratio_text(processor),
       fmt::format("at most {:.3g}x: {}", cost.at("bound").get<double>(), processor.value("decision", "")),
       ratio_text(cost.at("wall"))});
}

}  // namespace

PartMaker::Lines PartMaker::costs(const std::string& page) const {
  Lines lines;
  for (const StoredMachine& machine : machines_) {
    if (!machine.executor || !machine.executor->content.contains("costs")) continue;
    const json& content = machine.executor->content;
    const std::string date = content.value("dates", json::object()).value("costs", "").substr(0, 10);
    lines.insert(lines.end(), {"### " + machine.name, "",
                               source_of(page, *machine.executor) + " Measured: " + date + ".", ""});
    for (std::string& line :
         markdown_head({"program", "compared", "problem", "processor time", "bound", "wall time"}))
      lines.push_back(std::move(line));
    for (const json& row : content.at("costs")) lines.push_back(cost_row(row));
    for (const std::string& name : cuda_rows_without(content.at("costs"), "name"))
      lines.push_back(markdown_row({name, not_yet, "", "", "", ""}));
    lines.push_back("");
  }
  if (lines.empty()) return {"*not measured yet on any machine*"};
  lines.pop_back();
  return lines;
}

}  // namespace ladder::report
