#include "common/judge/confine/system_calls.hpp"

#include <fcntl.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string_view>
#include <utility>

namespace ladder::confine {
namespace {

constexpr const char* refused[] = {
    // other processes: their memory, descriptors, end
    "ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "process_mrelease", "kcmp",
    "pidfd_open", "pidfd_getfd", "pidfd_send_signal", "tkill",
    // another view of the machine
    "unshare", "setns", "mount", "umount", "umount2", "pivot_root", "chroot", "open_tree", "open_tree_attr",
    "move_mount", "fsopen", "fsconfig", "fsmount", "fspick", "mount_setattr",
    // calls that can make other calls which no filter sees, and large interfaces of the kernel
    "io_uring_setup", "io_uring_enter", "io_uring_register", "bpf", "perf_event_open", "userfaultfd",
    "add_key", "request_key", "keyctl", "open_by_handle_at", "fanotify_init",
    // the machine, where root runs it
    "reboot", "kexec_load", "kexec_file_load", "init_module", "finit_module", "delete_module", "swapon",
    "swapoff", "acct", "quotactl", "quotactl_fd", "settimeofday", "clock_settime", "clock_settime64",
    "clock_adjtime", "clock_adjtime64", "adjtimex", "stime", "sethostname", "setdomainname", "iopl", "ioperm",
    "syslog", "vhangup"};

/// Calls on files that Landlock does not cover: in all kernels, or before its third version.
constexpr const char* of_files[] = {
    "truncate",     "truncate64",       "chmod",         "fchmod",       "fchmodat",   "fchmodat2",
    "chown",        "fchown",           "lchown",        "fchownat",     "chown32",    "fchown32",
    "lchown32",     "setxattr",         "lsetxattr",     "fsetxattr",    "setxattrat", "removexattr",
    "lremovexattr", "fremovexattr",     "removexattrat", "file_setattr", "utime",      "utimes",
    "utimensat",    "utimensat_time64", "futimesat"};

/// What stays when all processes have ended.
constexpr const char* of_ipc[] = {"shmget", "semget", "msgget", "mq_open", "ipc"};

/// Numbers of calls that are newer than the library; they are the same on every architecture.
struct Young {
  const char* name;
  int number;
};
constexpr Young young[] = {{"mount_setattr", 442},  {"quotactl_fd", 443}, {"process_mrelease", 448},
                           {"fchmodat2", 452},      {"setxattrat", 463},  {"removexattrat", 466},
                           {"open_tree_attr", 467}, {"file_setattr", 469}};

int number_of(const char* name) {
  const int number = ::seccomp_syscall_resolve_name(name);
  if (number != __NR_SCMP_ERROR) return number;
  for (const Young& one : young)
    if (std::string_view(one.name) == name) return one.number;
  return number;
}

/// The filter while it is built; the first error is kept.
class Filter {
 public:
  Filter() : context_(::seccomp_init(SCMP_ACT_ALLOW), ::seccomp_release) {
    if (!context_) {
      failed_ = ENOMEM;
      return;
    }
    ::seccomp_attr_set(context_.get(), SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_ERRNO(EPERM));
    ::seccomp_attr_set(context_.get(), SCMP_FLTATR_CTL_OPTIMIZE,
                       2);                                       // a search tree: 130 calls in line are slow
    ::seccomp_attr_set(context_.get(), SCMP_FLTATR_CTL_SSB, 1);  // else older kernels slow down every load
  }

  void refuse(const char* name, std::initializer_list<scmp_arg_cmp> where = {}, int error = EPERM) {
    const int number = number_of(name);
    if (failed_ || number < 0) return;  // a call that this architecture does not have
    failed_ = -::seccomp_rule_add_array(context_.get(), SCMP_ACT_ERRNO(error), number,
                                        static_cast<unsigned>(where.size()), where.begin());
  }

  int load() { return failed_ ? failed_ : -::seccomp_load(context_.get()); }

