// A step that tries what a worker must not be able to do, and what it must. It throws what went otherwise:
// "could: kill the judge" and "could not: write into its own folder". Nothing that it tries does harm where
// it succeeds.

#include <fcntl.h>
#include <glob.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <utility>

#include "common/judge/worker/permissions.hpp"
#include "problem.hpp"
#include "tests/common/judge/attempts.hpp"

namespace probe {
namespace {

namespace fs = std::filesystem;
using namespace attempts;
using ladder::Descriptor;

/// Makes a file, and removes it.
bool can_make(const std::string& path) {
  const bool made = can_open(path, O_CREAT | O_EXCL | O_WRONLY);
  if (made) ::unlink(path.c_str());
  return made;
}

void leave_its_own(Report& report) {
  const std::string root = LADDER_ROOT_FOLDER;
  report.must_not("write into tests", can_make(root + "/tests/was-here"));
  report.must_not("write into the build", can_make(std::string(LADDER_BUILD_FOLDER) + "/was-here"));
  report.must_not("write into /tmp", can_make("/tmp/ladder-attempts-was-here"));
  report.must_not("write next to its folder", can_make("../../was-here"));
  report.must_not("make a folder next to its own",
                  ::mkdir("../../made", 0700) == 0 && ::rmdir("../../made") == 0);
  report.must_not("make a link next to its folder",
                  ::symlink("x", "../../link") == 0 && ::unlink("../../link") == 0);
  report.must_not("write results", can_open("../../results.jsonl", O_WRONLY));
  report.must_not("write into the caches of others", can_make("../../caches/was-here"));
  report.must_not("write to a device", can_open("/dev/full", O_WRONLY));
  std::ofstream("own");
  report.must_not("move a file out",
                  ::rename("own", "../../moved") == 0 && ::rename("../../moved", "own") == 0);
  report.must_not("link a file outside", ::link("own", "../../linked") == 0 && ::unlink("../../linked") == 0);
}

void change_files(Report& report) {
  std::ofstream("own");
  report.must_not("truncate by name", ::truncate("own", 0) == 0);
  report.must_not("truncate while reading", can_open("own", O_RDONLY | O_TRUNC));
  report.must_not("change modes", ::chmod("own", 0600) == 0);
  const Descriptor own(::open("own", O_RDWR | O_CLOEXEC));
  report.must_not("change modes of descriptors", ::fchmod(own.get(), 0600) == 0);
  report.must_not("change modes by fchmodat", ::fchmodat(AT_FDCWD, "own", 0600, 0) == 0);
  report.must_not("change owners", ::chown("own", ::getuid(), ::getgid()) == 0);
  report.must_not("change owners of descriptors", ::fchown(own.get(), ::getuid(), ::getgid()) == 0);
  report.must_not("change owners by lchown", ::lchown("own", ::getuid(), ::getgid()) == 0);
  report.must_not("change owners by fchownat", ::fchownat(AT_FDCWD, "own", ::getuid(), ::getgid(), 0) == 0);
  report.must_not("change dates", ::utimensat(AT_FDCWD, "own", nullptr, 0) == 0);
  report.must_not("set attributes", got_through(::setxattr("own", "user.ladder", "1", 1, 0)));
}

bool can_run_a_program() {
  const pid_t child = ::fork();
  if (child == 0) {
    ::execlp("true", "true", nullptr);
    ::_exit(1);
  }
  int status = 1;
  ::waitpid(child, &status, 0);
  return status == 0;
}

std::string folder_in(const char* variable) {
  const char* value = std::getenv(variable);
  return value ? value : "/nowhere";
}

void live(Report& report) {
  report.must("write into its own folder", can_make("own-2"));
  std::error_code error;
  fs::create_directories("a/b", error);
  std::ofstream("a/b/c") << "1";
  fs::rename("a/b/c", "a/c", error);
  fs::resize_file("a/c", 0, error);
  report.must("move files in its own folder", fs::exists("a/c"));
  report.must("remove what is its own", fs::remove_all("a", error) > 0);
  for (const char* variable : {"TMPDIR", "XDG_CACHE_HOME"})
    report.must(std::string("write into ") + variable,
                can_make(folder_in(variable) + "/made-" + std::to_string(::getpid())));
  const std::string made = folder_in("POCL_CACHE_DIR") + std::to_string(::getpid());
  report.must("make folders in its cache", ::mkdir(made.c_str(), 0700) == 0 && ::rmdir(made.c_str()) == 0);
  report.must("run a program", can_run_a_program());
  report.must("signal itself", ::kill(::getpid(), 0) == 0 && ::raise(SIGURG) == 0);
  std::thread([] {}).join();
  report.must("read the project", can_open(std::string(LADDER_ROOT_FOLDER) + "/CMakeLists.txt", O_RDONLY));
}

/// Each line of the table is open to its back end alone.
void try_the_table(Report& report, const std::string& backend, bool sanitized) {
  for (const ladder::Permission& line : ladder::permissions) {
    bool ours = false;  // a path may be in two lines
    for (const ladder::Permission& other : ladder::permissions)
      ours = ours || (concerns(other, backend, sanitized) && std::string_view(other.path) == line.path);
    const std::string what = std::string("write ") + line.path;
    if (std::string_view(line.path) == "/proc/self/task") {
      const bool done = can_open("/proc/self/task/" + std::to_string(::getpid()) + "/comm", O_WRONLY);
      ours ? report.must(what, done) : report.must_not(what, done);
      continue;
    }
    if (line.folder) {
      if (::access(line.path, W_OK) != 0) continue;  // not on this machine
      const bool done = can_make(std::string(line.path) + "/ladder-attempt-" + std::to_string(::getpid()));
      ours ? report.must(what, done) : report.must_not(what, done);
      continue;
    }
    glob_t names{};
    ::glob(line.path, 0, nullptr, &names);
    for (std::size_t i = 0; i < names.gl_pathc; ++i) {
      struct stat facts {};
      if (::stat(names.gl_pathv[i], &facts) != 0 || !S_ISCHR(facts.st_mode) ||
          ::access(names.gl_pathv[i], W_OK) != 0)
        continue;
      const bool done = can_open(names.gl_pathv[i], O_RDWR) || (errno != EACCES && errno != EPERM);
      ours ? report.must(what, done) : report.must_not(what, done);
    }
    ::globfree(&names);
  }
}

void twice(const Problem& p) {
  for (int i = 0; p.y && i < p.n; ++i) p.y[i] = 2 * p.x[i];  // of several ranks the first has the arrays
}

/// What a static constructor could do, before main.
Report before_main() {
  Report report;
  report.must_not("send the judge a signal before main", ::kill(judge(), 0) == 0);
  report.must_not("write next to its folder before main", can_make("../was-here-first"));
  return report;
}

const Report first = before_main();

}  // namespace

void tries_everything(const Problem& p) {
  static bool done = false;  // once is enough
  if (std::exchange(done, true)) return twice(p);
  const std::string program = fs::read_symlink("/proc/self/exe"),
                    backend = program.substr(program.rfind('.') + 1);
  const bool sanitized = backend == "races" || backend == "memory" || backend == "mpi-memory";
  Report report = first;
  const std::string mine = "rank-" + std::to_string(::getpid());  // processes of MPI share a folder
  report.must("make a folder in its own", ::mkdir(mine.c_str(), 0700) == 0 && ::chdir(mine.c_str()) == 0);
  reach_the_judge(report);
  leave_its_own(report);
  change_files(report);
  change_the_machine(report);
  reach_the_network(report, backend);
  live(report);
  try_the_table(report, backend, sanitized);
  if (!report.could.empty())
    throw ladder::Error("could: " + report.could +
                        (report.could_not.empty() ? "" : "; could not: " + report.could_not));
  if (!report.could_not.empty()) throw ladder::Error("could not: " + report.could_not);
  twice(p);
}

}  // namespace probe
