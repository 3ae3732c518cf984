// bin/confine starts a worker; for MPI it runs between mpirun and the worker. It connects to the judge,
// confines this process, reports to the judge what this kernel can refuse, and executes the worker: its
// static constructors are already confined.
//
//     confine JUDGE [OPTION]... -- PROGRAM ARGUMENT...
//     confine --run [OPTION]... -- PROGRAM ARGUMENT...
//                        the same without a judge: for a compiler, and for mpirun
//
//     --folder PATH      may be written below        --sockets none|unheard|tcp|any
//     --device PATTERN   device files, may be used   --alone          no processes, only threads
//     --read PATH        when given, nothing else may be read or executed
//     --uid N --gid N    becomes this user           --own-network    as below
//     --in-sandbox       keeps no right of root, leaves nothing in the kernel when it ends
//     --chdir PATH       where it starts             --limit NAME=N   cpu (seconds), processes, file, data
//                                                                     (bytes)
//
//     confine --own-network PROGRAM ARGUMENT...
//                        runs PROGRAM (mpirun) in a network of this machine only, where it may
//     confine --join FOLDER... -- PROGRAM ARGUMENT...
//                        runs PROGRAM in a control group, which is not confined otherwise
//     confine --relay JUDGE PROGRAM ARGUMENT...
//                        runs PROGRAM (mpirun), whose ranks lie on several nodes, and connects each to the
//                        judge
//     confine --rank [OPTION]... -- PROGRAM ARGUMENT...
//                        starts a launcher for a rank of it, whose judge may be on another node
//     confine --tell     confines itself and prints what this kernel can refuse, as JSON, for the verb doctor
//
// PROGRAM gets the descriptor of its connection to the judge as its last argument. Where a list of what may
// be read was given and this kernel cannot refuse the rest, nothing is started.

#include <fcntl.h>
#include <glob.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/base/error.hpp"
#include "common/base/process/cgroup.hpp"
#include "common/judge/confine/capabilities.hpp"
#include "common/judge/confine/landlock.hpp"
#include "common/judge/confine/missing_protection.hpp"
#include "common/judge/confine/network.hpp"
#include "common/judge/confine/system_calls.hpp"
#include "common/judge/relay/relay.hpp"
#include "common/judge/worker/channel.hpp"
#include "common/judge/worker/protocol.hpp"

extern char** environ;

