#include "common/report/results/hardware_comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <numeric>
#include <utility>

#include "common/trace/ncu.hpp"

namespace ladder::report {
namespace {

using nlohmann::json;

/// Counters that mean different things: the executor counts in the source, ncu in the machine code.
constexpr const char* not_comparable[] = {
    "instructions_warps",  // basic blocks of the source against machine instructions
    "instructions_lanes",  //
    "fp64_operations",     // a GPU uses several operations for a division or a library function
};

json list_in(const std::filesystem::path& file) {
  std::ifstream in(file);
  return in ? json(json::parse(in)) : json::array();
}

bool holds(const json& list, const std::string& word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

std::string reason_for(const json& explained, const std::string& of, const std::string& kernel,
                       const std::string& counter) {
  for (const json& reason : explained)
    if (explains(reason, of, kernel, counter)) return reason.value("why", "");
  return "";
}

double difference(double a, double b) {
  const double most = std::max(std::abs(a), std::abs(b));
  return most > 0 ? std::abs(a - b) / most : 0;
}

/// Of each launch, its kernel without arguments.
std::vector<std::string> base_names(const Observation& observation) {
  std::vector<std::string> names;
  for (const LaunchCounters& launch : observation.launches) names.push_back(kernel_base_name(launch.kernel));
  return names;
}

/// Whether one name contains the other: "void f<true>(int)" and "f<true>", not "f<false>".
bool names_alike(const std::string& one, const std::string& other) {
  return one.find(other) != one.npos || other.find(one) != other.npos;
}

/// Adds one launch to the sums of a counter. @param there  null: the hardware was not measured
void add_launch(json& cell, const std::string& name, double here, const LaunchCounters* there) {
  const bool both = there && comparable(name) && there->counters.count(name) > 0;
  if (cell.is_null()) cell = json::object();
  if (cell.contains("hardware") && !both) return;  // the sums are of the same launches
  cell["executor"] = cell.value("executor", 0.0) + here;
  if (!both) return;
  const double counted = there->counters.at(name);
  cell["hardware"] = cell.value("hardware", 0.0) + counted;
  cell["worst"] = std::max(cell.value("worst", 0.0), difference(here, counted));
}

/// The order of launches that access device memory more and more often: in which order the kernels of several
/// streams begin is chance, on either side.
std::vector<std::size_t> by_accesses(const Observation& observation) {
  std::vector<double> accesses;
  for (const LaunchCounters& launch : observation.launches) {
    double& sum = accesses.emplace_back(0);
    for (const auto& [name, count] : launch.counters)
      if (name.starts_with("global_")) sum += count;
  }
  std::vector<std::size_t> order(accesses.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return accesses[i]; });
  return order;
}

/// Of each launch of the executor the hardware's, null where there is none; and which of these have one.
struct Partners {
  std::vector<const LaunchCounters*> partner;
  std::vector<bool> taken;
};

/// @param order, other_order  the launches, as they are matched: the first ones with the first ones
Partners partners_in(const Observation& executor, const Observation& hardware,
                     const std::vector<std::string>& names, const std::vector<std::string>& others,
                     const std::vector<std::size_t>& order, const std::vector<std::size_t>& other_order) {
  Partners found{std::vector<const LaunchCounters*>(names.size()), std::vector<bool>(others.size())};
  auto& [partner, taken] = found;
  // Extra conditions, dropped one by one when nothing is found: the same spelling of the name, the same grid.
  for (const auto& [same_name, same_grid] :
       {std::pair{true, true}, {false, true}, {true, false}, {false, false}})
    for (const std::size_t l : order) {
      const LaunchCounters& launch = executor.launches[l];
      for (const std::size_t i : other_order) {
        const LaunchCounters& other = hardware.launches[i];
        if (partner[l] || taken[i] || others[i] != names[l] || (same_grid && other.grid != launch.grid) ||
            (same_name && !names_alike(other.kernel, launch.kernel)))
          continue;
        taken[i] = true, partner[l] = &other;
      }
    }
  return found;
}

/// How far partners are apart, all of their counters together.
double distance_of(const Observation& executor, const Partners& found) {
  double sum = 0;
  for (std::size_t l = 0; l < executor.launches.size(); ++l)
    for (const auto& [name, here] : executor.launches[l].counters)
      if (const LaunchCounters* there = found.partner[l];
          there && comparable(name) && there->counters.count(name))
        sum += difference(here, there->counters.at(name));
  return sum;
}

/// In the order of the launches, or in that of their accesses where they are nearer then.
Partners best_partners(const Observation& executor, const Observation& hardware,
                       const std::vector<std::string>& names, const std::vector<std::string>& others) {
  std::vector<std::size_t> order(names.size()), other_order(others.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::iota(other_order.begin(), other_order.end(), std::size_t(0));
  Partners launched = partners_in(executor, hardware, names, others, order, other_order),
           accessed =
               partners_in(executor, hardware, names, others, by_accesses(executor), by_accesses(hardware));
  return distance_of(executor, accessed) < distance_of(executor, launched) ? accessed : launched;
}

}  // namespace

double KernelBeside::worst() const {
  double most = 0;
  for (const CounterBeside& counter : counters) most = std::max(most, counter.worst);
  return most;
}

bool comparable(const std::string& counter) {
  return std::find(std::begin(not_comparable), std::end(not_comparable), counter) == std::end(not_comparable);
}

json read_explained(const std::filesystem::path& root) {
  return list_in(root / "docs/results/explained.json");
}

json read_planted(const std::filesystem::path& root) {
  return list_in(root / "common/programs/planted/planted.json");
}

bool explains(const json& reason, const std::string& of, const std::string& kernel,
              const std::string& counter) {
  return (holds(reason.at("of"), "*") || holds(reason.at("of"), of)) &&
         (!reason.contains("kernels") || holds(reason["kernels"], kernel)) &&
         holds(reason.at("counters"), counter);
}

json launches_beside(const Observation& executor, const Observation* hardware) {
  const std::vector<std::string> names = base_names(executor),
                                 others = hardware ? base_names(*hardware) : std::vector<std::string>{};
  const auto [partner, taken] = hardware ? best_partners(executor, *hardware, names, others)
                                         : Partners{std::vector<const LaunchCounters*>(names.size()), {}};
  json result = {{"kernels", json::array()}};
  std::map<std::string, std::size_t> place;  // in the list
  for (std::size_t l = 0; l < names.size(); ++l) {
    const LaunchCounters& launch = executor.launches[l];
    json& kernels = result["kernels"];
    const auto [at, is_new] = place.try_emplace(launch.kernel, kernels.size());
    if (is_new)
      kernels.push_back(
          {{"kernel", launch.kernel}, {"launches", 0}, {"compared", 0}, {"counters", json::object()}});
    json& kernel = kernels[at->second];
    kernel["launches"] = kernel["launches"].get<int>() + 1;
    kernel["compared"] = kernel["compared"].get<int>() + (partner[l] != nullptr);
    if (hardware && !partner[l]) continue;  // the sums are of the same launches
    for (const auto& [name, here] : launch.counters)
      add_launch(kernel["counters"][name], name, here, partner[l]);
  }
  std::map<std::string, int> alone;
  for (std::size_t i = 0; i < others.size(); ++i)
    if (!taken[i]) ++alone[others[i]];
  if (!alone.empty()) result["only_hardware"] = alone;
  return result;
}

std::vector<KernelBeside> kernels_beside(const json& groups, const json& explained) {
  std::vector<KernelBeside> kernels;
  for (const json& group : groups) {
    const std::string of = group.contains("step") ? group["step"] : group.at("program");
    for (const json& kernel : group.value("kernels", json::array())) {
      const std::string name = kernel.at("kernel");
      KernelBeside& row = kernels.emplace_back(KernelBeside{
          .of = of, .kernel = name, .launches = kernel.at("launches"), .compared = kernel.at("compared")});
      for (const auto& [counter, cell] : kernel.at("counters").items())
        if (cell.contains("hardware"))
          row.counters.push_back({.name = counter,
                                  .executor = cell.at("executor"),
                                  .hardware = cell.at("hardware"),
                                  .worst = cell.at("worst"),
                                  .why = reason_for(explained, of, name, counter)});
    }
  }
  return kernels;
}

std::vector<std::string> unexplained(const std::vector<KernelBeside>& kernels) {
  std::vector<std::string> list;
  for (const KernelBeside& kernel : kernels)
    for (const CounterBeside& counter : kernel.counters)
      if (counter.worst > needs_reason && counter.why.empty())
        list.push_back(
            fmt::format("{} {}: {} {:g}, hardware {:g}, and docs/results/explained.json says no reason",
                        kernel.of, kernel.kernel, counter.name, counter.executor, counter.hardware));
  return list;
}

std::string why_not_compared(const json& solution) {
  const json kernels = solution.value("kernels", json::array());
  if (std::any_of(kernels.begin(), kernels.end(), [](const json& k) { return k.at("compared") > 0; }))
    return "";
  if (const std::string reason = solution.value("reason", ""); !reason.empty()) return reason;
  if (kernels.empty()) return "it launches no kernel of its own";
  return "the hardware was not asked";
}

}  // namespace ladder::report
