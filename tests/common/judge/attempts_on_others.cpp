// What the step that tries everything does to others: the judge, the kernel, the network.

#include <linux/keyctl.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <sstream>
#include <utility>

#include "tests/common/judge/attempts.hpp"

namespace attempts {

using ladder::Descriptor;

/// The judge: the process above this one that has its name.
pid_t judge() {
  for (pid_t pid = ::getppid(); pid > 1;) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    std::string text;
    std::getline(file, text);  // an iterator would throw when the process has ended meanwhile
    if (text.empty()) break;   // also where it may not be read
    if (text.find("(99-probe)") != std::string::npos) return pid;
    char state;
    std::istringstream(text.substr(text.rfind(')') + 1)) >> state >> pid;
  }
  return ::getppid();
}

void reach_the_judge(Report& report) {
  const pid_t pid = judge();
  const std::string folder = "/proc/" + std::to_string(pid);
  report.must_not("send it a signal", ::kill(pid, 0) == 0);
  report.must_not("send its thread a signal", ::syscall(SYS_tgkill, pid, pid, 0) == 0);
  report.must_not("send its thread a signal by number", ::syscall(SYS_tkill, pid, 0) == 0);
  report.must_not("send everybody a signal", ::kill(-1, 0) == 0);
  siginfo_t information{};
  information.si_code = SI_QUEUE;
  report.must_not("queue it a signal", ::syscall(SYS_rt_sigqueueinfo, pid, 0, &information) == 0);
  const Descriptor handle(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  report.must_not("get a handle of it", bool(handle));
  report.must_not("signal its handle", ::syscall(SYS_pidfd_send_signal, handle.get(), 0, nullptr, 0) == 0);
  report.must_not("take a descriptor of it", ::syscall(SYS_pidfd_getfd, handle.get(), 1, 0) >= 0);
  int ends[2];
  ::pipe(ends);
  report.must_not("have it told of input by a signal", ::fcntl(ends[0], F_SETOWN, pid) == 0);
  ::close(ends[0]), ::close(ends[1]);
  if (::ptrace(PTRACE_SEIZE, pid, 0, 0) == 0) {
    report.must_not("trace it", true);
    ::ptrace(PTRACE_INTERRUPT, pid, 0, 0);
    ::waitpid(pid, nullptr, __WALL);
    ::ptrace(PTRACE_DETACH, pid, 0, 0);
  }
  char byte = 0;
  const iovec ours{&byte, 1}, its{reinterpret_cast<void*>(8), 1};
  report.must_not("read its memory", got_through(::process_vm_readv(pid, &ours, 1, &its, 1, 0)));
  report.must_not("write its memory", got_through(::process_vm_writev(pid, &ours, 1, &its, 1, 0)));
  report.must_not("open its memory", can_open(folder + "/mem", O_RDWR));
  std::ifstream environment(folder + "/environ");  // where it may not be read it is empty
  report.must_not("read its environment", environment.get() != std::char_traits<char>::eof());
  cpu_set_t cores;
  ::sched_getaffinity(pid, sizeof cores, &cores);
  report.must_not("choose its cores", ::sched_setaffinity(pid, sizeof cores, &cores) == 0);
  report.must_not("set its priority",
                  ::setpriority(PRIO_PROCESS, static_cast<id_t>(pid),
                                ::getpriority(PRIO_PROCESS, static_cast<id_t>(pid))) == 0);
  rlimit limit{};
  ::prlimit(0, RLIMIT_CPU, nullptr, &limit);
  report.must_not("set its limits", ::prlimit(pid, RLIMIT_CPU, &limit, nullptr) == 0);
}

void change_the_machine(Report& report) {
  for (const auto& [name, space] :
       {std::pair{"user", CLONE_NEWUSER}, {"file", CLONE_NEWNS}, {"network", CLONE_NEWNET}}) {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(::unshare(space) == 0 ? 1 : 0);
    int status = 0;
    ::waitpid(child, &status, 0);
    report.must_not(std::string("get a ") + name + " namespace", status != 0);
  }
  const long child = ::syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, nullptr, nullptr, nullptr, nullptr);
  if (child == 0) ::_exit(0);
  if (child > 0) ::waitpid(static_cast<pid_t>(child), nullptr, 0);
  report.must_not("get a namespace by clone", child > 0);
  const Descriptor space(::open("/proc/self/ns/mnt", O_RDONLY | O_CLOEXEC));
  report.must_not("enter a namespace", got_through(::setns(space.get(), 0)));
  report.must_not("mount", got_through(::mount("none", "/nowhere", "tmpfs", 0, nullptr)));
  report.must_not("use io_uring", got_through(::syscall(SYS_io_uring_setup, 0, nullptr)));
  report.must_not("use bpf", got_through(::syscall(SYS_bpf, 9999, nullptr, 0)));
  report.must_not("count events", got_through(::syscall(SYS_perf_event_open, nullptr, 0, -1, -1, 0)));
  const long faults = ::syscall(SYS_userfaultfd, O_CLOEXEC);
  report.must_not("serve page faults", got_through(faults));
  if (faults >= 0) ::close(static_cast<int>(faults));
  report.must_not("use keys", got_through(::syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, -3, 0)));
}

namespace {

bool can_socket(int domain, int type) {
  return bool(Descriptor(::socket(domain, type | SOCK_CLOEXEC, 0)));
}

}  // namespace

void reach_the_network(Report& report, const std::string& backend) {
  const bool mpi = backend == "mpi" || backend == "mpi-memory";
  report.must_not("send datagrams", can_socket(AF_INET, SOCK_DGRAM));
  report.must_not("speak IPv6", can_socket(AF_INET6, SOCK_STREAM));
  report.must_not("ask the kernel about networks", can_socket(AF_NETLINK, SOCK_RAW));
  report.must_not("send Unix datagrams", can_socket(AF_UNIX, SOCK_DGRAM));
  report.must_not("open Unix sockets", backend != "cuda" && can_socket(AF_UNIX, SOCK_STREAM));
  const Descriptor tcp(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  report.must_not("open TCP sockets", !mpi && tcp);
  sockaddr_in here{};
  here.sin_family = AF_INET;
  here.sin_port = htons(1);  // where nobody listens
  here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const auto* const address = reinterpret_cast<const sockaddr*>(&here);
  report.must_not("connect to another port than mpirun's",
                  tcp && got_through(::connect(tcp.get(), address, sizeof here)));
  report.must_not(
      "connect by the first message",
      tcp && got_through(::sendto(tcp.get(), "x", 1, MSG_FASTOPEN | MSG_NOSIGNAL, address, sizeof here)));
  report.must_not("be called by TCP", tcp && ::listen(tcp.get(), 1) == 0);
  int pair[2];
  report.must("make a pair of sockets", ::socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
  ::close(pair[0]), ::close(pair[1]);
}

}  // namespace attempts
