#include "common/tool/machine/container_toolkit.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <regex>
#include <sstream>

#include "common/base/process/process.hpp"
#include "common/base/text/text.hpp"
#include "common/trace/programs.hpp"

namespace ladder {
namespace {

using Version = std::array<int, 3>;

/// "1.17.7-rc.1" as its three numbers; {} where there are none.
Version numbers_of(const std::string& version) {
  Version v{};
  if (std::sscanf(version.c_str(), "%d.%d.%d", &v[0], &v[1], &v[2]) < 2) return {};
  return v;
}

/// "1.17.7" of "NVIDIA Container Toolkit CLI version 1.17.7".
std::string version_in(const std::string& text) {
  static const std::regex pattern(R"((\d+\.\d+\.\d+))");
  std::smatch found;
  return std::regex_search(text, found, pattern) ? found.str(1) : "";
}

/// What is known about the toolkit: NVIDIA's bulletins of September 2024 and July 2025.
struct Hole {
  Version last;  ///< the last version that has it
  const char* name;
};
constexpr Hole holes[] = {{{1, 16, 1}, "CVE-2024-0132"}, {{1, 17, 7}, "CVE-2025-23266"}};
constexpr const char* repaired = "1.17.8";

}  // namespace

bool has_mounted_driver(const std::string& mounts) {
  static const std::regex driver(R"(/(libcuda|libnvidia-ml)\.so[.0-9]*|/nvidia-smi)");
  for (const std::string& line : lines_of(mounts)) {
    std::istringstream words(line);
    std::string id, parent, device, root, place;
    if (!(words >> id >> parent >> device >> root >> place) || !place.starts_with("/") ||
        place.starts_with("/.singularity.d/"))
      continue;
    if (std::regex_match(place.substr(place.rfind('/')), driver)) return true;
  }
  return false;
}

std::string toolkit_warning(const std::string& version) {
  const Version is = numbers_of(version);
  if (is == Version{})
    return fmt::format(
        "this container has its GPU from NVIDIA's Container Toolkit, whose version cannot be seen from "
        "inside. Up to "
        "1.17.7 it lets an image take over the host ({}, {}): ask the host (nvidia-ctk --version), and "
        "grade "
        "strangers' code with {} or newer. LADDER_CONTAINER_TOOLKIT=VERSION tells doctor",
        holes[0].name, holes[1].name, repaired);
  std::string names;
  for (const Hole& hole : holes)
    if (is <= hole.last) names += (names.empty() ? "" : ", ") + std::string(hole.name);
  if (names.empty()) return "";
  return fmt::format(
      "NVIDIA's Container Toolkit, which gave this container its GPU, is {}: it lets an image take over the "
      "host "
      "({}). Grade no stranger's code here before the host has {} or newer",
      version, names, repaired);
}

std::optional<model::ContainerToolkit> container_toolkit() {
  if (!has_mounted_driver(read_text("/proc/self/mountinfo"))) return std::nullopt;
  const char* told = std::getenv("LADDER_CONTAINER_TOOLKIT");
  std::string version = version_in(told ? told : "");
  for (const char* program : {"nvidia-ctk", "nvidia-container-cli"})
    if (version.empty())
      if (const std::string path = find_program(program); !path.empty())
        version = version_in(run_process({.arguments = {path, "--version"}, .seconds = 10}).output);
  return model::ContainerToolkit{version, toolkit_warning(version)};
}

}  // namespace ladder
