#include "common/judge/cores.hpp"

#include <sched.h>

#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>

namespace ladder {

void give_cores(pid_t worker) {
  cpu_set_t all;
  if (::sched_getaffinity(0, sizeof all, &all) != 0) return;
  std::set<pid_t> others;  // in the order in which they were started
  std::error_code gone;
  for (const auto& entry :
       std::filesystem::directory_iterator("/proc/" + std::to_string(worker) + "/task", gone))
    others.insert(std::atoi(entry.path().filename().c_str()));
  others.erase(worker);
  const bool enough = others.size() < static_cast<std::size_t>(CPU_COUNT(&all));
  int core = 0;
  const auto give = [&](pid_t thread) {
    cpu_set_t cores = all;
    if (enough) {
      CPU_ZERO(&cores);
      while (!CPU_ISSET(core, &all)) ++core;
      CPU_SET(core++, &cores);
    }
    ::sched_setaffinity(thread, sizeof cores, &cores);  // of a thread that has ended meanwhile: nothing
  };
  give(worker);
  for (const pid_t thread : others) give(thread);
}

}  // namespace ladder
