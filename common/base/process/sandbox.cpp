#include "common/base/process/sandbox.hpp"

#include <fcntl.h>
#include <glob.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <set>

#include "common/base/error.hpp"

extern char** environ;

namespace ladder {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

// What programs need to start: no home folders, no keys, nothing of the project.
constexpr const char* system_folders[] = {"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"};
constexpr const char* system_files[] = {"/etc/ld.so.cache",  "/etc/ld.so.conf", "/etc/ld.so.conf.d",
                                        "/etc/alternatives", "/etc/OpenCL",     "/etc/nsswitch.conf",
                                        "/etc/passwd",       "/etc/group",      "/etc/hosts",
                                        "/etc/localtime",    "/etc/openmpi",    "/etc/pmix",
                                        "/opt/cuda*",        "/opt/nvidia*",    "/opt/rocm*",
                                        "/opt/amdgpu*",      "/opt/intel*",     "/sys"};
/// What a mount of its own gives in mode "bwrap". Of /proc only the process itself, and facts about the
/// machine.
constexpr const char* kernel_files[] = {"/dev/null",
                                        "/dev/zero",
                                        "/dev/full",
                                        "/dev/random",
                                        "/dev/urandom",
                                        "/proc/self",
                                        "/proc/cpuinfo",
                                        "/proc/meminfo",
                                        "/proc/stat",
                                        "/proc/version",
                                        "/proc/filesystems",
                                        "/proc/devices",
                                        "/proc/sys/vm",
                                        "/proc/driver/nvidia",
                                        "/proc/sys/kernel/osrelease",
                                        "/proc/sys/fs/file-max"};

void add(Words& words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
}

Words matching(const char* pattern) {
  Words found;
  glob_t names{};
  if (::glob(pattern, 0, nullptr, &names) == 0) found.assign(names.gl_pathv, names.gl_pathv + names.gl_pathc);
  ::globfree(&names);
  return found;
}

/// Without what is inside of a folder that is there as well: it comes with that one.
Words outermost(Words paths) {
  std::sort(paths.begin(), paths.end(), [](const fs::path& a, const fs::path& b) { return a < b; });
  Words kept;
  for (std::string& path : paths)
    if (kept.empty() || (path != kept.back() && !path.starts_with(kept.back() + "/")))
      kept.push_back(std::move(path));
  return kept;
}

Words readable_of(const Sandbox& sandbox, const SandboxPermissions& permissions) {
  Words paths = sandbox.read;
  add(paths, permissions.read);
  paths.push_back(sandbox.confine);
  return outermost(std::move(paths));
}

bool belongs_to_kernel(const std::string& path) {
  return path.starts_with("/dev/") || path.starts_with("/proc/");
}

void check(const Sandbox& sandbox) {
  if (sandbox.mode != "bwrap" && sandbox.mode != "uid")
    throw Error("'" + sandbox.mode + "' is no mode of a sandbox: bwrap or uid");
  const bool root = ::geteuid() == 0;
  if (root && (sandbox.uid == 0 || sandbox.gid == 0))
    throw Error("root's sandbox needs a user and a group of its own: uid and gid are 0");
  if (!root && sandbox.mode == "uid") throw Error("only root can give a program another uid");
}

/// What is mounted, in this order.
struct Mount {
  const char* how;
  std::string path;
};

std::vector<Mount> mounts_of(const Sandbox& sandbox, const SandboxPermissions& permissions) {
  std::vector<Mount> mounts;
  for (const char* pattern : system_files)
    for (const std::string& path : matching(pattern)) mounts.push_back({"--ro-bind", path});
  for (const std::string& pattern : permissions.devices)
    for (const std::string& path : matching(pattern.c_str()))
      if (path != "/dev/null") mounts.push_back({"--dev-bind", path});
  for (const std::string& path : readable_of(sandbox, permissions)) mounts.push_back({"--ro-bind", path});
  for (const std::string& path : outermost(permissions.write))
    if (!belongs_to_kernel(path)) mounts.push_back({"--bind", path});
  return mounts;
}

/// bubblewrap would make the folders above a mount for root alone.
std::set<std::string> folders_above(const std::vector<Mount>& mounts) {
  std::set<std::string> folders;
  for (const Mount& one : mounts)
    for (fs::path above = fs::path(one.path).parent_path(); above != above.root_path();
         above = above.parent_path())
      folders.insert(above);
  return folders;
}

/// /bin and others may be links into /usr.
void add_system_folders(Words& words) {
  std::error_code none;
  for (const std::string path : system_folders)
    if (fs::is_symlink(path, none))
      add(words, {"--symlink", fs::read_symlink(path, none), path});
    else
      add(words, {"--ro-bind-try", path, path});
}

}  // namespace