 private:
  std::unique_ptr<void, decltype(&::seccomp_release)> context_;
  int failed_ = 0;
};

scmp_arg_cmp is_not(unsigned argument, std::uint64_t value) {
  return {argument, SCMP_CMP_NE, value, 0};
}
scmp_arg_cmp above(unsigned argument, std::uint64_t value) {
  return {argument, SCMP_CMP_GT, value, 0};
}
/// The kernel uses 32 bits of an int: the filter must not compare more.
scmp_arg_cmp is(unsigned argument, std::uint32_t value, std::uint32_t mask = 0xffffffff) {
  return {argument, SCMP_CMP_MASKED_EQ, mask, value};
}

void refuse_signals(Filter& filter) {
  const auto self = static_cast<std::uint64_t>(::getpid());
  for (const char* name : {"kill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo"})
    filter.refuse(name, {is_not(0, self)});
  constexpr unsigned set_signal = 10, set_owner = 8,
                     set_owner_ex = 15;  // fcntl: the process that gets a signal when a file can be read
  for (const unsigned command : {set_signal, set_owner, set_owner_ex})
    filter.refuse("fcntl", {is(1, command)});
  for (const unsigned command : {0x8901u, 0x8902u})
    filter.refuse("ioctl", {is(1, command)});  // the same of sockets
}

/// Another process's cores, priority, limits and pages.
void refuse_to_steer_others(Filter& filter) {
  for (const char* name : {"prlimit64", "sched_setaffinity", "sched_setparam", "sched_setscheduler",
                           "sched_setattr", "move_pages", "migrate_pages"})
    filter.refuse(name, {is_not(0, 0)});
  for (const char* name : {"setpriority", "ioprio_set"}) filter.refuse(name, {is_not(1, 0)});
  filter.refuse("setpriority", {is_not(0, 0)});
  filter.refuse("ioprio_set", {is_not(0, 1)});
}

void refuse_namespaces(Filter& filter) {
  for (const std::uint64_t space :
       {0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000, 0x00020000})
    filter.refuse("clone", {{0, SCMP_CMP_MASKED_EQ, space, space}});
  filter.refuse("clone3", {}, ENOSYS);  // a filter cannot read its flags in memory; libraries then use clone
}

/// Only threads can be started; a fork bomb has no first fork.
void refuse_processes(Filter& filter) {
  constexpr std::uint64_t thread = 0x00010000;  // CLONE_THREAD
  filter.refuse("clone", {{0, SCMP_CMP_MASKED_EQ, thread, 0}});
  for (const char* name : {"fork", "vfork"}) filter.refuse(name);
}

/// Ways around Landlock, on kernels whose Landlock does not cover them yet.
void refuse_ways_around(Filter& filter) {
  for (const std::uint32_t access : {0, 3}) {  // O_TRUNC without writing
    filter.refuse("open", {is(1, access | O_TRUNC, O_ACCMODE | O_TRUNC)});
    filter.refuse("openat", {is(2, access | O_TRUNC, O_ACCMODE | O_TRUNC)});
  }
  filter.refuse("openat2", {}, ENOSYS);
}

/// Attributes of files that are open for reading; keys pressed at a terminal.
void refuse_commands(Filter& filter) {
  for (const unsigned command : {0x40086602u, 0x40046602u, 0x401c5820u, 0x5412u, 0x541cu})
    filter.refuse("ioctl", {is(1, command)});
}

void refuse_sockets(Filter& filter, Sockets left) {
  filter.refuse("sendto", {is_not(4, 0)});  // a connected socket needs no address
  for (const auto& [name, flags] : {std::pair{"sendto", 3u}, {"sendmsg", 2u}, {"sendmmsg", 3u}})
    filter.refuse(name, {is(flags, MSG_FASTOPEN, MSG_FASTOPEN)});
  if (left == Sockets::none) filter.refuse("socket");
  // NVIDIA's driver looks for the server by which programs share a GPU (MPS): there is none.
  if (left != Sockets::tcp) filter.refuse("connect", {}, left == Sockets::none ? EPERM : ENOENT);
  if (left != Sockets::unheard)
    for (const char* name : {"bind", "listen", "accept", "accept4"}) filter.refuse(name);
  if (left == Sockets::none) return;
  filter.refuse("socket", {is_not(0, left == Sockets::tcp ? AF_INET : AF_UNIX)});
  for (std::uint32_t type = 0; type < 16; ++type)
    if (type != SOCK_STREAM && (type != SOCK_SEQPACKET || left == Sockets::tcp))
      filter.refuse("socket", {is(1, type, 0xf)});
  constexpr std::uint32_t tcp = 6;
  filter.refuse("socket", {above(2, tcp)});
  for (std::uint32_t protocol = 1; protocol < tcp; ++protocol) filter.refuse("socket", {is(2, protocol)});
}

}  // namespace

int refuse_system_calls(const Calls& left) {
  Filter filter;
  for (const char* name : refused) filter.refuse(name);
  if (!left.ipc)
    for (const char* name : of_ipc) filter.refuse(name);
  refuse_to_steer_others(filter);
  refuse_namespaces(filter);
  if (!left.processes) refuse_processes(filter);
  if (!left.own_user) {
    for (const char* name : of_files) filter.refuse(name);
    refuse_signals(filter);
    refuse_ways_around(filter);
  }
  refuse_commands(filter);
  if (left.sockets != Sockets::any) refuse_sockets(filter, left.sockets);
  return filter.load();
}

}  // namespace ladder::confine
