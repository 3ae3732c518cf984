// A stranger's program in a sandbox, in both modes: what it cannot do, and that the judge sees the same of a
// worker in it.
// Guards: docs/grading.md#two-sandboxes

#include "common/base/process/sandbox.hpp"

#include <sys/ipc.h>
#include <sys/shm.h>
#include <sys/stat.h>

#include <algorithm>
#include <set>

#include "common/base/process/process_tree.hpp"
#include "common/base/process/sandbox_json.hpp"
#include "tests/common/judge/judged.hpp"
#include "tests/common/shell.hpp"

using namespace ladder::test;
using ladder::Sandbox;
using ladder::SandboxPermissions;

namespace {

/// A folder that another user can enter, with one of its own in it.
struct Place {
  Scratch scratch;
  Sandbox sandbox;
  fs::path own;

  explicit Place(const std::string& mode) {
    static unsigned count = 0;
    const unsigned user =
        ::geteuid() == 0 ? 61000 + (static_cast<unsigned>(::getpid()) * 7 + count++) % 4000 : 0;
    sandbox = {
        .mode = mode, .confine = build + "/bin/confine", .uid = user, .gid = user, .read = {build + "/lib"}};
    fs::permissions(scratch.path, fs::perms(0711));
    own = scratch.path / "own";
    fs::create_directory(own);
    fs::permissions(own, fs::perms::owner_all);
    give(own);
  }
  ~Place() {
    if (sandbox.uid != 0) ladder::sweep(sandbox.uid);
  }
  void give(const fs::path& path) const {
    if (sandbox.uid != 0) REQUIRE(::lchown(path.c_str(), sandbox.uid, sandbox.gid) == 0);
  }
  SandboxPermissions permissions(bool processes = false) const {
    return {.folder = own,
            .read = {build + "/bin/sandbox-tries"},
            .write = {own},
            .devices = {"/dev/null"},
            .may_start_processes = processes,
            .limits = {.cpu_seconds = 20, .processes = 100, .file_bytes = 1 << 20}};
  }
};

/// Why a mode cannot run here; empty: it can.
std::string missing(const std::string& mode) {
  const Place place(mode);
  const ladder::SandboxModes modes = ladder::probe(place.sandbox);
  for (const std::string& why : {modes.no_bwrap, modes.no_uid}) REQUIRE_FALSE(contains(why, "runs as uid"));
  return mode == "bwrap" ? modes.no_bwrap : modes.no_uid;
}

std::string output_of(const std::vector<std::string>& command) {
  std::string line;
  for (const std::string& word : command) line += "'" + word + "' ";
  return ladder::test::run(line).output;
}

/// What the hostile program prints.
std::string tries(const Place& place, const SandboxPermissions& permissions, std::vector<std::string> what) {
  what.insert(what.begin(), build + "/bin/sandbox-tries");
  return output_of(ladder::command_in(place.sandbox, permissions, what));
}

#define FOR_MODE(mode)                                                  \
  const std::string mode = GENERATE(as<std::string>(), "bwrap", "uid"); \
  if (const std::string why = missing(mode); !why.empty()) LADDER_SKIP("sandbox " + mode + ": " + why)

int processes_of(uid_t uid) {
  int count = 0;
  for (const pid_t pid : ladder::all_processes()) {
    struct stat facts {};
    const bool of_user = ::stat(("/proc/" + std::to_string(pid)).c_str(), &facts) == 0 && facts.st_uid == uid;
    count += of_user && ladder::facts_of(pid).state != 'Z';
  }
  return count;
}

/// Judges a step as a stranger's.
json judged_in(const Place& place, json step, const std::string& kind) {
  step["tree"] = "submissions";
  json plan = plan_of(place.scratch, json::array({step}), {kind});
  plan["sandbox"] = ladder::json_from(place.sandbox);
  const std::vector<json> found = judged_by(place.scratch, plan);
  REQUIRE(found.size() == 1);
  return found.front();
}

}  // namespace

