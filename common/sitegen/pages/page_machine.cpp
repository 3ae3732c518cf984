/// @file
/// The pictures of a GPU on a page, with what `./ladder doctor` measured.

#include <fmt/format.h>

#include <cmath>
#include <regex>

#include "common/report/figures/machine_figures.hpp"
#include "common/report/results/page_text.hpp"
#include "common/report/text/table.hpp"
#include "common/sitegen/pages/page_parts.hpp"

namespace ladder::report {
namespace {

using Lines = std::vector<std::string>;

const char* const folder = "lessons/00-first-steps/figures/";
const char* const small_card = "RTX 4060";
const char* const sheet =
    "RTX 4060: published by NVIDIA: Ada GPU Architecture white paper (2022), GeForce RTX 4060 specifications "
    "(nvidia.com), CUDA C++ Programming Guide, table \"Technical Specifications per Compute Capability\"";

/// The GPU of a stored machine, when its limits are published; nothing for a machine without one.
std::optional<PicturedDevice> gpu_of(const StoredMachine& machine) {
  for (const auto& document : {machine.doctor, machine.run}) {
    if (!document || !document->results.machine) continue;
    for (const model::Device& d : document->results.machine->devices) {
      if (!d.id.starts_with("cuda:")) continue;
      const DeviceLimits* limits = device_called(d.name, d.compute_units);
      if (!limits) continue;
      PicturedDevice pictured{machine.name, *limits, {}, true};
      if (machine.doctor) pictured.measured = DoctorLines(machine.doctor->results);
      return pictured;
    }
  }
  return {};
}

/// Where a machine's numbers come from.
std::string source(const std::string& page, const StoredMachine& machine) {
  return machine.doctor
             ? source_of(page, *machine.doctor)
             : machine.name + ": sizes as published (data sheet and driver); latencies and bandwidths " +
                   not_yet + ".";
}

/// Little's law with this machine's numbers.
std::string law(const PicturedDevice& d) {
  constexpr double load = 8;
  const auto latency = d.measured.median("latency, device memory"), rate = d.measured.best({"copy", "read"});
  if (!latency || !rate) return "- " + not_measured(d.name);
  const double bytes = bytes_under_way(*latency, *rate);
  const double warps = warps_under_way(bytes, d.limits.multiprocessors, load);
  const int fit = d.limits.warps_per_multiprocessor();
  return fmt::format(
      "- {}: {:.0f} ns × {} = **{} MB** in flight, {} KB for each of {} multiprocessors. With one load of 8 "
      "bytes per "
      "lane these are {:.0f} warps; {} fit{}.",
      d.name, 1e9 * *latency, short_rate(*rate, "B/s"), short_number(bytes / 1e6),
      short_number(bytes / d.limits.multiprocessors / 1e3), d.limits.multiprocessors, std::ceil(warps), fit,
      warps > fit
          ? fmt::format(", so each lane needs {:.0f} loads in flight, or wider ones", std::ceil(warps / fit))
          : ", so one load per lane is enough");
}

}  // namespace

std::string PartMaker::shown(const std::string& page, const std::string& file, const std::string& svg,
                             const std::string& alternative) {
  figures_[file] = svg;
  return "!" + link(page, file, std::regex_replace(alternative, std::regex(R"([\[\]])"), " "));
}

Lines PartMaker::machine(const std::string& page, const std::string& which) {
  Caption caption;
  if (which == "hierarchy") {
    const std::string svg = hierarchy_figure(caption);
    return {shown(page, std::string(folder) + "machine-hierarchy.svg", svg, caption.alternative)};
  }
  if (which == "access") {
    const std::string svg = access_figure(caption);
    return {shown(page, std::string(folder) + "machine-access.svg", svg, caption.alternative)};
  }
  std::vector<std::pair<const StoredMachine*, PicturedDevice>> gpus;
  for (const StoredMachine& machine : machines_)
    if (const auto gpu = gpu_of(machine)) gpus.emplace_back(&machine, *gpu);
  Lines lines;
  if (which == "memory") {
    std::vector<PicturedDevice> devices;
    std::string sources;
    for (const auto& [machine, gpu] : gpus) devices.push_back(gpu), sources += source(page, *machine) + " ";
    const DeviceLimits* small = find_device(small_card);
    if (small) devices.push_back({small_card, *small});
    const std::string svg = memory_figure(devices, caption);
    return {shown(page, std::string(folder) + "machine-memory.svg", svg, caption.alternative), "",
            sources + sheet + "."};
  }
  if (which != "latency")
    throw UnknownPart("generated: machine hierarchy, memory, access or latency, not " + which);
  const std::string svg = hiding_figure(caption);
  lines = {shown(page, std::string(folder) + "machine-latency.svg", svg, caption.alternative), ""};
  for (const auto& [machine, gpu] : gpus) lines.push_back(law(gpu));
  for (const auto& [machine, gpu] : gpus) {
    Caption of_law{.title = "",
                   .alternative = "",
                   .corner = machine->doctor ? StoredMachine::facts(*machine->doctor) : ""};
    const std::string curve = little_figure(gpu, of_law);
    if (!curve.empty())
      lines.insert(lines.end(),
                   {"", shown(page, fmt::format("{}machine-little-{}.svg", folder, machine->folder), curve,
                              of_law.alternative)});
  }
  return lines;
}

}  // namespace ladder::report
