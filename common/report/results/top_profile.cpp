#include "common/report/results/top_profile.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "common/base/error.hpp"
#include "common/report/text/table.hpp"
#include "common/trace/ncu.hpp"

namespace ladder::report {
namespace {

using nlohmann::json;

constexpr const char* nanoseconds = "gpu__time_duration.sum";
constexpr const char* announcement = "profiled_call";  // the benches

std::vector<const char*> all_names() {
  std::vector<const char*> names = {nanoseconds};
  for (const TopCounter& counter : top_counters())
    names.insert(names.end(), counter.names.begin(), counter.names.end());
  return names;
}

/// A counter of a launch, by the first of its names that has a value.
std::optional<double> value_of(const NcuLaunch& launch, const TopCounter& counter) {
  for (const char* name : counter.names)
    if (const auto found = launch.values.find(name); found != launch.values.end()) return found->second;
  return std::nullopt;
}

/// The mean of each counter over some launches, weighted by their times. One that a launch lacks is left out.
json mean_of(std::span<const NcuLaunch> launches, double seconds) {
  json counted = json::object();
  for (const TopCounter& counter : top_counters()) {
    double sum = 0;
    bool all = true;
    for (const NcuLaunch& launch : launches) {
      const auto value = value_of(launch, counter);
      all = all && value;
      sum += value.value_or(0) * 1e-9 * launch.values.at(nanoseconds);
    }
    if (all) counted[counter.key] = sum / seconds;
  }
  return counted;
}

/// The launches of the kernel that takes most of a call's time, and their share of it.
json longest_of(std::span<const NcuLaunch> launches, double seconds) {
  std::map<std::string, std::vector<NcuLaunch>> by_name;
  std::map<std::string, double> times;
  for (const NcuLaunch& launch : launches) {
    const std::string name = kernel_base_name(launch.kernel);
    by_name[name].push_back(launch);
    times[name] += 1e-9 * launch.values.at(nanoseconds);
  }
  const auto longest = std::max_element(times.begin(), times.end(),
                                        [](const auto& a, const auto& b) { return a.second < b.second; });
  return {{"kernel", longest->first},
          {"launches", by_name[longest->first].size()},
          {"share", longest->second / seconds},
          {"counted", mean_of(by_name[longest->first], longest->second)}};
}

json row_of(const json& call, std::span<const NcuLaunch> launches) {
  json row = call;
  double seconds = 0;
  for (const NcuLaunch& launch : launches) {
    if (!launch.values.contains(nanoseconds))
      throw Error(fmt::format("ncu's table has no {} of {}", nanoseconds, kernel_base_name(launch.kernel)));
    seconds += 1e-9 * launch.values.at(nanoseconds);
  }
  row["launches"] = launches.size();
  row["seconds"] = seconds;
  row["counted"] = mean_of(launches, seconds);
  if (launches.size() > 1) row["longest"] = longest_of(launches, seconds);
  return row;
}

std::string percent_text(const json& counted, const TopCounter& counter) {
  return counted.contains(counter.key) ? per_cent(counted.at(counter.key).get<double>() / 100) : "–";
}

}  // namespace

std::span<const TopCounter> top_counters() {
  static const std::vector<TopCounter> all = {
      {"tensor_fp64",
       "FP64 tensor cores",
       {"sm__pipe_tensor_op_dmma_cycles_active.avg.pct_of_peak_sustained_elapsed",
        "sm__inst_executed_pipe_tensor_op_dmma.avg.pct_of_peak_sustained_elapsed"},
       true},
      {"tensor_int8",
       "INT8 tensor cores",
       {"sm__pipe_tensor_op_imma_cycles_active.avg.pct_of_peak_sustained_elapsed",
        "sm__inst_executed_pipe_tensor_op_imma.avg.pct_of_peak_sustained_elapsed"},
       true},
      {"fp64",
       "FP64 units",
       {"sm__pipe_fp64_cycles_active.avg.pct_of_peak_sustained_elapsed",
        "sm__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_elapsed"},
       true},
      {"shared",
       "shared memory",
       {"l1tex__data_pipe_lsu_wavefronts_mem_shared.avg.pct_of_peak_sustained_elapsed"},
       false},
      {"l1", "L1", {"l1tex__throughput.avg.pct_of_peak_sustained_elapsed"}, false},
      {"l2",
       "L2",
       {"lts__throughput.avg.pct_of_peak_sustained_elapsed",
        "lts__t_sectors.avg.pct_of_peak_sustained_elapsed"},
       false},
      {"dram",
       "memory",
       {"dram__throughput.avg.pct_of_peak_sustained_elapsed",
        "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"},
       false},
  };
  return all;
}

std::vector<std::string> top_profile_command(const std::string& lesson, const std::string& kernels) {
  std::vector<std::string> lines = {fmt::format("ncu --metrics {},\\", nanoseconds)};
  const auto names = all_names();
  for (std::size_t i = 1; i < names.size(); ++i)
    lines.push_back(std::string(names[i]) + (i + 1 < names.size() ? ",\\" : " \\"));
  if (!kernels.empty())
    lines.push_back(fmt::format("  --kernel-name 'regex:{}|{}' \\", announcement, kernels));
  lines.push_back("  --csv --page raw --print-units base --clock-control none --cache-control none \\");
  lines.push_back("  --profile-from-start off --log-file profile.csv \\");
  lines.push_back(fmt::format("  build/benches/{}/top profile profile.json", lesson));
  return lines;
}

json top_profile(const json& calls, std::string_view csv) {
  const auto names = all_names();
  const std::vector<NcuLaunch> launches = parse_ncu(csv, names);
  json stored = calls;
  stored.erase("calls");
  stored["rows"] = json::array();
  auto at = launches.begin();
  const auto announced = [](const NcuLaunch& one) { return kernel_base_name(one.kernel) == announcement; };
  if (launches.empty() || !announced(*at)) throw Error("ncu's table begins with no call of the bench");
  for (const json& call : calls.at("calls")) {
    if (at == launches.end()) throw Error("ncu's table has fewer calls than the bench made");
    const auto end = std::find_if(++at, launches.end(), announced);
    // A call may have none of the kernels that ncu was asked for.
    if (at != end) stored["rows"].push_back(row_of(call, {at, end}));
    at = end;
  }
  if (at != launches.end()) throw Error("ncu's table has more calls than the bench made");
  return stored;
}

bool top_profile_has_several(const json& row) {
  return row.contains("longest") && row.at("longest").value("launches", 0) < row.value("launches", 0);
}

std::string top_profile_kernel(const json& longest) {
  constexpr std::size_t most = 24;  // a library's names have all of a kernel's settings
  const std::string name = longest.value("kernel", "");
  return name.size() <= most ? name : name.substr(0, most) + "…";
}

std::vector<std::string> top_profile_cells(const json& row) {
  std::string time = short_time(row.at("seconds").get<double>());
  const bool several = top_profile_has_several(row);
  if (row.contains("longest")) {
    const json& longest = row.at("longest");
    time += fmt::format("<br>{} launches, `{}`", row.value("launches", 0), top_profile_kernel(longest));
    if (several) time += " " + per_cent(longest.value("share", 0.0));
  }
  std::vector<std::string> cells = {row.value("shape", ""), row.value("rung", ""), time};
  for (const TopCounter& counter : top_counters()) {
    std::string cell = percent_text(row.at("counted"), counter);
    if (several) cell += fmt::format(" ({})", percent_text(row.at("longest").at("counted"), counter));
    cells.push_back(cell);
  }
  return cells;
}

std::string top_profile_words(const json& counted) {
  std::vector<std::string> words;
  for (const TopCounter& counter : top_counters()) {
    if (counter.computes && counted.contains(counter.key) && counted.at(counter.key) < 0.5) continue;
    words.push_back(counted.contains(counter.key)
                        ? fmt::format("{} {}", counter.title, percent_text(counted, counter))
                        : fmt::format("{} not measured", counter.title));
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

}  // namespace ladder::report
