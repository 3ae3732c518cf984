#include "common/base/process/cgroup.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <set>
#include <sstream>

#include "common/base/error.hpp"
#include "common/base/files/whole_file.hpp"
#include "common/base/process/process_tree.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;

constexpr const char* mounted_at = "/sys/fs/cgroup";
constexpr const char* name_of_groups = "ladder-";
constexpr const char* own_leaf = "ladder-grader";

/// @return 0, or an errno; these files take one write each
int put(const fs::path& file, const std::string& text) {
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) return errno;
  const bool written = ::write(descriptor, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  const int error = written ? 0 : errno;
  ::close(descriptor);
  return error;
}

/// @throws Error
void must_put(const fs::path& file, const std::string& text) {
  if (const int error = put(file, text)) throw Error(file.filename().string() + ": " + std::strerror(error));
}

std::set<pid_t> processes_in(const fs::path& group) {
  std::istringstream list(read_text(group / "cgroup.procs"));
  return {std::istream_iterator<pid_t>(list), {}};
}

/// Our group in the hierarchy of a controller ("memory"; "" is version 2); empty: there is none.
fs::path own_group(const std::string& controller) {
  std::istringstream lines(read_text("/proc/self/cgroup"));
  for (std::string line; std::getline(lines, line);) {
    const auto first = line.find(':'), second = line.find(':', first + 1);
    if (second == line.npos || line.substr(first + 1, second - first - 1) != controller) continue;
    const fs::path mount = fs::path(mounted_at) / controller, own = line.substr(second + 2);
    // A container may see the whole machine's path, and have only its own part of the tree.
    return fs::exists(mount / own / "cgroup.procs") ? mount / own : mount;
  }
  return {};
}

bool has_word(const std::string& text, const std::string& word) {
  std::istringstream words(text);
  return std::find(std::istream_iterator<std::string>(words), {}, word) !=
         std::istream_iterator<std::string>();
}

/// This process, those above it, and those below it.
bool is_ours(pid_t pid) {
  for (pid_t above = ::getpid(); above > 0; above = facts_of(above).parent)
    if (above == pid) return true;
  const auto below = descendants(::getpid());
  return std::find(below.begin(), below.end(), pid) != below.end();
}

[[noreturn]] void refuse_for(const std::string& reason) {
  throw Error(reason + "; systemd-run " + (::geteuid() == 0 ? "" : "--user ") +
              "--scope -p Delegate=yes gives this program a control group of its own");
}

/// Root could write into each group, also into those that systemd keeps for itself; others see by trying.
void check_delegated(const fs::path& group) {
  if (::geteuid() != 0 || !fs::exists("/run/systemd/system")) return;
  char value[2] = {};
  for (const char* mark : {"trusted.delegate", "user.delegate"})
    if (::getxattr(group.c_str(), mark, value, sizeof value) == 1 && value[0] == '1') return;
  refuse_for("systemd has not delegated the control group of this program");
}

/// Makes room for groups in a group that has processes. @throws Error
void move_into_leaf(const fs::path& group) {
  for (const pid_t pid : processes_in(group))
    if (!is_ours(pid)) refuse_for("its control group has other programs in it");
  std::error_code there;
  fs::create_directory(group / own_leaf, there);
  for (const pid_t pid : processes_in(group))
    must_put(group / own_leaf / "cgroup.procs", std::to_string(pid));
}

/// Version 2. @throws Error when groups cannot be made
fs::path parent_of_version_2(fs::path group) {
  if (group.filename() == own_leaf) group = group.parent_path();  // another grader was here before
  const std::string controllers = read_text(group / "cgroup.controllers");
  for (const char* wanted : {"memory", "pids"})
    if (!has_word(controllers, wanted))
      throw Error(std::string("the controller ") + wanted + " is not delegated to this program's group");
  check_delegated(group);
  const fs::path switches = group / "cgroup.subtree_control";
  int error = put(switches, "+memory +pids");
  if (error == EBUSY) {
    move_into_leaf(group);
    error = put(switches, "+memory +pids");
  }
  if (error) throw Error("cgroup.subtree_control: " + std::string(std::strerror(error)));
  return group;
}

