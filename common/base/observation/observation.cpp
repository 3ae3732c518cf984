#include "common/base/observation/observation.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace ladder {
namespace {

using nlohmann::json;

json written(const LineCounters& line);
json written(const BranchCounters& branch);
json written(const LaunchCounters& launch);
json written(const Finding& finding);
json written(const ThreadAccess& access);

template <class Element>
json list_of(const std::vector<Element>& elements) {
  json out = json::array();
  for (const Element& element : elements) out.push_back(written(element));
  return out;
}

json written(const SourceLine& line) {
  return {{"file", line.file}, {"line", line.line}};
}

json written(const WarpAccess& access) {
  return {{"block", access.block},
          {"warp", access.warp},
          {"mask", access.mask},
          {"at", access.at},
          {"object", access.object}};
}

json written(const LineCounters& line) {
  json out = {{"site", written(line.site)},
              {"space", line.space},
              {"operation", line.operation},
              {"size", line.size},
              {"requests", line.requests},
              {"lanes", line.lanes},
              {"distinct_bytes", line.distinct_bytes},
              {"sectors", line.sectors},
              {"necessary_sectors", line.necessary_sectors},
              {"wavefronts", line.wavefronts},
              {"necessary_wavefronts", line.necessary_wavefronts},
              {"most_lanes_at_one_address", line.most_lanes_at_one_address}};
  if (line.object_bytes > 0) out["intervals"] = line.intervals, out["object_bytes"] = line.object_bytes;
  if (line.worst) out["worst"] = written(*line.worst);
  return out;
}

json written(const BranchCounters& branch) {
  return {{"site", written(branch.site)},
          {"executed", branch.executed},
          {"divergent", branch.divergent},
          {"idle", branch.idle}};
}

json written(const LaunchCounters& launch) {
  json out = {{"kernel", launch.kernel},
              {"site", written(launch.site)},
              {"grid", launch.grid},
              {"block", launch.block},
              {"static_shared", launch.static_shared},
              {"dynamic_shared", launch.dynamic_shared},
              {"observed_blocks", launch.observed_blocks},
              {"counters", launch.counters},
              {"skipped", launch.skipped},
              {"lines", list_of(launch.lines)},
              {"branches", list_of(launch.branches)}};
  if (launch.registers) out["registers"] = *launch.registers;
  if (launch.launches > 1) out["launches"] = launch.launches, out["blocks"] = launch.blocks;
  return out;
}

json written(const Finding& finding) {
  json out = {{"kind", finding.kind},           {"severity", finding.severity}, {"kernel", finding.kernel},
              {"site", written(finding.site)},  {"block", finding.block},       {"thread", finding.thread},
              {"operation", finding.operation}, {"address", finding.address},   {"message", finding.message},
              {"meaning", finding.meaning},     {"count", finding.count}};
  if (finding.fatal) out["fatal"] = true;
  if (const auto& other = finding.other)
    out["other"] = {{"site", written(other->site)},
                    {"block", other->block},
                    {"thread", other->thread},
                    {"operation", other->operation}};
  return out;
}

json written(const ThreadAccess& access) {
  return {{"site", written(access.site)},  {"block", access.block},     {"thread", access.thread},
          {"operation", access.operation}, {"address", access.address}, {"global", access.global}};
}

}  // namespace

json to_json(const Observation& observation) {
  json out = {{"schema", observation_schema},
              {"device", observation.device},
              {"incomplete", observation.incomplete},
              {"summed", observation.summed},
              {"launches", list_of(observation.launches)},
              {"findings", list_of(observation.findings)}};
  if (const auto& results = observation.results)
    out["results"] = {{"elements", results->elements},
                      {"of_kernels", results->of_kernels},
                      {"uploaded", results->uploaded},
                      {"known", results->known}};
  if (!observation.accesses.empty()) out["accesses"] = list_of(observation.accesses);
  return out;
}

std::optional<double> Observation::sum(std::string_view counter, std::string_view kernel) const {
  double total = 0;
  for (const LaunchCounters& launch : launches) {
    if (launch.kernel.find(kernel) == std::string::npos) continue;
    const auto found = launch.counters.find(std::string(counter));
    if (found == launch.counters.end()) return std::nullopt;
    total += found->second;
  }
  return total;
}

std::size_t Observation::findings_of(std::string_view severity) const {
  return static_cast<std::size_t>(
      std::ranges::count_if(findings, [&](const Finding& f) { return f.severity == severity; }));
}

Observation::Blocks Observation::blocks() const {
  Blocks sum;
  for (const LaunchCounters& launch : launches) {
    sum.observed += launch.observed_blocks;
    sum.all += launch.all_blocks();
  }
  return sum;
}

}  // namespace ladder
