#include "common/tool/machine/ceilings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "common/base/files/json_file.hpp"
#include "common/base/process/process.hpp"
#include "common/base/process/process_tree.hpp"
#include "common/base/text/text.hpp"
#include "common/base/usage_error.hpp"
#include "common/model/document_json.hpp"
#include "common/tool/build/build.hpp"

namespace ladder {
namespace fs = std::filesystem;
using nlohmann::json;
namespace {

using Lines = std::vector<model::MeasuredCeiling>;

constexpr double limit_seconds = 60;  // measuring takes about five; more means a device that hangs

struct Program {
  std::string name;
  std::vector<std::string> arguments{};
  std::map<std::string, std::string> environment{};
};

Program program_for(const DeviceInfo& device) {
  const std::string& backend = device.backends[0];
  if (backend == "opencl") {
    const std::string index = fmt::format("{}:{}", device.platform_index, device.device_index);
    return {.name = "ceilings-opencl", .environment = {{"LADDER_OPENCL_DEVICE", index}}};
  }
  if (backend == "cuda") return {.name = "ceilings-cuda", .arguments = {std::to_string(device.device_index)}};
  if (backend == "executor") return {.name = "ceilings-executor", .arguments = {"launches"}};
  return {.name = "ceilings-host"};
}

/// The lines that the program printed; what ended it early is the last.
Lines measure(const fs::path& folder, const Program& program) {
  Command command{.arguments = {(folder / "bin" / program.name).string()},
                  .environment = program.environment,
                  .seconds = limit_seconds,
                  .output_only = true};
  command.arguments.insert(command.arguments.end(), program.arguments.begin(), program.arguments.end());
  const ProcessResult ended = run_process(command);
  Lines lines;
  for (const std::string& line : lines_of(ended.output))
    if (const json one = json::parse(line, nullptr, false); one.is_object())
      lines.push_back(model::ceiling_from_json(one));
  if (ended.timed_out)
    lines.push_back({.what = "the rest", .error = fmt::format("no answer within {} s", limit_seconds)});
  else if (!ended.error.empty())
    lines.push_back({.what = "everything", .error = ended.error});
  else if (!ended.ok())
    lines.push_back(
        {.what = "the rest", .error = fmt::format("the program ended with status {}", ended.status)});
  return lines;
}

/// Ceilings that were measured before, by key_of() their devices.
fs::path kept_file() {
  return build_folder() / "ceilings.json";
}

std::string key_of(const DeviceInfo& d) {
  return fmt::format("{}, {}, {}", d.id, d.name, d.compute_units);
}

model::Ceilings kept() try {
  const json all = read_json(kept_file());
  return all.is_object() ? model::ceilings_from_json(all) : model::Ceilings{};
} catch (const Error&) {
  return {};  // not ours: measured again
}

/// Remembers what was measured: of a ceiling that is there the higher one, since the device reached it.
void keep(const DeviceInfo& device, const Lines& lines) {
  model::Ceilings all = kept();
  Lines& before = all[key_of(device)];
  for (const model::MeasuredCeiling& line : lines) {
    if (!line.high) continue;
    const auto same = std::find_if(before.begin(), before.end(),
                                   [&](const model::MeasuredCeiling& one) { return one.what == line.what; });
    if (same == before.end())
      before.push_back(line);
    else if (*line.high > same->high.value_or(0))
      *same = line;
  }
  try {
    write_text(kept_file(), to_json(all).dump());
  } catch (const UsageError&) {
    // Remembering only saves time.
  }
}

/// The lines of a device, measured now when nobody has before; once, though they may not be kept.
Lines lines_of(const DeviceInfo& device, const MachineProgress& progress) {
  static model::Ceilings measured;
  const model::Ceilings before = kept();
  if (const auto found = before.find(key_of(device)); found != before.end()) return found->second;
  const auto [mine, is_new] = measured.try_emplace(key_of(device));
  if (is_new) mine->second = measure_ceilings({device}, progress)[device.id];
  return mine->second;
}

/// Shares of the machine that others used while a ceiling of the cores' memory was measured, from which on it
/// says nothing.
constexpr double busy = 0.1;

double best_of(const Lines& lines, const std::vector<std::string>& names) {
  double best = 0;
  for (const model::MeasuredCeiling& line : lines)
    if (std::count(names.begin(), names.end(), line.what) > 0 && line.busy.value_or(0) <= busy)
      best = std::max(best, line.high.value_or(0));
  return best;
}

/// By lines that were measured.
Ceilings rates_of(const Lines& lines) {
  const double units = best_of(lines, {"double multiply-add", "double dgemm"}),
               tensor = best_of(lines, {"double tensor-core multiply-add"});
  Ceilings rates{.fp64 = std::max(units, tensor),
                 .fp64_tensor = tensor > units,
                 .fp64_vector = units,
                 .fp32 = best_of(lines, {"float multiply-add"}),
                 .integer = best_of(lines, {"integer multiply-add"}),
                 .memory = best_of(lines, {"copy", "read"}),
                 .cache = best_of(lines, {"read in cache"}),
                 .cache_bytes = best_of(lines, {"caches"}),
                 .to_device = best_of(lines, {"to the device, pinned"}),
                 .from_device = best_of(lines, {"from the device, pinned"})};
  if (rates.fp64 == 0)
    rates.why_not = "the ceilings of this device could not be measured: ./ladder doctor says why";
  return rates;
}

}  // namespace

Ceilings plan_ceilings(const std::string& id, const MachineProgress& progress) {
  Lines lines;
  bool cores = false;
  for (const DeviceInfo& d : devices()) {
    // OpenCL on the cores can do whatever the cores can, if its compiler is good enough.
    if (d.id == id) cores = d.kind == "cpu";
    if (d.available && d.id == id) lines = lines_of(d, progress);
  }
  Ceilings rates = rates_of(lines);
  if (!cores || id == "cpu") return rates;
  const Ceilings of_cores = plan_ceilings("cpu", progress);
  for (double Ceilings::*rate :
       {&Ceilings::fp64, &Ceilings::fp64_vector, &Ceilings::fp32, &Ceilings::integer, &Ceilings::memory,
        &Ceilings::cache, &Ceilings::cache_bytes, &Ceilings::to_device, &Ceilings::from_device})
    rates.*rate = std::max(rates.*rate, of_cores.*rate);
  return rates;
}

model::Ceilings measure_ceilings(const std::vector<DeviceInfo>& devices, const MachineProgress& progress) {
  const fs::path folder = build_folder();
  std::vector<const DeviceInfo*> chosen;
  for (const DeviceInfo& d : devices) {
    if (d.available) chosen.push_back(&d);
  }
  model::Ceilings all;
  const double steps = chosen.size() + 1.0;
  for (std::size_t i = 0; i < chosen.size() && !interrupted(); ++i) {
    const Program program = program_for(*chosen[i]);
    if (progress) progress("building " + program.name, i / steps);
    const ProcessResult built =
        run_process({.arguments = {"ninja", "-C", folder.string(), program.name}, .seconds = 300});
    if (built.output.find("unknown target") != std::string::npos) continue;
    if (progress) progress("measuring " + chosen[i]->id, (i + 0.5) / steps);
    Lines& lines = all[chosen[i]->id];
    if (built.ok()) {
      const LoadWatch load;
      lines = measure(folder, program);
      const double foreign = load.foreign_share();
      for (model::MeasuredCeiling& line : lines)  // others: in bursts that nobody interrupts, or by a GPU
        if (chosen[i]->kind == "cpu" && (line.what == "copy" || line.what == "read")) line.busy = foreign;
      keep(*chosen[i], lines);
    } else {
      const std::string why = first_error(built.output, folder).line();
      lines.push_back({.what = "everything", .error = "cannot build " + program.name + ": " + why});
    }
  }
  return all;
}

}  // namespace ladder
