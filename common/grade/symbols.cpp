#include "common/grade/symbols.hpp"

#include <algorithm>
#include <sstream>
#include <string_view>

namespace ladder::grade {
namespace {

/// Calls by which a program leaves what a step does, by what they are about.
struct Group {
  const char* why;
  const char* honest;                   ///< when an honest step looks the same
  std::vector<std::string_view> names;  ///< one that ends in * is a beginning
};

const std::vector<Group>& groups() {
  static const std::vector<Group> all = {
      {"calls a library that does the work of this step",
       "it calls it for something else than the work that the rung is about",
       {"cblas_*", "LAPACKE_*", "dgemm_", "sgemm_", "dgetrf_", "dgetrs_", "dgesv_", "dpotrf_", "dtrsm_",
        "dtrsv_", "openblas_*", "cublas*", "cusolver*", "cusparse*", "cufft*", "fftw_*", "goto_*"}},
      {"loads code while it runs",
       "a helper for debugging or profiling was left in",
       {"dlopen", "dlmopen", "dlsym", "dlvsym", "dladdr", "dl_iterate_phdr"}},
      {"starts other programs or copies of itself",
       "a call for debugging was left in, as system(\"nvidia-smi\")",
       {"system", "popen", "fork", "vfork", "_Fork", "clone", "exec*", "posix_spawn*"}},
      {"reaches for other processes",
       "it signals itself, in an assertion of its own",
       {"ptrace", "process_vm_readv", "process_vm_writev", "kill", "tgkill", "pidfd_*", "sigqueue",
        "killpg"}},
      {"ends the process itself",
       "its own macro ends the program when a call fails, as many textbooks have it",
       {"exit", "_exit", "_Exit", "quick_exit"}},
      {"registers a function for the end of the process",
       "a header or a compiler registers a clean-up, as nvcc does for each kernel",
       {"atexit", "at_quick_exit", "on_exit"}},
      {"calls the kernel without the C library",
       "it asks for the number of a thread or for the time",
       {"syscall", "syscall_instruction"}},
      {"runs code before the program", "", {"section_preinit_array"}},
      {"opens files",
       "it writes a log or a trace for debugging, or reads a table that it has made",
       {"open",
        "open64",
        "openat",
        "openat64",
        "creat*",
        "fopen*",
        "freopen*",
        "fdopen",
        "opendir",
        "fdopendir",
        "scandir*",
        "ftw*",
        "nftw*",
        "glob",
        "readlink*",
        "_ZNSt13basic_filebuf*",
        "_ZNSt14basic_ifstream*",
        "_ZNSt14basic_ofstream*",
        "_ZNSt13basic_fstream*",
        "_ZNSt10filesystem*"}},
      {"changes files",
       "it clears away a log of its own",
       {"unlink*", "rename*", "remove", "chmod", "fchmod*", "chown", "link", "symlink*", "mkdir*", "mkstemp*",
        "mkdtemp", "tmpfile*", "truncate*", "ftruncate*"}},
      {"reads or writes open descriptors",
       "it prints by write(1, …)",
       {"read", "write", "pread*", "pwrite*", "readv", "writev", "recv", "recvfrom", "recvmsg", "send", "dup",
        "dup2", "dup3", "fcntl*", "sendfile*", "splice"}},
      {"changes the rights of memory",
       "it asks for large aligned memory",
       {"mprotect", "pkey_mprotect", "mremap", "mmap*", "memfd_create"}},
      {"handles signals",
       "it prints where it crashed",
       {"signal", "sigaction", "sigprocmask", "pthread_sigmask", "sigaltstack", "setitimer", "timer_create"}},
      {"opens connections or shared memory",
       "its ranks share memory, which MPI's windows do as well",
       {"socket", "connect", "bind", "listen", "accept", "accept4", "sendto", "sendmsg", "shm_open", "shmget",
        "shmat", "mq_open", "getaddrinfo", "gethostbyname"}},
      {"reads or changes its surroundings",
       "it reads a switch of its own for debugging, or OMP_NUM_THREADS",
       {"getenv", "secure_getenv", "setenv", "putenv", "unsetenv", "environ", "setrlimit", "prctl"}},
  };
  return all;
}

bool matches(std::string_view pattern, std::string_view name) {
  if (!pattern.ends_with('*')) return pattern == name;
  return name.starts_with(pattern.substr(0, pattern.size() - 1));
}

/// A function or variable of the harness, also one that only some workers have. Templates and inline functions of our headers
/// are weak in a step.
bool is_ours(const std::string& name) {
  return name.starts_with("ladder_") || name.starts_with("_ZN6ladder") || name.starts_with("_ZNK6ladder");
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
    const std::string_view kind = type;
    const auto is = [&](std::string_view kinds) { return kinds.find(kind) != kinds.npos; };
    if (is("Uwv")) found.used.insert(bare(name));
    if (is("Ti")) found.defined.insert(bare(name));
    if (is("W")) found.weak.insert(bare(name));
    if (is("ABCDGRS")) found.data.insert(bare(name));
  }
  return found;
}

std::vector<Suspicion> suspicions(const Symbols& step, const std::set<std::string>& harness,
                                  const std::set<std::string>& library,
                                  const std::set<std::string>& reference) {
  std::vector<Suspicion> all;
  const auto of_library = [&](const std::string& name) { return library.contains(name); };
  const auto look = [&](const std::set<std::string>& names, bool ours, const auto& theirs) {
    for (const std::string& name : names) {
      if (harness.contains(name) || (ours && is_ours(name)))
        all.push_back({name, "defines a name of the harness itself", ""});
      else if (theirs(name))
        all.push_back(
            {name, "defines a function of a library itself", "a helper of its own has that name by chance"});
    }
  };
  look(step.defined, true, of_library);
  look(step.weak, false,
       [&](const std::string& name) { return !name.starts_with("_Z") && of_library(name); });
  // A global variable may well be called like a function of the C library.
  look(step.data, true, [](const std::string&) { return false; });
  for (const std::string& name : step.used) {
    if (reference.contains(name)) continue;
    for (const Group& group : groups())
      if (std::any_of(group.names.begin(), group.names.end(),
                      [&](auto pattern) { return matches(pattern, name); }))
        all.push_back({name, group.why, group.honest});
  }
  return all;
}

}  // namespace ladder::grade
