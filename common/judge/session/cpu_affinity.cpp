#include "common/judge/session/cpu_affinity.hpp"

#include <sched.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "common/base/process/process_tree.hpp"

namespace ladder {
namespace {

/// Whether another core with a lower number is the same one in hardware: it runs two threads, each at half
/// the speed.
bool is_second_of_its_core(int core) {
  std::ifstream siblings("/sys/devices/system/cpu/cpu" + std::to_string(core) +
                         "/topology/thread_siblings_list");
  int first = core;
  siblings >> first;
  return first != core;
}

/// The cores that this process, and so its workers, may use; those that have their hardware to themselves
/// first.
std::vector<int> cores_here() {
  cpu_set_t all;
  if (::sched_getaffinity(0, sizeof all, &all) != 0) return {};
  std::vector<int> cores;
  for (int core = 0; core < CPU_SETSIZE; ++core)
    if (CPU_ISSET(core, &all)) cores.push_back(core);
  std::stable_partition(cores.begin(), cores.end(), [](int core) { return !is_second_of_its_core(core); });
  return cores;
}

/// A thread that has ended meanwhile gets nothing.
void bind(pid_t thread, const std::vector<int>& cores) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int core : cores) CPU_SET(core, &set);
  ::sched_setaffinity(thread, sizeof set, &set);
}

}  // namespace

void pin_threads(pid_t worker) {
  static const std::vector<int> cores = cores_here();
  std::vector<pid_t> threads{worker};  // and the others in the order in which they were started
  for (const pid_t thread : threads_of(worker))
    if (thread != worker) threads.push_back(thread);
  for (std::size_t i = 0; i < threads.size() && !cores.empty(); ++i)
    bind(threads[i], threads.size() <= cores.size() ? std::vector{cores[i]} : cores);
}

}  // namespace ladder
