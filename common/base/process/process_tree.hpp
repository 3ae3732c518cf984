#pragma once
/// @file
/// Processes as /proc shows them: who is below whom, what they use, and how to end them all.

#include <sys/resource.h>
#include <sys/types.h>

#include <cstddef>
#include <map>
#include <set>
#include <vector>

namespace ladder {

/// What /proc says of a process; parent 0 when it is gone.
struct ProcessFacts {
  char state = 0;  ///< R, S, D, T, Z … as ps shows it
  pid_t parent = 0;
  std::size_t resident_bytes = 0;  ///< without page tables
  double seconds = 0;              ///< of CPU time, with its children that have ended
};
ProcessFacts facts_of(pid_t pid);

/// Memory by which the kernel finds a process' memory: little, unless it touches a page here and there of
/// very much.
std::size_t page_table_bytes(pid_t pid);

/// CPU time of a process and all its threads, also those that have ended, in seconds. Exact at any moment,
/// unlike /proc, which is up to a tick late. @return 0 when the process is gone
double processor_seconds_of(pid_t pid);

/// CPU time as the kernel says it of a process that has ended, with those that it has waited for, in seconds.
double processor_seconds(const rusage& used);

/// CPU time of this process and of all below it that have ended, in seconds.
double processor_seconds_used();

/// How long a process and those below it had to wait for a core: time that the machine is to answer for, not
/// they. It knows what it sees when it looks, so it must look while threads live. Nothing where the kernel
/// does not count it.
class WaitingTime {
 public:
  explicit WaitingTime(pid_t root);

  /// Looks again. From one look to the next the thread counts that waited longest: waits of threads that
  /// follow each other add up, and those of threads next to each other do not.
  /// @return seconds since it was made
  double look();

 private:
  using ByThread = std::map<pid_t, double>;
  ByThread seen() const;

  pid_t root_;
  double begin_;
  ByThread before_;
  double sum_ = 0;
};

/// Bytes of files without a name that these processes have open or mapped, each file once: no folder shows
/// them, yet they need disk or memory. Of files that are mapped only, what root can see.
std::size_t unlinked_bytes(const std::vector<pid_t>& pids);

/// Every process of the machine that this one can see.
std::set<pid_t> all_processes();

/// Every thread of a process; none when it is gone.
std::set<pid_t> threads_of(pid_t process);

/// Every process below @p root, not root itself.
std::vector<pid_t> descendants(pid_t root);

/// Resident memory of a process and all below it, with page tables, bytes: a compiler is below a shell,
/// and below a sandbox.
std::size_t memory_of_family(pid_t root);

/// Sends a signal to @p pid if it is @p root or below it, never to another process that has been given its
/// number meanwhile.
bool signal_in_family(pid_t pid, pid_t root, int signal);

/// Stops a process and everything below it, also what is forked meanwhile; returns when their main threads
/// have stopped.
/// @return all of them
std::vector<pid_t> stop_family(pid_t root);

/// Ends everything below a process, also what was forked meanwhile and what has become an orphan.
void kill_descendants_of(pid_t root, bool with_root);

/// How busy the machine has been with other processes than ours, since the object was made.
class LoadWatch {
 public:
  LoadWatch();
  /// Share of all cores that other processes used, 0 to 1.
  double foreign_share() const;

 private:
  double wall_, busy_, family_;
};

}  // namespace ladder