TEST_CASE("sandbox: nothing of the project, of root or of others can be read, and nothing written outside") {
  FOR_MODE(mode);
  const Place place(mode);
  const fs::path key = place.scratch.path / "key", other = place.scratch.path / "other";
  std::ofstream(key) << "secret";
  fs::permissions(key, fs::perms::owner_read);
  fs::create_directory(other);
  std::ofstream(other / "open") << "another submission";
  fs::permissions(other / "open", fs::perms(0644));
  const std::string root = LADDER_ROOT_FOLDER, outside = place.scratch.path.string() + "/outside";
  std::vector<std::string> refused{root + "/CMakeLists.txt",
                                   root + "/tests",
                                   root + "/solutions",
                                   key,
                                   other / "open",
                                   "/etc/shadow",
                                   "/proc/" + std::to_string(::getpid()) + "/cmdline",
                                   "/proc/" + std::to_string(::getpid()) + "/environ"};
  // bubblewrap makes the folders on the way to what a program may use. Nothing else is in them.
  for (const std::string folder : {"/root", "/home"}) {
    std::set<std::string> way;
    for (const fs::path& used : {place.own, fs::path(build)})
      if (const fs::path rest = used.lexically_relative(folder); mode == "bwrap" && *rest.begin() != "..")
        way.insert(rest.begin()->string());
    if (way.empty()) refused.push_back(folder);
    std::string listed;
    for (const std::string& name : way) listed += name + "\n";
    if (!way.empty())
      CHECK(output_of(ladder::command_in(place.sandbox, place.permissions(true), {"ls", folder})) == listed);
  }
  std::vector<std::string> what;
  for (const std::string& path : refused) what.insert(what.end(), {"read", path});
  for (const std::string& path :
       {outside, std::string("/tmp/ladder-was-here"), root + "/was-here", std::string("/dev/shm/was-here")})
    what.insert(what.end(), {"write", path});
  const std::string said = tries(place, place.permissions(), what);
  INFO(said);
  CHECK_FALSE(contains(said, ": yes"));
  CHECK(std::count(said.begin(), said.end(), '\n') == static_cast<long>(what.size() / 2));
  const std::string may =
      tries(place, place.permissions(),
            {"write", "own", "read", place.own / "own", "read", "/usr/bin/env", "thread", "one"});
  INFO(may);
  CHECK_FALSE(contains(may, ": no"));
}

TEST_CASE("sandbox: no sockets, no other processes, no capability, no way back") {
  FOR_MODE(mode);
  const Place place(mode);
  const std::string parent = std::to_string(::getpid());
  const std::string said =
      tries(place, place.permissions(),
            {"socket",       "inet", "socket",  "inet6", "socket", "unix", "fork",      "one",
             "daemons",      "5",    "signal",  parent,  "signal", "-1",   "become",    "0",
             "capabilities", "any",  "inherit", "9",     "shm",    "one",  "posix-shm", "/ladder-test"});
  INFO(said);
  CHECK_FALSE(contains(said, ": yes"));
  CHECK(contains(said, "posix-shm"));
  CHECK(contains(tries(place, place.permissions(true), {"fork", "one"}), "yes"));
  CHECK(contains(tries(place, place.permissions(true), {"socket", "inet"}), "no"));
}

TEST_CASE("sandbox: a compiler runs in it as a rung does") {
  FOR_MODE(mode);
  const Place place(mode);
  std::ofstream(place.own / "a.cpp")
      << "#include <vector>\nint main() { return std::vector<int>(3).size() - 3; }\n";
  SandboxPermissions permissions = place.permissions(true);
  const std::string said = output_of(ladder::command_in(
      place.sandbox, permissions, {"env", "TMPDIR=" + place.own.string(), "g++", "a.cpp", "-o", "a"}));
  INFO(said);
  CHECK(said.empty());
  CHECK((fs::status(place.own / "a").permissions() & fs::perms::owner_exec) != fs::perms::none);
  std::ofstream(place.own / "b.cpp") << "#include \"" LADDER_ROOT_FOLDER "/common/base/error.hpp\"\n";
  CHECK(contains(
      output_of(ladder::command_in(place.sandbox, permissions, {"env", "TMPDIR=.", "g++", "-c", "b.cpp"})),
      "error.hpp: "));
}

TEST_CASE("sandbox: a folder may be named together with a file in it, also through a link that ends there") {
  FOR_MODE(mode);
  const Place place(mode);
  const fs::path shown = place.scratch.path / "shown";
  fs::create_directories(shown / "deep");
  std::ofstream(shown / "deep/file") << "text";
  std::ofstream(place.scratch.path / "shown-not") << "text";
  fs::create_symlink("/usr/bin/env", shown / "deep/link");
  SandboxPermissions permissions = place.permissions();
  for (const char* path : {"deep/link", "deep/file", "deep"})
    permissions.read.push_back((shown / path).string());
  permissions.read.push_back(shown);
  const std::string said =
      tries(place, permissions, {"read", shown / "deep/file", "read", shown / "deep/link"});
  INFO(said);
  CHECK(std::count(said.begin(), said.end(), '\n') == 2);
  CHECK_FALSE(contains(said, ": no"));
  CHECK(contains(tries(place, permissions, {"read", place.scratch.path / "shown-not"}), ": no"));
}

TEST_CASE("sandbox: what a user leaves running or lying about is gone after a sweep") {
  if (::geteuid() != 0) LADDER_SKIP("sandbox: a sweep is root's");
  FOR_MODE(mode);
  const Place place(mode);
  SandboxPermissions permissions = place.permissions(true);
  permissions.write.push_back("/dev/shm");
  const std::string name = "/ladder-left-" + std::to_string(place.sandbox.uid);
  const std::string said = tries(place, permissions, {"posix-shm", name, "daemons", "5"});
  INFO(said);
  CHECK_FALSE(contains(said, ": no"));
  if (mode == "uid") CHECK(processes_of(place.sandbox.uid) > 0);
  const ladder::Swept swept = ladder::sweep(place.sandbox.uid);
  CHECK(processes_of(place.sandbox.uid) == 0);
  if (mode == "uid") CHECK(swept.processes > 0);
  CHECK_FALSE(fs::exists("/dev/shm" + name));
}

