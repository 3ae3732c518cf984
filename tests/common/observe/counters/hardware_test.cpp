/// @file
/// What the executor counts today against what GPUs counted: docs/results/*/executor.json, from `./ladder
/// reproduce executor`.
// Guards: docs/measuring.md#the-executor-compared-with-a-gpu, docs/executor.md

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "common/report/results/hardware_comparison.hpp"
#include "common/sitegen/counted_code.hpp"
#include "tests/common/observe/counters/observe.hpp"

using ladder::test::observe;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

const fs::path root = fs::path(LADDER_SOURCES) / "../../..";

const json& explained() {
  static const json all = ladder::report::read_explained(root);
  return all;
}

/// Whether the machine code of a kernel does something else than its source.
bool has_reason(const std::string& program, const std::string& kernel, const std::string& counter) {
  return std::any_of(explained().begin(), explained().end(), [&](const json& reason) {
    return ladder::report::explains(reason, program, kernel, counter);
  });
}

/// Branches depend on what the compiler unrolls and predicates; they are published and not compared.
bool compared(const std::string& counter) {
  return counter.find("branches") == counter.npos;
}

/// The launch of a kernel; null when it has several.
const ladder::LaunchCounters* only_launch(const ladder::test::ObservedRun& run, const std::string& kernel) {
  const ladder::LaunchCounters* found = nullptr;
  for (const ladder::LaunchCounters& launch : run.observation.launches) {
    if (launch.kernel != kernel) continue;
    if (found) return nullptr;
    found = &launch;
  }
  return found;
}

/// The stored tables: docs/results/*/executor.json.
std::vector<std::pair<std::string, json>> tables() {
  std::vector<std::pair<std::string, json>> all;
  for (const auto& machine : fs::directory_iterator(root / "docs/results"))
    if (const fs::path file = machine.path() / "executor.json"; fs::exists(file))
      all.emplace_back(machine.path().filename(), json::parse(ladder::test::read_file(file.string())));
  return all;
}

}  // namespace

TEST_CASE("counters of memory are the hardware's within 2 %") {
  int compared_kernels = 0;
  std::map<std::string, std::string> not_counted;  // on this machine: local memory needs nvcc
  for (const auto& [machine, table] : tables()) {
    const json programs =
        table.value("programs", json::array());  // none: a machine without a GPU has costs only
    for (const json& program : programs) {
      const std::string name = program.at("program");
      for (const json& stored : program.at("kernels")) {
        const std::string kernel = stored.at("kernel");
        const ladder::LaunchCounters* launch = only_launch(observe(name), kernel);
        if (!launch) continue;  // of a graph that is launched again and again
        ++compared_kernels;
        for (const auto& [counter, cell] : stored.at("counters").items()) {
          if (!cell.contains("hardware") || !compared(counter)) continue;
          if (has_reason(name, kernel, counter)) continue;
          if (const auto why = launch->skipped.find(counter); why != launch->skipped.end()) {
            not_counted[counter] = why->second;
            continue;
          }
          const double there = cell.at("hardware").get<double>(), here = launch->counters.at(counter);
          INFO(machine << " " << name << " " << kernel << " " << counter);
          CHECK(std::abs(here - there) <= 0.02 * std::max(here, there));
        }
      }
    }
  }
  CHECK(compared_kernels >= 95);
  for (const auto& [counter, why] : not_counted)
    ladder::test::note_skip(counter + " against the hardware's: " + why);
}

TEST_CASE("stored differences of more than 10 % have a reason, and each reason explains something") {
  std::vector<bool> needed(explained().size());
  for (auto& [machine, table] : tables()) {
    INFO(machine);
    ladder::report::drop_changed_code(table, root);
    for (const char* part : {"programs", "solutions"}) {
      const auto kernels = ladder::report::kernels_beside(table.value(part, json::array()), explained());
      CHECK(ladder::report::unexplained(kernels) == std::vector<std::string>());
      for (const auto& kernel : kernels)
        for (const auto& counter : kernel.counters)
          for (std::size_t i = 0; i < needed.size(); ++i)
            if (counter.worst > 0.02 &&
                ladder::report::explains(explained()[i], kernel.of, kernel.kernel, counter.name))
              needed[i] = true;
    }
  }
  for (std::size_t i = 0; i < needed.size(); ++i) {
    INFO(explained()[i].dump());
    CHECK(needed[i]);
  }
}
