#include "common/judge/session/confinement.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <set>
#include <string_view>
#include <thread>
#include <utility>

#include "common/judge/plan.hpp"
#include "common/judge/worker/permissions.hpp"

namespace ladder {
namespace fs = std::filesystem;
namespace {

const char* sockets_of(const Launch& launch) {
  // NCCL's processes listen to each other, and share memory of their GPUs by local sockets.
  if (launch.by_mpirun && launch.on_gpu) return "any";
  if (nodes_of(launch) > 1) return "any";  // so do ranks of MPI on several nodes
  if (launch.by_mpirun) return "tcp";
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

SandboxPermissions permissions_of(const Launch& launch, const OwnFolders& own) {
  constexpr std::size_t max_of_file = std::size_t{64} << 20, max_of_trace = std::size_t{512} << 20;
  constexpr double most_seconds = 600;                         // of one core: ends what outlives the judge
  constexpr std::size_t threads = 1024, threads_of_core = 32;  // of all workers of a race
  const std::size_t cores = std::max(2u, std::thread::hardware_concurrency());
  SandboxPermissions allowed{.folder = own.work, .read = {launch.worker}, .write = {own.work, own.cache}};
  for (const Permission& permission : permissions)
    if (concerns(permission, launch.backend, launch.sanitized))
      (permission.folder ? allowed.write : allowed.devices).push_back(permission.path);
  if (const std::string recorder = recorder_of(launch); !recorder.empty())
    allowed.read.push_back(fs::path(recorder).parent_path());
  allowed.sockets = sockets_of(launch);
  allowed.may_start_processes = launch.backend == "opencl";  // its compiler does
  allowed.limits = {.cpu_seconds = most_seconds * static_cast<double>(cores),
                    .processes = threads + threads_of_core * cores,
                    .file_bytes = launch.traced ? max_of_trace : max_of_file};
  return allowed;
}

namespace {

/// In mode "uid" the folders above are the machine's own.
void check_reachable(const fs::path& folder) {
  for (fs::path above = folder.parent_path(); above != above.root_path(); above = above.parent_path()) {
    struct stat facts {};
    if (::stat(above.c_str(), &facts) == 0 && !(facts.st_mode & S_IXOTH))
      throw Error("uid " + std::to_string(plan().sandbox->uid) + " cannot enter " + above.string() +
                  ", which leads to its folder: give it the mode 0711");
  }
}

/// Blocks of files below a folder; a file or folder without blocks counts, too.
std::size_t bytes_below(const fs::path& folder) {
  constexpr std::size_t least = 4096;
  std::size_t sum = 0;
  std::error_code failed;
  fs::recursive_directory_iterator entries(folder, failed);
  for (; !failed && entries != fs::recursive_directory_iterator(); entries.increment(failed)) {
    struct stat facts {};
    if (::lstat(entries->path().c_str(), &facts) == 0)
      sum += std::max(least, static_cast<std::size_t>(facts.st_blocks) * 512);
  }
  // What has gone meanwhile is not there; a path that is too long hides something.
  return failed == std::errc::filename_too_long ? SIZE_MAX / 4 : sum;
}

}  // namespace

void hand_over(const OwnFolders& own) {
  const Sandbox& sandbox = *plan().sandbox;
  if (sandbox.uid == 0) return;
  for (const fs::path folder : {own.work, own.cache}) {
    if (sandbox.mode == "uid") check_reachable(folder);
    std::vector<fs::path> paths{folder};
    for (const auto& entry : fs::recursive_directory_iterator(folder)) paths.push_back(entry.path());
    for (const fs::path& path : paths)
      if (::lchown(path.c_str(), sandbox.uid, sandbox.gid) != 0)
        throw Error("cannot give " + path.string() + " to uid " + std::to_string(sandbox.uid) + ": " +
                    std::strerror(errno));
    fs::permissions(folder, fs::perms::owner_all);
  }
}

std::size_t bytes_written_in(const OwnFolders& own) {
  std::size_t sum = bytes_below(own.work) + bytes_below(own.cache);
  const Sandbox& sandbox = *plan().sandbox;
  if (sandbox.mode != "uid") return sum;  // its /dev/shm has a size of its own
  std::error_code failed;
  fs::directory_iterator entries("/dev/shm", failed);
  for (; !failed && entries != fs::directory_iterator(); entries.increment(failed)) {
    struct stat facts {};
    if (::lstat(entries->path().c_str(), &facts) == 0 && facts.st_uid == sandbox.uid)
      sum += static_cast<std::size_t>(facts.st_blocks) * 512;
  }
  return sum;
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
              : "; a driver that needs more belongs into common/judge/worker/permissions.hpp: strace -f "
                "shows which "
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

std::vector<std::string> take_missing_protection() {
  const std::set<std::string> all = std::exchange(noted(), {});
  return {all.begin(), all.end()};
}

}  // namespace ladder
