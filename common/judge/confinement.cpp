#include "common/judge/confinement.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <string_view>
#include <utility>

#include "common/judge/permissions.hpp"
#include "common/judge/plan.hpp"

namespace ladder {
namespace fs = std::filesystem;
namespace {

const char* sockets_of(const Launch& launch) {
  if (launch.backend == "mpi") return "tcp";
  return launch.on_gpu || launch.backend == "cuda" ? "unheard" : "none";
}

}  // namespace

std::vector<std::string> arguments_of_confinement(const Launch& launch,
                                                  const std::vector<std::string>& folders) {
  std::vector<std::string> arguments{"--sockets", sockets_of(launch)};
  for (const std::string& folder : folders) arguments.insert(arguments.end(), {"--folder", folder});
  for (const Permission& permission : permissions)
    if (concerns(permission, launch.backend, launch.sanitized))
      arguments.insert(arguments.end(), {permission.folder ? "--folder" : "--device", permission.path});
  return arguments;
}

std::string cache_of(const Launch& launch) {
  static std::set<fs::path> handed_out;  // workers of this judge may still use these
  const fs::path mine = fs::path(plan().caches) / launch.kept_as / launch.kept_for;
  handed_out.insert(mine);
  std::error_code ignored;
  fs::create_directories(mine, ignored);  // without a cache a driver compiles again
  for (const auto& entry : fs::directory_iterator(mine.parent_path(), ignored))
    if (!handed_out.contains(entry.path())) fs::remove_all(entry.path(), ignored);
  return mine;
}

std::string devices_text(const std::string& backend, int devices) {
  std::string patterns;
  int others = 0;  // device files that do not belong to a GPU
  for (const Permission& permission : permissions) {
    if (permission.folder || !concerns(permission, backend, false)) continue;
    if (std::string_view(permission.backend) == "any")
      ++others;
    else
      patterns += (patterns.empty() ? "" : ", ") + std::string(permission.path);
  }
  const int found = std::max(0, devices - others);
  return "it may open " + std::to_string(found) + (found == 1 ? " device file" : " device files") + " of " +
         patterns +
         (found == 0
              ? ": the driver makes them when a program of root first uses the GPU; run nvidia-smi, then "
                "again"
              : "; a driver that needs more belongs into common/judge/permissions.hpp: strace -f shows which "
                "call is refused");
}

namespace {

std::set<std::string>& noted() {
  static std::set<std::string> all;
  return all;
}

}  // namespace

void note_gap(const std::string& gap) {
  noted().insert(gap);
}

std::vector<std::string> take_gaps() {
  const std::set<std::string> all = std::exchange(noted(), {});
  return {all.begin(), all.end()};
}

}  // namespace ladder
