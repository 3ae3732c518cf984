#include "common/judge/hardware_rules.hpp"

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "common/judge/sheet.hpp"
#include "common/trace/ncu.hpp"
#include "common/trace/programs.hpp"

namespace ladder {

Launch launch_under_ncu(const PlannedStep& step, Data data, const std::string& log) {
  if (step.backend != "cuda")
    throw Failure{Verdict::skipped, "ncu counts on an NVIDIA GPU; this runs on " + step.backend, {}};
  const std::string ncu = find_program("ncu");
  if (ncu.empty()) throw Failure{Verdict::skipped, "ncu is not installed (part of the CUDA Toolkit)", {}};
  Launch launch = launch_of(step, data);
  launch.under = ncu_command(ncu, {});
  launch.patience = 15;  // ncu runs each kernel several times: 0.2 s a launch, and some steps launch hundreds
  launch.under.insert(launch.under.end(), {"--log-file", log});
  return launch;
}

void write_hardware(const PlannedStep& step, const std::string& problem, const std::string& log) {
  std::ifstream in(log, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  Observation counted;
  try {
    counted = parse_ncu(text);
  } catch (const Error& why) {
    throw Failure{Verdict::skipped, why.what(), {}};
  }
  const auto dump = [](const nlohmann::json& j) {
    return j.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  };
  const std::string path = plan().scratch + "/" + step.step + ".hardware.json";
  std::ofstream out(path, std::ios::binary);
  out << dump(to_json(counted));
  out.close();
  if (!out) throw Error("cannot write " + path + ": is the disk full?");
  append_record(dump({{"record", "hardware"},
                      {"lesson", plan().lesson},
                      {"step", step.step},
                      {"tree", step.tree},
                      {"mutant", step.mutant},
                      {"problem", problem},
                      {"observation", path}}));
}

}  // namespace ladder