Words walls_of(const Sandbox& sandbox, const SandboxPermissions& permissions) {
  check(sandbox);
  Words words;
  if (!sandbox.cgroups.empty()) {  // outside of the walls, inside of which no group can be written to
    words = {sandbox.confine, "--join"};
    add(words, sandbox.cgroups);
    words.push_back("--");
  }
  if (sandbox.mode != "bwrap") return words;
  constexpr const char* own_bytes = "268435456";  // of /tmp and /dev/shm: that is memory
  add(words, {sandbox.bwrap, "--die-with-parent", "--unshare-ipc", "--unshare-pid", "--unshare-net",
              "--unshare-uts", "--unshare-cgroup-try", "--cap-drop", "ALL"});
  if (::geteuid() == 0)
    add(words, {"--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"});  // bin/confine drops both
  else
    add(words, {"--unshare-user"});
  add_system_folders(words);
  add(words, {"--proc", "/proc", "--dev", "/dev"});
  for (const char* folder : {"/dev/shm", "/tmp"})
    add(words, {"--perms", "1777", "--size", own_bytes, "--tmpfs", folder});
  const std::vector<Mount> mounts = mounts_of(sandbox, permissions);
  for (const std::string& folder : folders_above(mounts)) add(words, {"--perms", "0755", "--dir", folder});
  for (const auto& [how, path] : mounts) add(words, {how, path, path});
  add(words, {"--remount-ro", "/", "--"});
  return words;
}

Words confinement_of(const Sandbox& sandbox, const SandboxPermissions& permissions, bool becomes_user) {
  check(sandbox);
  Words words{"--in-sandbox", "--sockets", permissions.sockets};
  if (becomes_user && sandbox.uid != 0)
    add(words, {"--uid", std::to_string(sandbox.uid), "--gid", std::to_string(sandbox.gid)});
  if (becomes_user && sandbox.mode == "uid" && permissions.sockets == "any") words.push_back("--own-network");
  if (!permissions.folder.empty()) add(words, {"--chdir", permissions.folder});
  if (!permissions.may_start_processes) words.push_back("--alone");
  if (sandbox.mode == "uid") {
    for (const char* path : system_folders) add(words, {"--read", path});
    for (const char* pattern : system_files)
      for (const std::string& path : matching(pattern)) add(words, {"--read", path});
    for (const char* path : kernel_files) add(words, {"--read", path});
    // Programs below this one are other processes than /proc/self.
    if (permissions.sockets == "any") add(words, {"--read", "/proc"});
    for (const std::string& path : readable_of(sandbox, permissions)) add(words, {"--read", path});
  }
  for (const std::string& path : permissions.write) add(words, {"--folder", path});
  for (const std::string& pattern : permissions.devices) add(words, {"--device", pattern});
  const auto limit = [&](const char* name, double value) {
    if (value > 0)
      add(words, {"--limit", std::string(name) + "=" + std::to_string(std::llround(std::ceil(value)))});
  };
  limit("cpu", permissions.limits.cpu_seconds);
  limit("processes", static_cast<double>(permissions.limits.processes));
  limit("file", static_cast<double>(permissions.limits.file_bytes));
  limit("data", static_cast<double>(permissions.limits.data_bytes));
  return words;
}

Words command_in(const Sandbox& sandbox, const SandboxPermissions& permissions, Words program) {
  Words words = walls_of(sandbox, permissions);
  add(words, {sandbox.confine, "--run"});
  add(words, confinement_of(sandbox, permissions));
  words.push_back("--");
  add(words, program);
  return words;
}

namespace {

/// What a program prints, on both channels, and how it ends.
struct Printed {
  std::string text;
  int status = -1;
};

Printed printed_by(Words command) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return {std::strerror(errno), -1};
  std::vector<char*> arguments;
  for (std::string& word : command) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  ::posix_spawn_file_actions_adddup2(&actions, ends[1], 2);
  pid_t pid = -1;
  const int failed = ::posix_spawnp(&pid, arguments[0], &actions, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  Printed printed;
  char buffer[1024];
  for (ssize_t n; failed == 0 && (n = ::read(ends[0], buffer, sizeof buffer)) > 0;)
    printed.text.append(buffer, static_cast<std::size_t>(n));
  ::close(ends[0]);
  if (failed)
    printed.text = command[0] + ": " + std::strerror(failed);
  else
    ::waitpid(pid, &printed.status, 0);
  return printed;
}

/// @return why not; empty: a program ran as the sandbox's user
std::string tried(const Sandbox& sandbox) {
  try {
    const SandboxPermissions permissions{.folder = "/"};
    const Printed printed = printed_by(command_in(sandbox, permissions, {"id", "-u"}));
    const uid_t wanted = sandbox.uid == 0 ? ::geteuid() : sandbox.uid;
    if (printed.status == 0 && printed.text == std::to_string(wanted) + "\n") return "";
    if (printed.status == 0) return "a program in it runs as uid " + printed.text;
    const std::string line = printed.text.substr(0, printed.text.find('\n'));
    return line.empty() ? "a program in it ends with status " + std::to_string(printed.status) : line;
  } catch (const Error& error) {
    return error.what();
  }
}

}  // namespace

SandboxModes probe(const Sandbox& sandbox) {
  Sandbox one = sandbox;
  SandboxModes modes;
  one.mode = "bwrap";
  modes.no_bwrap = tried(one);
  one.mode = "uid";
  modes.no_uid = tried(one);
  return modes;
}

}  // namespace ladder