namespace {

using namespace ladder;
using namespace ladder::confine;

constexpr const char* own_network = "LADDER_OWN_NETWORK";  // from mpirun's launcher to those of its processes

struct Request {
  std::string judge;  ///< empty: none
  Allowed allowed;
  Calls calls;
  bool in_sandbox = false;
  unsigned uid = 0, gid = 0;  ///< 0: the caller's
  bool own_network = false;
  std::string folder;  ///< where the program starts; empty: here
  std::vector<std::pair<int, rlim_t>> limits;
  std::vector<char*> program;
};

std::vector<std::string> matching(const char* pattern) {
  std::vector<std::string> found;
  glob_t names{};
  if (::glob(pattern, 0, nullptr, &names) == 0) found.assign(names.gl_pathv, names.gl_pathv + names.gl_pathc);
  ::globfree(&names);
  return found;
}

Sockets sockets_of(const std::string& text) {
  if (text == "unheard") return Sockets::unheard;
  if (text == "any") return Sockets::any;
  return text == "tcp" ? Sockets::tcp : Sockets::none;
}

/// "cpu=60". @throws Error
std::pair<int, rlim_t> limit_of(const std::string& text) {
  constexpr std::pair<const char*, int> names[] = {
      {"cpu", RLIMIT_CPU}, {"processes", RLIMIT_NPROC}, {"file", RLIMIT_FSIZE}, {"data", RLIMIT_DATA}};
  const std::size_t equals = text.find('=');
  for (const auto& [name, resource] : names)
    if (text.substr(0, equals) == name && equals != text.npos)
      return {resource, std::strtoull(text.c_str() + equals + 1, nullptr, 10)};
  throw Error("'" + text + "' is no limit");
}

/// The ports at which mpirun listens to its processes: "1234.0;tcp4://127.0.0.1:45678" in PMIX_SERVER_URI2
/// and others.
std::vector<std::uint16_t> ports_of_mpirun() {
  std::vector<std::uint16_t> ports;
  for (char** variable = environ; *variable; ++variable) {
    const std::string_view text = *variable;
    if (!text.starts_with("PMIX_SERVER_URI") || text.find("tcp4://") == text.npos) continue;
    const int port = std::atoi(std::string(text.substr(text.rfind(':') + 1)).c_str());
    if (port > 0 && port < 65536) ports.push_back(static_cast<std::uint16_t>(port));
  }
  return ports;
}

/// MPI's libraries look for networks by sockets that are refused, and print that: only components without
/// sockets stay enabled.
void quiet_mpi() {
  ::setenv("OMPI_MCA_if", "linux_ipv6", 1);
  ::setenv("PMIX_MCA_pif", "linux_ipv6", 1);
}

/// Takes an option with its value. @throws Error
void take(Request& request, const std::string& option, const std::string& value) {
  if (option == "--folder") request.allowed.folders.push_back(value);
  if (option == "--read") request.allowed.read.push_back(value);
  if (option == "--device")
    for (const std::string& file : matching(value.c_str())) request.allowed.files.push_back(file);
  if (option == "--chdir") request.folder = value;
  if (option == "--sockets") request.calls.sockets = sockets_of(value);
  if (option == "--uid") request.uid = static_cast<unsigned>(std::stoul(value));
  if (option == "--gid") request.gid = static_cast<unsigned>(std::stoul(value));
  if (option == "--limit") request.limits.push_back(limit_of(value));
}

/// @throws Error
Request request_of(int argc, char** argv) {
  Request request;
  int i = 1;
  if (argc > 1) request.judge = argv[i++];
  if (request.judge == "--run") request.judge.clear();
  while (i < argc && std::strcmp(argv[i], "--") != 0) {
    const std::string option = argv[i++];
    if (option == "--alone")
      request.calls.processes = false;
    else if (option == "--own-network")
      request.own_network = true;
    else if (option == "--in-sandbox")
      request.in_sandbox = true;
    else if (i < argc)
      take(request, option, argv[i++]);
  }
  if (i + 1 >= argc) throw Error("this program starts workers for the judge");
  request.calls.ipc = !request.in_sandbox;
  request.calls.own_user = request.judge.empty() && request.calls.processes;
  request.allowed.others = request.calls.sockets == Sockets::any;
  if (request.calls.sockets == Sockets::tcp) request.allowed.ports = ports_of_mpirun();
  request.program.assign(argv + i + 1, argv + argc);
  return request;
}

/// Confines this process as far as the kernel can.
protocol::Confined confine_as(const Request& request) {
  protocol::Confined confined;
  if (const char* entered = std::getenv(own_network)) confined.no_network = std::atoi(entered);
  if (request.calls.sockets != Sockets::any) ::unsetenv(own_network);
  confined.landlock = landlock_version();
  confined.devices = static_cast<std::int32_t>(request.allowed.files.size());
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
    confined.no_landlock = confined.no_filter = errno;
    return confined;
  }
  drop_capabilities(!request.in_sandbox);
  confined.no_landlock = allow_only(request.allowed);
  confined.no_filter = refuse_system_calls(request.calls);
  return confined;
}

/// Where reading must be confined, everything must be. @throws Error
void insist(const Request& request, const protocol::Confined& confined) {
  if (request.allowed.read.empty()) return;
  if (confined.no_landlock)
    throw Error(std::string("this kernel cannot confine what a program reads (Landlock: ") +
                std::strerror(confined.no_landlock) + ")");
  if (confined.no_filter)
    throw Error(std::string("this kernel cannot refuse system calls (seccomp: ") +
                std::strerror(confined.no_filter) + ")");
}

