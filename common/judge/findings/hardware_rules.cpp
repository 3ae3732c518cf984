#include "common/judge/findings/hardware_rules.hpp"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "common/base/files/whole_file.hpp"
#include "common/judge/profile_record.hpp"
#include "common/judge/test_report.hpp"
#include "common/judge/worker/protocol.hpp"
#include "common/trace/ncu.hpp"
#include "common/trace/programs.hpp"

namespace ladder {
namespace {

/// The kernels that the profile of a step observed, by their own names. Nothing: it was not profiled.
std::optional<std::set<std::string>> observed_kernels(const PlannedStep& step) {
  const std::string profiled = read_text(observation_file(step));
  if (profiled.empty()) return std::nullopt;
  std::set<std::string> kernels;
  for (const LaunchCounters& launch : parse_observation(profiled).launches)
    kernels.insert(kernel_base_name(launch.kernel));
  return kernels;
}

}  // namespace

Launch launch_under_ncu(const PlannedStep& step, Data data, const std::string& log) {
  if (step.backend != "cuda")
    throw Failure{Verdict::skipped, "ncu counts on an NVIDIA GPU; this runs on " + step.backend, {}};
  const std::string ncu = find_program("ncu");
  if (ncu.empty()) throw Failure{Verdict::skipped, "ncu is not installed (part of the CUDA Toolkit)", {}};
  const auto kernels = observed_kernels(step);
  if (kernels && kernels->empty())
    throw Failure{
        Verdict::skipped, "it launches no kernel of its own, and a library's kernels cannot be compared", {}};
  Launch launch = launch_of(step, data);
  launch.under = ncu_command(ncu, {}, kernels.value_or(std::set<std::string>{}));
  launch.patience = 15;  // ncu runs each kernel several times: 0.2 s a launch, and some steps launch hundreds
  launch.under.insert(launch.under.end(), {"--log-file", log});
  return launch;
}

Launch launch_under_program(const PlannedStep& step, Data data) {
  std::vector<std::string> under = plan().under;
  const std::string name = std::filesystem::path(under[0]).filename();
  if (step.backend != "cuda" && (name == "ncu" || name == "nsys" || name == "compute-sanitizer"))
    throw Failure{Verdict::skipped, name + " looks at CUDA on a GPU; this runs on " + step.backend, {}};
  under[0] = find_program(under[0]);
  if (under[0].empty()) throw Failure{Verdict::skipped, name + " is not on the PATH", {}};
  Launch launch = launch_of(step, data);
  launch.under = under;
  launch.environment[protocol::ends_as_programs_do] = "1";  // nsys and others write then what they recorded
  launch.patience = 15;
  return launch;
}

void write_printed(const PlannedStep& step, const std::string& problem, const std::string& printed) {
  nlohmann::json record = record_of(step, to_string(TestKind::hardware));
  record["problem"] = problem;
  record["printed"] = printed;
  append_record(record);
}

void write_hardware(const PlannedStep& step, const std::string& problem, const std::string& log) {
  Observation counted;
  try {
    counted = parse_ncu(read_text(log));
  } catch (const Error& why) {
    throw Failure{Verdict::skipped, why.what(), {}};
  }
  const std::string path = plan().scratch + "/" + step.step + ".hardware.json";
  std::ofstream out(path, std::ios::binary);
  out << to_json(counted).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  out.close();
  if (!out) throw Error("cannot write " + path + ": is the disk full?");
  nlohmann::json record = record_of(step, to_string(TestKind::hardware));
  record["problem"] = problem;
  record["observation"] = path;
  append_record(record);
}

}  // namespace ladder
