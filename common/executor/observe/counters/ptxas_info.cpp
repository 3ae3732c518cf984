#include "common/executor/observe/counters/ptxas_info.hpp"

#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/text/kernel_name.hpp"

namespace ladder::executor {
namespace {

struct CompiledKernel {
  std::string name;  ///< "space::kernel<32>"
  unsigned registers = 0;
  double local_bytes = 0;  ///< of a thread: arrays and spilled registers
};

/// Of all sources of the program.
struct Reports {
  std::vector<CompiledKernel> kernels;
  std::string problem = "this program was built where there is no nvcc";
};

Reports& reports() {
  static auto* const all = new Reports;
  return *all;
}

/// Without namespaces, and without spaces: two spellings of a name may differ in these.
std::string short_name(std::string name) {
  std::erase(name, ' ');
  const auto space = name.rfind("::", name.find('<'));
  return space == std::string::npos ? name : name.substr(space + 2);
}

std::string without_arguments(const std::string& name) {
  return name.substr(0, name.find('<'));
}

/// The kernel that a launch names. In a template it may be called by a parameter: then the only instance is
/// meant.
const CompiledKernel* find(const std::string& launched) {
  const std::string name = short_name(launched);
  const CompiledKernel* found = nullptr;
  int instances = 0;
  for (const CompiledKernel& kernel : reports().kernels) {
    if (short_name(kernel.name) == name) return &kernel;
    if (without_arguments(short_name(kernel.name)) != without_arguments(name)) continue;
    found = &kernel;
    ++instances;
  }
  return instances == 1 ? found : nullptr;
}

}  // namespace

int add_compiler_report(const char* text) {
  static const std::regex entry("Compiling entry function '([^']+)'");
  static const std::regex memory(
      "(\\d+) bytes stack frame, (\\d+) bytes spill stores, (\\d+) bytes spill loads");
  static const std::regex used("Used (\\d+) registers");
  Reports& all = reports();
  all.problem.clear();
  std::string_view rest = text;
  bool entered = false;
  while (!rest.empty()) {
    const std::string line(rest.substr(0, rest.find('\n')));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    std::smatch match;
    if (std::regex_search(line, match, entry)) {
      all.kernels.push_back({ladder::kernel_name(match[1]), 0, 0});
      entered = true;
    } else if (entered && std::regex_search(line, match, memory)) {
      all.kernels.back().local_bytes = std::stod(match[1]);
    } else if (entered && std::regex_search(line, match, used)) {
      all.kernels.back().registers = static_cast<unsigned>(std::stoul(match[1]));
      entered = false;
    }
  }
  if (all.kernels.empty()) all.problem = "nvcc did not compile this source";
  return 0;
}

void add_ptxas_info(LaunchCounters& launch) {
  const CompiledKernel* kernel = find(launch.kernel);
  if (!kernel) {
    const std::string& problem = reports().problem;
    launch.skipped["local_bytes"] =
        !problem.empty() ? problem
                         : "ptxas names no kernel, or several, that are launched as " + launch.kernel;
    return;
  }
  double threads = 1;
  for (int i = 0; i < 3; ++i) threads *= static_cast<double>(launch.grid[i]) * launch.block[i];
  launch.registers = kernel->registers;
  launch.counters["local_bytes"] = kernel->local_bytes * threads;
}

}  // namespace ladder::executor
