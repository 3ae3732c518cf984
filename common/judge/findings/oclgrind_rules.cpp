#include "common/judge/findings/oclgrind_rules.hpp"

#include <filesystem>

#include "common/base/files/whole_file.hpp"
#include "common/trace/oclgrind/oclgrind_log.hpp"

namespace ladder {
namespace {

/// A file as seen from the project's folder, where it lies inside.
std::string shown(const std::string& file) {
  if (!std::filesystem::path(file).is_absolute()) return file;
  const std::filesystem::path inside = std::filesystem::path(file).lexically_relative(plan().root);
  return inside.empty() || *inside.begin() == ".." ? file : inside.string();
}

/// The findings in a worker's log, with lines of the step's source.
Observation read_oclgrind_log(const std::string& log, const PlannedStep& step) {
  return parse_oclgrind_log(log, {shown(step.source), read_text(step.source)});
}

void show_places(LaunchCounters& launch) {
  launch.site.file = shown(launch.site.file);
  for (LineCounters& line : launch.lines) line.site.file = shown(line.site.file);
  for (BranchCounters& branch : launch.branches) branch.site.file = shown(branch.site.file);
}

}  // namespace

Simulator find_simulator() {
  const auto value = [](const std::map<std::string, std::string>& values) {
    const auto found = values.find("oclgrind");
    return found == values.end() ? std::string() : found->second;
  };
  const std::string plugin = value(plan().recorders);
  Simulator simulator{find_oclgrind(plugin), ""};
  if (plugin.empty()) simulator.no_plugin = value(plan().no_recorder);
  if (plugin.empty() && simulator.no_plugin.empty())
    simulator.no_plugin = "this build has no plugin for Oclgrind (package liboclgrind-dev)";
  return simulator;
}

Launch simulated_launch_of(const PlannedStep& step, Data data, const Oclgrind::Environment& environment) {
  Launch launch = launch_of(step, data);
  launch.device = "oclgrind";
  launch.environment = environment;
  launch.environment["LADDER_OPENCL_DEVICE"] = "0:0";  // the only device that Oclgrind shows
  return launch;
}

Watch simulated_watch_of(const PlannedStep& step, const Step& row, bool counters) {
  constexpr std::size_t largest = 10 * 1024;  // LU of n = 32: half a second
  const Simulator simulator = find_simulator();
  Watch watch;
  watch.skip = simulator.oclgrind.missing;
  watch.largest = largest;
  watch.log = oclgrind_log;
  watch.read_log = [step](const std::string& log) { return read_oclgrind_log(log, step); };
  Oclgrind::Environment environment = simulator.oclgrind.environment_of_findings(oclgrind_log);
  if (counters && simulator.no_plugin.empty()) {
    environment.merge(simulator.oclgrind.environment_of_counters(oclgrind_record));
    watch.record = oclgrind_record;
  }
  watch.launch = simulated_launch_of(step, row.data, environment);
  return watch;
}

Observation read_record(Session& session, const std::string& name) {
  session.finish();
  const auto text = session.file(name);
  if (!text)
    throw Failure{
        Verdict::review, "Oclgrind wrote no counters: something in the rung removed the plugin", {}};
  try {
    Observation observation = parse_observation(*text);
    for (LaunchCounters& launch : observation.launches) show_places(launch);
    return observation;
  } catch (const Error& error) {
    throw Failure{Verdict::rejected, error.what(), {}};
  }
}

}  // namespace ladder
