/// @file
/// Every rung for a GPU by the device's clock and by the judge's, compared with the ceiling that limits it
/// and the library.

#include <fmt/format.h>

#include "common/report/results/page_text.hpp"
#include "common/report/results/performance.hpp"
#include "common/report/text/table.hpp"
#include "common/sitegen/pages/page_parts.hpp"

namespace ladder::report {
namespace {

using model::StepResult;
using nlohmann::json;

const char* const not_there = "not measured";

std::string device_time(const StepResult& step) {
  const auto seconds = device_seconds(step);
  return seconds ? short_time(*seconds) : not_there;
}

/// The percent, or the row's reason why it has none.
std::string of_ceiling(const StepResult& step) {
  const auto performance = performance_of(step);
  if (performance && performance->share > 0 && !ceiling_binds(*performance))
    return "below 10 %: another cost binds";
  if (performance && performance->share > 0)
    return share_text(*performance) + (performance->by_device ? "" : " (call)");
  return step.time && !step.time->work.reason.empty() ? step.time->work.reason : not_there;
}

/// "0.42x cuBLAS", by the device's clock where both have one, else "(call)".
std::string beside_library(const StepResult& step) {
  if (const auto library = library_on_device(step))
    return fmt::format("{}x {}", short_number(library->ratio), library->name);
  const auto library = library_of(step);
  return library ? fmt::format("{}x {} (call)", short_number(library->ratio), library->name) : "–";
}

std::string row_of(const std::string& rung, const StepResult& step) {
  return markdown_row({rung, step.data, size_of(step), device_time(step),
                       step.time ? short_time(step.time->seconds.median) : not_there, of_ceiling(step),
                       beside_library(step)});
}

}  // namespace

PartMaker::Lines PartMaker::gpu_times(const std::string& page) const {
  Lines lines;
  for (const StoredMachine* const stored : all_machines()) {
    const StoredMachine& machine = *stored;
    if (!machine.run) continue;
    Lines rows;
    bool any = false;
    for (const auto& [lesson, table] : tables_)
      for (const json& row : table.at("steps")) {
        const std::string name = row.value("name", ""), rung = lesson.substr(0, 2) + "/" + spoken(name);
        if (name[0] == 'c' || name[0] == 'm') continue;
        const auto steps = machine.run->step(lesson, name);
        if (steps.empty()) rows.push_back(markdown_row({rung, not_yet, "", "", "", "", ""}));
        for (const StepResult& step : steps)
          if (of_gpu(step, machine.run->machine_of(lesson, name)))
            rows.push_back(row_of(rung, step)), any = true;
      }
    if (!any) continue;
    lines.insert(lines.end(), {"### " + machine.name, "", source_of(page, *machine.run), ""});
    for (std::string& line :
         markdown_head({"rung", "data", "size", "device time", "call time", "of its ceiling", "library"}))
      lines.push_back(std::move(line));
    lines.insert(lines.end(), rows.begin(), rows.end());
    lines.push_back("");
  }
  if (lines.empty()) return {"*not measured yet on any machine with a GPU*"};
  lines.pop_back();
  return lines;
}

}  // namespace ladder::report
