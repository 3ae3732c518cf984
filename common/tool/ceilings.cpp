#include "common/tool/ceilings.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "common/tool/build.hpp"
#include "common/tool/process.hpp"

namespace ladder {
namespace fs = std::filesystem;
using nlohmann::json;
namespace {

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
json measure(const fs::path& folder, const Program& program) {
  Command command{.arguments = {(folder / "bin" / program.name).string()},
                  .environment = program.environment,
                  .seconds = limit_seconds,
                  .output_only = true};
  command.arguments.insert(command.arguments.end(), program.arguments.begin(), program.arguments.end());
  const Ended ended = run_process(command);
  json lines = json::array();
  std::istringstream output(ended.output);
  for (std::string line; std::getline(output, line);) {
    if (const json one = json::parse(line, nullptr, false); one.is_object()) lines.push_back(one);
  }
  if (ended.timed_out)
    lines.push_back({{"what", "the rest"}, {"error", fmt::format("no answer within {} s", limit_seconds)}});
  else if (!ended.error.empty())
    lines.push_back({{"what", "everything"}, {"error", ended.error}});
  else if (!ended.ok())
    lines.push_back(
        {{"what", "the rest"}, {"error", fmt::format("the program ended with status {}", ended.status)}});
  return lines;
}

}  // namespace

json measure_ceilings(const std::vector<DeviceInfo>& devices, const MachineProgress& progress) {
  const char* set = std::getenv("LADDER_BUILD");
  const fs::path folder = set ? set : "build";
  std::vector<const DeviceInfo*> chosen;
  for (const DeviceInfo& d : devices) {
    if (d.available) chosen.push_back(&d);
  }
  json all = json::object();
  const double steps = chosen.size() + 1.0;
  for (std::size_t i = 0; i < chosen.size() && !interrupted(); ++i) {
    const Program program = program_for(*chosen[i]);
    if (progress) progress("building " + program.name, i / steps);
    const Ended built =
        run_process({.arguments = {"ninja", "-C", folder.string(), program.name}, .seconds = 300});
    if (built.output.find("unknown target") != std::string::npos) continue;
    if (progress) progress("measuring " + chosen[i]->id, (i + 0.5) / steps);
    json& lines = all[chosen[i]->id];
    if (built.ok()) {
      lines = measure(folder, program);
    } else {
      const std::string why = first_error(built.output, folder).line();
      lines.push_back({{"what", "everything"}, {"error", "cannot build " + program.name + ": " + why}});
    }
  }
  return all;
}

}  // namespace ladder
