/// @file
/// The generated part on-your-gpu: the commands by which the vendor's tools show a rung's numbers on a GPU.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "common/base/text/step_name.hpp"
#include "common/report/results/page_text.hpp"
#include "common/sitegen/pages/page_parts.hpp"
#include "common/trace/metrics.hpp"
#include "common/trace/ncu.hpp"

namespace ladder::report {
namespace {

using nlohmann::json;
using Lines = std::vector<std::string>;

/// What a tool shows of some targets: a command, and a sentence that says where to look.
struct Command {
  std::string under, says;
};

/// Where nsys shows what a trace counts.
std::string place_in_nsys(const std::string& metric) {
  if (metric == "launches") return "its table cuda_api_sum, the calls that launch";
  if (metric == "waits")
    return "its table cuda_api_sum, cudaDeviceSynchronize, cudaStreamSynchronize, cudaEventSynchronize and "
           "cudaMemcpy";
  if (metric == "kernels" || metric == "work_items") return "its table cuda_gpu_kern_sum";
  if (metric.find("bytes") != metric.npos && metric != "peak_device_bytes")
    return "its table cuda_gpu_mem_size_sum";
  if (metric == "peak_device_bytes") return "the timeline, with --cuda-memory-usage=true";
  return "the timeline: what waits for what, and what runs at the same time";
}

std::vector<Command> of_cuda(const std::string& label, const std::vector<const Metric*>& metrics) {
  std::vector<std::string> counted, named, places;
  std::set<std::string> seen;
  bool findings = false;
  for (const Metric* metric : metrics) {
    const std::string name = metric->name;
    if (name == "findings") findings = true;
    if (*metric->counted != 0) {
      named.push_back(spoken(name));
      for (const std::string& one : ncu_names(metric->counted))
        if (seen.insert(one).second) counted.push_back(one);
    } else if (metric->source == Source::device) {
      if (std::string place = fmt::format("{} ({})", spoken(name), place_in_nsys(name));
          std::find(places.begin(), places.end(), place) == places.end())  // chain, and chain of one kernel
        places.push_back(std::move(place));
    }
  }
  std::vector<Command> commands;
  if (!counted.empty()) {
    const bool opcodes = seen.contains("sass__inst_executed_per_opcode");
    commands.push_back({fmt::format("ncu --metrics {}{}", fmt::join(counted, ","),
                                    opcodes ? " --print-metric-instances details" : ""),
                        fmt::format("{}, of each launch{}", fmt::join(named, ", "),
                                    opcodes ? "; barriers are the opcode BAR, once for each warp" : "")});
  }
  if (findings)
    for (const char* tool : {"memcheck", "racecheck"})
      commands.push_back({fmt::format("compute-sanitizer --tool {}", tool), tool == std::string("memcheck")
                                                                                ? "accesses outside arrays"
                                                                                : "races in shared memory"});
  if (!places.empty()) {
    std::string file = "/tmp/" + label;
    std::replace(file.begin() + 5, file.end(), '/', '-');
    commands.push_back({"nsys profile --stats=true --force-overwrite=true -o " + file,
                        fmt::format("{}", fmt::join(places, "; "))});
  }
  if (commands.empty())
    commands.push_back({"ncu --section SpeedOfLight --section Occupancy",
                        "the percent of the ceilings that each kernel reaches, and its occupancy"});
  return commands;
}

std::vector<Command> of_others(const std::string& family, int ranks) {
  if (family == "opencl")
    return {{"oclgrind --inst-counts", "instructions of each kernel, by a simulator of a GPU"}};
  if (family.starts_with("mpi"))
    return {
        {"perf stat -d", fmt::format("processor time and cache misses, of each of the {} processes", ranks)}};
  return {{"perf stat -d", "processor time of all threads, and cache misses"}};
}

}  // namespace

PartMaker::Lines PartMaker::on_your_gpu(const std::string& lesson, const std::string& id) const {
  const std::string name = name_of(lesson, id);
  for (const json& row : rows(lesson)) {
    if (row.value("name", "") != name) continue;
    const std::string label = rung_of(lesson, name);
    const std::string family =
        family_of(name[0], std::filesystem::path(row.value("file", "")).extension().string());
    std::vector<const Metric*> metrics;
    for (const json& target : row.value("targets", json::array()))
      if (const std::string metric = target.value("metric", ""); !metric.empty())
        metrics.push_back(&find_metric(metric));
    const auto commands = family == "cuda" ? of_cuda(label, metrics)
                                           : of_others(family, static_cast<int>(row.value("ranks", 1.0)));
    Lines lines = {family == "cuda" ? "**On your GPU.**" : "**With your tools.**", "```sh"};
    for (const Command& one : commands) {
      lines.push_back("# " + one.says);
      lines.push_back(fmt::format("./ladder profile {} --under \"{}\"", label, one.under));
    }
    lines.push_back("```");
    return lines;
  }
  return {};
}

Lines metric_terms() {
  Lines lines = markdown_head({"metric", "unit", "what it counts", "elsewhere called", "ncu"});
  for (const Metric& metric : all_metrics()) {
    std::string ncu;
    for (const std::string& name : ncu_names(metric.counted))
      ncu += (ncu.empty() ? "`" : "<br>`") + name + "`";
    lines.push_back(markdown_row({spoken(metric.name), metric.unit, metric.meaning, metric.field, ncu}));
  }
  return lines;
}

}  // namespace ladder::report
