#include "common/grade/symbols.hpp"

#include <algorithm>
#include <cctype>
#include <sstream>
#include <string_view>

namespace ladder::grade {
namespace {

/// Calls by which a program leaves what a step does, by what they are about.
struct Group {
  const char* why;
  std::vector<std::string_view> names;  ///< one that ends in * is a beginning
};

const std::vector<Group>& groups() {
  static const std::vector<Group> all = {
      {"calls a library that does the work of this step",
       {"cblas_*", "LAPACKE_*", "dgemm_", "sgemm_", "dgetrf_", "dgetrs_", "dgesv_", "dpotrf_", "dtrsm_", "dtrsv_",
        "openblas_*", "cublas*", "cusolver*", "cusparse*", "cufft*", "fftw_*", "goto_*"}},
      {"loads code while it runs", {"dlopen", "dlmopen", "dlsym", "dlvsym", "dladdr", "dl_iterate_phdr"}},
      {"starts other programs or copies of itself",
       {"system", "popen", "fork", "vfork", "_Fork", "clone", "exec*", "posix_spawn*"}},
      {"reaches for other processes",
       {"ptrace", "process_vm_readv", "process_vm_writev", "kill", "tgkill", "pidfd_*", "sigqueue", "killpg"}},
      {"ends the process itself", {"exit", "_exit", "_Exit", "quick_exit", "atexit", "at_quick_exit", "on_exit"}},
      {"calls the kernel without the C library", {"syscall"}},
      {"changes the rights of memory", {"mprotect", "pkey_mprotect", "mremap", "memfd_create"}},
      {"handles signals", {"signal", "sigaction", "sigprocmask", "pthread_sigmask", "sigaltstack", "setitimer", "timer_create"}},
      {"opens connections or shared memory",
       {"socket", "connect", "bind", "listen", "accept", "accept4", "sendto", "sendmsg", "shm_open", "shmget", "shmat",
        "mq_open", "getaddrinfo", "gethostbyname"}},
      {"reads or changes its surroundings", {"getenv", "secure_getenv", "setenv", "putenv", "unsetenv", "environ", "setrlimit", "prctl"}},
  };
  return all;
}

bool matches(std::string_view pattern, std::string_view name) {
  if (!pattern.ends_with('*')) return pattern == name;
  return name.starts_with(pattern.substr(0, pattern.size() - 1));
}

/// The name without the version that shared libraries add.
std::string bare(const std::string& name) {
  return name.substr(0, name.find('@'));
}

}  // namespace

Symbols symbols_from(const std::string& printed) {
  Symbols found;
  std::istringstream lines(printed);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string name, type;
    if (!(words >> name >> type) || type.size() != 1) continue;
    const char kind = type[0];
    if (kind == 'U')
      found.used.insert(bare(name));
    else if (std::isupper(static_cast<unsigned char>(kind)) && kind != 'W' && kind != 'V')
      found.defined.insert(bare(name));
  }
  return found;
}

std::vector<Suspicion> suspicions(const Symbols& step, const std::set<std::string>& harness,
                                  const std::set<std::string>& library, const std::set<std::string>& reference) {
  std::vector<Suspicion> all;
  for (const std::string& name : step.defined) {
    if (harness.contains(name)) all.push_back({name, "defines a name of the harness itself"});
    else if (library.contains(name)) all.push_back({name, "defines a function of the C library itself"});
  }
  for (const std::string& name : step.used) {
    if (reference.contains(name)) continue;
    for (const Group& group : groups())
      if (std::any_of(group.names.begin(), group.names.end(), [&](auto pattern) { return matches(pattern, name); }))
        all.push_back({name, group.why});
  }
  return all;
}

}  // namespace ladder::grade
