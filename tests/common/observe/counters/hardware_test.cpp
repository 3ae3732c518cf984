/// @file
/// What the executor counts today against what GPUs counted: docs/results/*/executor.json, from `./ladder reproduce executor`.

#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/common/observe/counters/observe.hpp"

using ladder::test::observe;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

/// Kernels whose machine code does something else than their source, with the reason.
const std::map<std::string, const char*> explained = {
    {"shared_double_same", "nvcc makes a loop of compare-and-swap of an atomic on a double in shared memory"},
    {"shared_double_spread", "as before"},
    {"shared_int_eight_counters", "a predicated store is a request of warps too in which no lane stores"},
};

/// Branches depend on what the compiler unrolls and predicates; they are published and not compared.
bool compared(const std::string& counter) {
  return counter.find("branches") == counter.npos;
}

}  // namespace

TEST_CASE("counters of memory are the hardware's within 2 %") {
  int compared_kernels = 0;
  std::map<std::string, std::string> not_counted;  // on this machine: local memory needs nvcc
  for (const auto& machine : fs::directory_iterator(fs::path(LADDER_SOURCES) / "../../../../docs/results")) {
    const fs::path file = machine.path() / "executor.json";
    if (!fs::exists(file)) continue;
    const json table = json::parse(ladder::test::read_file(file.string()));
    const json programs =
        table.value("programs", json::array());  // none: a machine without a GPU has costs only
    for (const json& program : programs) {
      const std::string name = program.at("program");
      if (name != "global_access" && name != "shared_access" && name != "atomics") continue;
      for (const json& stored : program.at("launches")) {
        const std::string kernel = stored.at("kernel");
        if (explained.count(kernel)) continue;
        const ladder::LaunchCounters& launch = observe(name).launch(kernel);
        ++compared_kernels;
        for (const auto& [counter, cell] : stored.at("counters").items()) {
          if (!cell.contains("hardware") || !compared(counter)) continue;
          if (const auto why = launch.skipped.find(counter); why != launch.skipped.end()) {
            not_counted[counter] = why->second;
            continue;
          }
          const double there = cell.at("hardware").get<double>(), here = launch.counters.at(counter);
          INFO(machine.path().filename() << " " << name << " " << kernel << " " << counter);
          CHECK(std::abs(here - there) <= 0.02 * std::max(here, there));
        }
      }
    }
  }
  CHECK(compared_kernels >= 60);
  for (const auto& [counter, why] : not_counted)
    ladder::test::note_skip(counter + " beside the hardware's: " + why);
}
