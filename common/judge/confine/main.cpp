// bin/confine starts a worker; for MPI it runs between mpirun and the worker. It connects to the judge, confines this process,
// reports to the judge what this kernel can refuse, and executes the worker: its static constructors are already confined.
//
//     confine JUDGE [--folder PATH]... [--device PATTERN]... [--sockets none|unheard|tcp] -- PROGRAM ARGUMENT...
//
//     confine --own-network PROGRAM ARGUMENT...    runs PROGRAM (mpirun) in a network of this machine only, where it may
//     confine --tell    confines itself and prints what this kernel can refuse, as JSON, for the verb doctor
//
// PROGRAM gets the descriptor of its connection to the judge as its last argument.

#include <fcntl.h>
#include <glob.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "common/judge/channel.hpp"
#include "common/judge/confine/gaps.hpp"
#include "common/judge/confine/landlock.hpp"
#include "common/judge/confine/network.hpp"
#include "common/judge/confine/rights.hpp"
#include "common/judge/confine/system_calls.hpp"
#include "common/judge/protocol.hpp"
#include "common/lesson/lesson.hpp"

extern char** environ;

namespace {

using namespace ladder;
using namespace ladder::confine;

constexpr const char* own_network = "LADDER_OWN_NETWORK";  // from mpirun's launcher to those of its processes

struct Request {
  std::string judge;
  Writable writable;
  Sockets sockets = Sockets::none;
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
  return text == "tcp" ? Sockets::tcp : Sockets::none;
}

/// The ports at which mpirun listens to its processes: "1234.0;tcp4://127.0.0.1:45678" in PMIX_SERVER_URI2 and others.
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

/// MPI's libraries look for networks by sockets that are refused, and print that: only components without sockets stay enabled.
void quiet_mpi() {
  ::setenv("OMPI_MCA_if", "linux_ipv6", 1);
  ::setenv("PMIX_MCA_pif", "linux_ipv6", 1);
}

/// @throws Error
Request request_of(int argc, char** argv) {
  Request request;
  int i = 1;
  if (argc > 1) request.judge = argv[i++];
  for (; i + 1 < argc && std::strcmp(argv[i], "--") != 0; i += 2) {
    const std::string option = argv[i], value = argv[i + 1];
    if (option == "--folder") request.writable.folders.push_back(value);
    if (option == "--device")
      for (const std::string& file : matching(value.c_str())) request.writable.files.push_back(file);
    if (option == "--sockets") request.sockets = sockets_of(value);
  }
  if (i + 1 >= argc) throw Error("this program starts workers for the judge");
  if (request.sockets == Sockets::tcp) request.writable.ports = ports_of_mpirun();
  request.program.assign(argv + i + 1, argv + argc);
  return request;
}

/// Confines this process as far as the kernel can.
protocol::Confined confine_as(const Request& request) {
  protocol::Confined confined;
  if (const char* entered = std::getenv(own_network)) confined.no_network = std::atoi(entered);
  ::unsetenv(own_network);
  confined.landlock = landlock_version();
  confined.devices = static_cast<std::int32_t>(request.writable.files.size());
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
    confined.no_landlock = confined.no_filter = errno;
    return confined;
  }
  become_ordinary();
  confined.no_landlock = allow_only(request.writable);
  confined.no_filter = refuse_system_calls(request.sockets);
  return confined;
}

/// Executes a program that is confined only by its network.
int start_in_own_network(char** program) {
  ::setenv(own_network, std::to_string(enter_own_network()).c_str(), 1);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // another user namespace has made the kernel forget it
  ::execvp(program[0], program);
  std::fprintf(stderr, "cannot start %s: %s\n", program[0], std::strerror(errno));
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

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "--tell") == 0) return tell();
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // ends this process when its parent is killed
  if (argc > 2 && std::strcmp(argv[1], "--own-network") == 0) return start_in_own_network(argv + 2);
  try {
    Request request = request_of(argc, argv);
    const Channel judge = Channel::connect(request.judge);
    judge.send(confine_as(request));
    if (request.sockets == Sockets::tcp) quiet_mpi();
    ::fcntl(judge.descriptor(), F_SETFD, 0);  // the worker's from here
    std::string descriptor = std::to_string(judge.descriptor());
    request.program.push_back(descriptor.data());
    request.program.push_back(nullptr);
    ::execv(request.program[0], request.program.data());
    std::fprintf(stderr, "cannot start %s: %s\n", request.program[0], std::strerror(errno));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
  }
  return 127;
}