void end_all_in(const fs::path& group) {
  const bool at_once = put(group / "cgroup.kill", "1") == 0;  // since Linux 5.14
  for (int i = 0; i < 500; ++i) {
    const auto left = processes_in(group);
    if (left.empty()) return;
    if (!at_once)
      for (const pid_t pid : left) ::kill(pid, SIGKILL);
    ::usleep(2000);
  }
}

void remove_group(const fs::path& group) {
  end_all_in(group);
  // A process that has ended leaves its group a moment later.
  for (int i = 0; i < 500 && ::rmdir(group.c_str()) != 0 && errno == EBUSY; ++i) ::usleep(2000);
}

void bound(const fs::path& group, const CgroupBounds& bounds) {
  const std::string memory = std::to_string(bounds.memory_bytes);
  if (fs::exists(group / "memory.max")) {
    must_put(group / "memory.max", memory);
    put(group / "memory.swap.max", "0");
    put(group / "memory.oom.group", "1");
  }
  if (fs::exists(group / "memory.limit_in_bytes")) {
    must_put(group / "memory.limit_in_bytes", memory);
    put(group / "memory.memsw.limit_in_bytes", memory);
  }
  if (fs::exists(group / "pids.max")) must_put(group / "pids.max", std::to_string(bounds.processes));
}

/// Whether a program can run in a group there. @throws Error when it cannot
void try_out(const std::vector<std::string>& parents) {
  const Cgroup group(parents, name_of_groups + std::to_string(::getpid()) + "-probe", {1 << 26, 8});
  const pid_t child = ::fork();
  if (child == 0) {
    try {
      join_cgroups(group.folders());
      ::_exit(0);
    } catch (const Error&) {
      ::_exit(1);
    }
  }
  int status = -1;
  if (child < 0 || ::waitpid(child, &status, 0) != child || status != 0)
    throw Error("no program can enter a control group");
}

}  // namespace

CgroupParents cgroup_parents() {
  CgroupParents found;
  try {
    const fs::path two = own_group(""), memory = own_group("memory"), pids = own_group("pids");
    if (!memory.empty() && !pids.empty())
      found.folders = {memory, pids};
    else if (two.empty())
      throw Error("there are no control groups here");
    else
      found.folders = {parent_of_version_2(two)};
    remove_dead_cgroups(found.folders);
    try_out(found.folders);
  } catch (const Error& error) {
    found = {{}, error.what()};
  }
  return found;
}

Cgroup::Cgroup(const std::vector<std::string>& parents, const std::string& name, const CgroupBounds& bounds) {
  for (const fs::path parent : parents) {
    const fs::path group = parent / name;
    if (::mkdir(group.c_str(), 0755) != 0) {
      const int error = errno;
      for (const std::string& made : folders_) ::rmdir(made.c_str());
      throw Error(std::string("cannot make a control group: ") + std::strerror(error));
    }
    folders_.push_back(group);
    bound(group, bounds);
  }
}

Cgroup::~Cgroup() {
  for (const std::string& group : folders_) remove_group(group);
}

void remove_dead_cgroups(const std::vector<std::string>& parents) {
  for (const std::string& parent : parents) {
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(parent, none)) {
      const std::string name = entry.path().filename();
      const int pid =
          name.starts_with(name_of_groups) ? std::atoi(name.c_str() + std::strlen(name_of_groups)) : 0;
      if (pid > 0 && ::kill(pid, 0) != 0 && errno == ESRCH) remove_group(entry.path());
    }
  }
}

void join_cgroups(const std::vector<std::string>& folders) {
  for (const fs::path folder : folders) must_put(folder / "cgroup.procs", "0");
}

int ended_for_memory(const std::vector<std::string>& folders) {
  for (const fs::path folder : folders)
    for (const char* file : {"memory.events", "memory.oom_control"}) {
      std::istringstream words(read_text(folder / file));
      int count = 0;
      for (std::string word; words >> word;)
        if (word == "oom_kill" && words >> count) return count;
    }
  return 0;
}

}  // namespace ladder
