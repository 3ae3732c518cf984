#pragma once
/// @file
/// Keeps a stranger's program, and a compiler that reads a stranger's text, away from the rest of the
/// machine: two ways to do that, and the command line in front of the program.

#include <sys/types.h>

#include <cstddef>
#include <string>
#include <vector>

namespace ladder {

/// How programs of one submission are kept apart. In both modes bin/confine is in front of the program.
struct Sandbox {
  /// "bwrap": namespaces of its own, made by bubblewrap. "uid": a user of its own and Landlock, for root in a
  /// container that forbids namespaces.
  std::string mode{};
  std::string bwrap = "/usr/bin/bwrap";
  std::string confine;  ///< bin/confine
  uid_t uid = 0;        ///< the user that the program becomes; 0: an ordinary user keeps its own
  gid_t gid = 0;
  std::vector<std::string> read{};  ///< files and folders that may be read besides the system's
  /// Folders of the control group that programs join (cgroup.hpp); empty: only each process is bounded.
  std::vector<std::string> cgroups{};
  std::string no_cgroups{};  ///< why there are none
};

/// Limits of one process; 0: none.
struct SandboxLimits {
  double cpu_seconds = 0;      ///< of all its threads
  std::size_t processes = 0;   ///< and threads, of the sandbox's user
  std::size_t file_bytes = 0;  ///< of one file
  std::size_t data_bytes = 0;  ///< of memory that it writes
};

/// What one program in a sandbox may do.
struct SandboxPermissions {
  std::string folder{};                ///< where it starts; empty: where the caller is
  std::vector<std::string> read{};     ///< besides the system and Sandbox::read
  std::vector<std::string> write{};    ///< folders; a folder of /dev or /proc is that of the sandbox
  std::vector<std::string> devices{};  ///< patterns of device files that it may use
  std::string sockets =
      "none";  ///< "none", "unheard", "tcp": see bin/confine; "any", in a network of its own
  bool may_start_processes = false;  ///< and may change modes and dates of its own files, as a compiler does
  SandboxLimits limits{};
};

/// The words before bin/confine: what joins the control group, where there is one; bubblewrap's, in mode
/// "bwrap".
std::vector<std::string> walls_of(const Sandbox& sandbox, const SandboxPermissions& permissions);
/// The options of bin/confine.
/// @param becomes_user  whether it is still the caller; false below a program that command_in() has started
std::vector<std::string> confinement_of(const Sandbox& sandbox, const SandboxPermissions& permissions,
                                        bool becomes_user = true);
/// The command line that runs a program in the sandbox with these permissions.
std::vector<std::string> command_in(const Sandbox& sandbox, const SandboxPermissions& permissions,
                                    std::vector<std::string> program);

/// Which modes work here, for this user. Each was tried: a program ran in it.
struct SandboxModes {
  std::string no_bwrap{}, no_uid{};  ///< why not, one line; empty: it works
  /// The mode to choose: "bwrap", else "uid"; empty: none works.
  std::string best() const { return no_bwrap.empty() ? "bwrap" : no_uid.empty() ? "uid" : ""; }
};
/// @param sandbox  its programs, its user, and what it may read; the mode does not matter
SandboxModes probe(const Sandbox& sandbox);

/// What sweep() has removed.
struct Swept {
  int processes = 0;  ///< at least: one that ended before it was seen is not counted
  int ipc = 0;        ///< System V shared memory, semaphores and message queues
  int files = 0;      ///< in /dev/shm, /dev/mqueue, /tmp and /var/tmp, with shared memory by POSIX
};
/// Ends every process of a sandbox's user and removes what they have left outside of their folders.
/// @throws Error when that is not root's to do, when a real user has the number, or when processes remain
Swept sweep(uid_t uid);

}  // namespace ladder
