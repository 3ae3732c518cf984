#pragma once
/// @file
/// Control groups: bounds on what all programs of one submission use together. They need a folder of the
/// kernel's in which this process may make groups; where there is none, the bounds of each process and the
/// judge's watch remain.

#include <cstddef>
#include <string>
#include <vector>

namespace ladder {

/// Where groups can be made: one folder (version 2), or one each for memory and processes (version 1).
struct CgroupParents {
  std::vector<std::string> folders{};
  std::string why_not{};  ///< one line; empty: a program ran in a group here
};

/// Looks below this process's own group, and tries it. In version 2 a group has either processes or groups:
/// when ours has no process but this program's, its ancestors' and its children's, they move into a group
/// "ladder-grader" next to the new ones. Groups of graders that are gone are removed.
CgroupParents cgroup_parents();

/// What all processes of a group may use together.
struct CgroupBounds {
  std::size_t memory_bytes =
      0;  ///< with files in memory, page tables and what else the kernel keeps for them; no swap
  std::size_t processes = 0;  ///< and threads
};

/// A group; its end ends all processes in it.
class Cgroup {
 public:
  /// @param name  "ladder-PID-…", of the process whose end makes it a leftover
  /// @throws Error
  Cgroup(const std::vector<std::string>& parents, const std::string& name, const CgroupBounds& bounds);
  ~Cgroup();
  Cgroup(const Cgroup&) = delete;
  Cgroup& operator=(const Cgroup&) = delete;
  /// What a program joins by writing "0" to cgroup.procs of each.
  const std::vector<std::string>& folders() const { return folders_; }

 private:
  std::vector<std::string> folders_;
};

/// Removes the groups of processes that are gone, with what runs in them.
void remove_dead_cgroups(const std::vector<std::string>& parents);

/// Joins groups, forever: this process and all that it starts. @throws Error
void join_cgroups(const std::vector<std::string>& folders);

/// How many processes of a group the kernel has ended because the group's memory was used up.
int ended_for_memory(const std::vector<std::string>& folders);

}  // namespace ladder
