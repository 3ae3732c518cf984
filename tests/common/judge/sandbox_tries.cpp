// A hostile program for the tests of sandboxes: does what its arguments say and prints a line for each, "read
// /etc/shadow: no".

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

namespace {

bool can_read(const char* path) {
  const int file = ::open(path, O_RDONLY | O_CLOEXEC);
  char byte;
  return file >= 0 && (::read(file, &byte, 1) >= 0 || errno == EISDIR);
}

bool can_write(const char* path) {
  const int file = ::open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  return file >= 0 && ::write(file, "x", 1) == 1;
}

bool can_socket(const std::string& family) {
  const int domain = family == "inet6" ? AF_INET6 : family == "unix" ? AF_UNIX : AF_INET;
  return ::socket(domain, SOCK_STREAM, 0) >= 0;
}

/// A process that outlives this one, in a session of its own, with as many more as it may start.
bool can_leave_daemons(int more) {
  const pid_t child = ::fork();
  if (child != 0) return child > 0;
  ::setsid();
  ::prctl(PR_SET_PDEATHSIG, 0);
  ::signal(SIGHUP, SIG_IGN);
  if (::fork() > 0) ::_exit(0);
  for (int descriptor = 0; descriptor < 3; ++descriptor) ::close(descriptor);
  for (int i = 0; i < more; ++i)
    if (::fork() == 0) ::prctl(PR_SET_PDEATHSIG, 0);
  for (;;) ::pause();
}

bool can_fork() {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  if (child > 0) ::waitpid(child, nullptr, 0);
  return child > 0;
}

bool can_start_a_thread() {
  pthread_t thread;
  const auto nothing = [](void*) -> void* { return nullptr; };
  return ::pthread_create(&thread, nullptr, nothing, nullptr) == 0 && ::pthread_join(thread, nullptr) == 0;
}

bool has_capabilities() {
  std::ifstream file("/proc/self/status");
  bool seen = false;
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("CapPrm:") || line.starts_with("CapEff:")) {
      seen = true;
      if (line.find_first_of("123456789abcdef", 7) != line.npos) return true;
    }
  return !seen;
}

bool can(const std::string& what, const char* value) {
  if (what == "read") return can_read(value);
  if (what == "write") return can_write(value);
  if (what == "socket") return can_socket(value);
  if (what == "signal") return ::kill(std::atoi(value), 0) == 0;
  if (what == "become") return ::setuid(static_cast<uid_t>(std::atoi(value))) == 0;
  if (what == "inherit") return ::fcntl(std::atoi(value), F_GETFD) >= 0;
  if (what == "shm") return ::shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600) >= 0;
  if (what == "posix-shm") return ::shm_open(value, O_CREAT | O_RDWR, 0600) >= 0;
  if (what == "fork") return can_fork();
  if (what == "thread") return can_start_a_thread();
  if (what == "capabilities") return has_capabilities();
  if (what == "daemons") return can_leave_daemons(std::atoi(value));
  if (what == "big-file") return ::truncate(value, off_t{1} << 40) == 0;
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  for (int i = 1; i + 1 < argc; i += 2)
    std::printf("%s %s: %s\n", argv[i], argv[i + 1], can(argv[i], argv[i + 1]) ? "yes" : "no");
  return 0;
}
