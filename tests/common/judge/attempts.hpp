#pragma once
// What the two halves of the step that tries to get out share.

#include <fcntl.h>
#include <sys/types.h>

#include <cerrno>
#include <string>

#include "common/judge/worker/channel.hpp"

namespace attempts {

/// What went otherwise than it must.
struct Report {
  std::string could, could_not;
  void must_not(const std::string& what, bool done) {
    if (done) could += (could.empty() ? "" : ", ") + what;
  }
  void must(const std::string& what, bool done) {
    if (!done) could_not += (could_not.empty() ? "" : ", ") + what;
  }
};

/// Whether a call got past who refuses: what it says then of arguments that make no sense is another thing.
inline bool got_through(long result) {
  return result >= 0 || (errno != EPERM && errno != EACCES && errno != ENOSYS);
}

inline bool can_open(const std::string& path, int flags) {
  return bool(ladder::Descriptor(::open(path.c_str(), flags | O_CLOEXEC | O_NONBLOCK, 0600)));
}

// attempts_on_others.cpp
pid_t judge();
void reach_the_judge(Report& report);
void change_the_machine(Report& report);
void reach_the_network(Report& report, const std::string& backend);

}  // namespace attempts
