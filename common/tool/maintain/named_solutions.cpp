#include "common/tool/maintain/named_solutions.hpp"

#include <algorithm>
#include <cctype>

#include "common/base/text/step_name.hpp"
#include "common/base/usage_error.hpp"
#include "common/report/results/results.hpp"

namespace ladder {

using nlohmann::json;

std::vector<std::string> comparable_solutions(const Context& context) {
  std::vector<std::string> paths = context.catalogue.cuda_steps();
  std::erase_if(paths, [](const std::string& path) { return has_twin(path.substr(path.find('/') + 1)); });
  return paths;
}

std::vector<std::string> named_solutions(Context& context, std::set<std::string>& wanted) {
  std::vector<std::string> names, steps;
  for (const std::string& name : wanted)
    if (!name.empty() && std::isdigit(static_cast<unsigned char>(name[0]))) names.push_back(name);
  if (names.empty()) return steps;
  const std::vector<std::string> all = comparable_solutions(context);
  for (const std::string& name : names) {
    wanted.erase(name);
    bool any = false;
    for (const StepEntry* step : context.catalogue.resolve({name})) {
      if (std::find(all.begin(), all.end(), step->path()) == all.end()) continue;
      any = true;
      if (std::find(steps.begin(), steps.end(), step->path()) == steps.end()) steps.push_back(step->path());
    }
    if (!any)
      throw UsageError{"no rung of " + name +
                       " is in CUDA and runs the same code on a GPU: nothing to compare. For example: "
                       "./ladder reproduce executor " +
                       (all.empty() ? "costs" : all.front())};
  }
  wanted.insert("solutions");
  return steps;
}

void renew(json& table, const json& rows) {
  if (!table.is_array()) table = json::array();
  for (json row : rows) {
    row["date"] = report::now();
    const auto old = std::find_if(table.begin(), table.end(), [&](const json& other) {
      return other.value("step", "") == row.value("step", "");
    });
    if (old == table.end())
      table.push_back(row);
    else
      *old = row;
  }
}

}  // namespace ladder