TEST_CASE("sweep: System V memory and files in shared folders; never root's or a real user's") {
  if (::geteuid() != 0) LADDER_SKIP("sandbox: a sweep is root's");
  const Place place("uid");
  const int memory = ::shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);
  REQUIRE(memory >= 0);
  shmid_ds facts{};
  REQUIRE(::shmctl(memory, IPC_STAT, &facts) == 0);
  facts.shm_perm.uid = place.sandbox.uid;
  REQUIRE(::shmctl(memory, IPC_SET, &facts) == 0);
  const fs::path left = "/tmp/ladder-left-" + std::to_string(place.sandbox.uid);
  fs::create_directory(left);
  std::ofstream(left / "file") << "x";
  place.give(left);
  const ladder::Swept swept = ladder::sweep(place.sandbox.uid);
  CHECK(swept.ipc == 1);
  CHECK(swept.files == 1);
  CHECK_FALSE(fs::exists(left));
  CHECK(::shmctl(memory, IPC_STAT, &facts) != 0);
  CHECK_THROWS_WITH(ladder::sweep(0), "root's own processes are not swept");
  CHECK_THROWS_WITH(ladder::sweep(65534), "uid 65534 belongs to nobody: not swept");
}

TEST_CASE("sandbox: each misbehaviour of a worker gets the verdict that it gets outside") {
  FOR_MODE(mode);
  for (const std::string step :
       {"right", "wrong", "crashes", "aborts", "exits", "throws", "hangs", "allocates", "leaves_a_thread",
        "answers_for_the_harness", "prints_megabytes"}) {
    const Place place(mode);
    static std::map<std::string, json> outsides;  // of all modes
    if (!outsides.contains(step)) outsides[step] = judged_once("c1_plain", step, "correctness");
    const json& outside = outsides[step];
    const json inside = judged_in(place, planned("c1_plain", step), "correctness");
    INFO(step << ": " << inside.dump());
    CHECK(inside.at("verdict") == outside.at("verdict"));
    // The line of a step that does not return is found by a program (addr2line) that a sandbox may refuse.
    const std::string message = outside.at("message"), ended = " and was ended";
    const auto at = message.find(ended);
    const std::string shown = message.substr(0, at == message.npos ? at : at + ended.size());
    CHECK(std::string(inside.at("message")).starts_with(shown));
    CHECK(inside.value("details", json()).dump().substr(0, 40) ==
          outside.value("details", json()).dump().substr(0, 40));
    if (place.sandbox.uid != 0) CHECK(processes_of(place.sandbox.uid) == 0);
  }
}

TEST_CASE(
    "sandbox: what a rung tries fails on every back end, and rungs that start compilers or ranks still run") {
  FOR_MODE(mode);
  for (const std::string backend : {"cpu", "executor", "opencl", "mpi", "cuda"}) {
    if (!fs::exists(build + "/workers/probe/tries_everything." + backend)) continue;
    if (backend == "cuda" && !fs::exists("/dev/nvidiactl")) continue;
    const Place place(mode);
    json step = planned("c1_plain", "tries_everything", backend);
    step["observed"] = "";
    step["ranks"] = 2;
    const json found = judged_in(place, step, "correctness");
    INFO(backend << ": " << found.dump());
    // Reading the project and, but for OpenCL, starting a program is what others can.
    CHECK(found.at("verdict") == "CRASHED");
    CHECK(contains(found.at("message"), "could not: "));
    CHECK(contains(found.at("message"), "read the project"));
    CHECK(contains(found.at("message"), "run a program") == (backend != "opencl"));
    CHECK_FALSE(contains(found.at("message"), "could: "));
    CHECK(found.value("unconfined", json::array()).empty());
  }
}

TEST_CASE(
    "sandbox: an observed rung that does not return leaves its record, a recorder records, OpenCL compiles") {
  FOR_MODE(mode);
  for (const auto& [row, step, backend, kind] :
       {std::tuple{"g1_traced", "races_and_hangs", "executor", "findings"},
        {"g1_traced", "races", "executor", "correctness"},
        {"g1_traced", "copies_twice", "opencl", "targets"},
        {"c1_plain", "copies_once", "opencl", "correctness"},
        {"c1_plain", "kernel_races", "opencl", "findings"}}) {
    if (!fs::exists(build + "/workers/probe/" + step + "." + backend)) continue;
    Place place(mode);
    place.sandbox.read.push_back(LADDER_PROBE);  // names of arrays are read from the source
    const json outside = judged_once(row, step, kind, backend);
    const json inside = judged_in(place, planned(row, step, backend), kind);
    INFO(step << ": " << inside.dump() << "\n" << outside.dump());
    CHECK(inside.at("verdict") == outside.at("verdict"));
    CHECK(inside.at("message") == outside.at("message"));
    const auto record = [](const json& one) { return one.value("details", json()).dump().substr(0, 300); };
    CHECK(record(inside) == record(outside));
  }
}