/// Becomes the user, under the limits. @throws Error
void become(const Request& request) {
  const pid_t parent = ::getppid();
  if (request.in_sandbox) ::close_range(3, ~0u, 0);  // what a caller has left open
  if (request.own_network) ::setenv(own_network, std::to_string(enter_own_network()).c_str(), 1);
  if (request.uid != 0) become_user(request.uid, request.gid);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // another user has made the kernel forget it
  if (::getppid() != parent) throw Error("what started this program has ended");
  if (!request.folder.empty() && ::chdir(request.folder.c_str()) != 0)
    throw Error("cannot enter " + request.folder + ": " + std::strerror(errno));
  for (const auto& [resource, value] : request.limits) {
    // At the first limit of CPU time comes SIGXCPU, which compilers name; at the second the kernel ends it.
    const rlimit bound{value, resource == RLIMIT_CPU ? value + 1 : value};
    if (::setrlimit(static_cast<__rlimit_resource_t>(resource), &bound) != 0)
      throw Error(std::string("cannot set a limit: ") + std::strerror(errno));
  }
}

/// Executes a program that is confined only by its network.
int start_in_own_network(char** program) {
  ::setenv(own_network, std::to_string(enter_own_network()).c_str(), 1);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // another user namespace has made the kernel forget it
  ::execvp(program[0], program);
  std::fprintf(stderr, "cannot start %s: %s\n", program[0], std::strerror(errno));
  return 127;
}

/// Executes a program in a control group; not at all when it cannot be entered.
int start_in_group(char** words) {
  std::vector<std::string> folders;
  while (*words && std::strcmp(*words, "--") != 0) folders.push_back(*words++);
  try {
    if (!*words || !words[1]) throw Error("--join FOLDER... -- PROGRAM");
    join_cgroups(folders);
    ::execvp(words[1], words + 1);
    std::fprintf(stderr, "cannot start %s: %s\n", words[1], std::strerror(errno));
  } catch (const Error& error) {
    std::fprintf(stderr, "cannot join a control group: %s\n", error.what());
  }
  return 127;
}

/// Prints {"landlock": 7, "gaps": ["could …"]}.
int tell() {
  ::setenv(own_network, std::to_string(enter_own_network()).c_str(), 1);
  const protocol::Confined confined = confine_as({});
  std::printf("{\"landlock\": %d, \"gaps\": [", confined.no_landlock ? 0 : confined.landlock);
  const char* between = "";
  for (const std::string& gap : gaps(confined, true)) {
    std::printf("%s\"%s\"", between, gap.c_str());
    between = ", ";
  }
  std::puts("]}");
  return 0;
}

/// Confines this process and executes the program. @return when that fails
void run(Request& request) {
  become(request);
  Channel judge;
  if (!request.judge.empty()) judge = Channel::connect(request.judge);
  const protocol::Confined confined = confine_as(request);
  insist(request, confined);
  std::string descriptor = std::to_string(judge.descriptor());
  if (!request.judge.empty()) {
    judge.send(confined);
    ::fcntl(judge.descriptor(), F_SETFD, 0);  // the worker's from here
    request.program.push_back(descriptor.data());
  }
  if (request.calls.sockets == Sockets::tcp) quiet_mpi();
  request.program.push_back(nullptr);
  ::execvp(request.program[0], request.program.data());
  std::fprintf(stderr, "cannot start %s: %s\n", request.program[0], std::strerror(errno));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "--tell") == 0) return tell();
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // ends this process when its parent is killed
  if (argc > 2 && std::strcmp(argv[1], "--own-network") == 0) return start_in_own_network(argv + 2);
  if (argc > 2 && std::strcmp(argv[1], "--join") == 0) return start_in_group(argv + 2);
  try {
    if (argc > 3 && std::strcmp(argv[1], "--relay") == 0) return relay::serve_ranks(argv[2], argv + 3);
    if (argc > 2 && std::strcmp(argv[1], "--rank") == 0)
      return relay::serve_rank(argv[0], {argv + 2, argv + argc});
    Request request = request_of(argc, argv);
    run(request);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
  }
  return 127;
}
