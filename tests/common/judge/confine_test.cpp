// A worker cannot reach the judge: a step tries, on every back end; and what happens where the kernel
// confines nothing.
// Guards: docs/design.md#the-sandbox

#include <seccomp.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include <cerrno>

#include "tests/common/judge/judged.hpp"
#include "tests/common/shell.hpp"

using namespace ladder::test;

namespace {

const char* const tries = "tries_everything";

bool says(const json& record, const std::string& field, const std::string& words) {
  return record.contains(field) && record.at(field).dump().find(words) != std::string::npos;
}

/// What the launcher says of this kernel.
json told() {
  return json::parse(run(build + "/bin/confine --tell").output);
}

/// Whether both walls are here as a new kernel has them.
bool holds_all(const json& here) {
  return here.at("landlock") >= 6 && here.dump().find("seccomp:") == std::string::npos;
}

/// What a kernel, or the container around it, may not have.
struct Without {
  bool landlock = false, filter = false, namespaces = false;
};

/// Takes it from this process and its children.
void refuse(const Without& without) {
  scmp_filter_ctx context = ::seccomp_init(SCMP_ACT_ALLOW);
  if (without.landlock)
    ::seccomp_rule_add(context, SCMP_ACT_ERRNO(EOPNOTSUPP), SCMP_SYS(landlock_create_ruleset), 0);
  if (without.namespaces) ::seccomp_rule_add(context, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(unshare), 0);
  if (without.filter) {
    ::seccomp_rule_add(context, SCMP_ACT_ERRNO(EINVAL), SCMP_SYS(seccomp), 0);
    constexpr scmp_arg_cmp sets_a_filter{
        .arg = 0, .op = SCMP_CMP_EQ, .datum_a = PR_SET_SECCOMP, .datum_b = 0};
    ::seccomp_rule_add(context, SCMP_ACT_ERRNO(EINVAL), SCMP_SYS(prctl), 1, sets_a_filter);
  }
  ::seccomp_load(context);
  ::seccomp_release(context);
}

/// Judges where something is refused. The test itself stays as it was.
std::vector<json> judged_without(const Without& without, const json& steps) {
  const Scratch scratch;
  const json plan = plan_of(scratch, steps, {"correctness"});
  const pid_t pid = ::fork();
  if (pid == 0) {
    refuse(without);
    int status = 1;
    ::waitpid(start_judge(scratch, plan), &status, 0);
    ::_exit(0);
  }
  ::waitpid(pid, nullptr, 0);
  return verdicts(scratch);
}

}  // namespace

TEST_CASE("a rung that tries to reach the judge, other files or the network cannot, on any back end") {
  const json here = told();
  for (const std::string backend : {"cpu", "opencl", "executor", "mpi", "cuda"}) {
    if (!fs::exists(build + "/workers/probe/" + tries + "." + backend)) continue;
    if (backend == "cuda" && !fs::exists("/dev/nvidiactl")) continue;
    json step = planned("c1_plain", tries, backend);
    step["observed"] = "";
    step["ranks"] = 2;
    const std::vector<json> found = judged(json::array({step}), {"correctness"});
    REQUIRE(found.size() == 1);
    INFO(backend << ": " << found[0].at("message") << found[0].at("details"));
    json gaps = json::array();  // of processes of MPI there may be one more
    for (const json& gap : here.at("gaps"))
      if (backend == "mpi" || !gap.get<std::string>().starts_with("of MPI")) gaps.push_back(gap);
    CHECK(found[0].value("unconfined", json::array()).size() == gaps.size());
    if (!holds_all(here)) continue;  // then it can, and says so
    CHECK(found[0].at("verdict") == "PASS");
  }
}

TEST_CASE("processes of MPI have a network that ends at this machine, where the kernel gives one") {
  const std::string routes = "cat /proc/net/route | wc -l", launcher = build + "/bin/confine";
  if (told().at("gaps").dump().find("network namespace") != std::string::npos) return;
  CHECK(run(launcher + " --own-network sh -c '" + routes + "'").output == "1\n");  // the heading
  CHECK(run(launcher + " --own-network sh -c 'echo $LADDER_OWN_NETWORK'").output == "0\n");
  CHECK(run(launcher + " --own-network id -u").output == std::to_string(::geteuid()) + "\n");
}

TEST_CASE("without a network namespace processes of MPI reach mpirun's port only, and the record says so") {
  if (!holds_all(told()) || !fs::exists(build + "/workers/probe/" + tries + ".mpi")) return;
  json step = planned("c1_plain", tries, "mpi");
  step["ranks"] = 2;
  const auto one = judged_without({.namespaces = true}, json::array({step}));
  REQUIRE(one.size() == 1);
  INFO(one[0].dump());
  CHECK(one[0].at("verdict") == "PASS");
  CHECK(says(one[0], "unconfined", "of MPI could reach other machines at mpirun's port (network namespace"));
}

TEST_CASE("a rung under a sanitizer cannot either") {
  if (!holds_all(told())) return;
  for (const auto& [what, suffix] : {std::pair{"races", "races"}, {"memory", "memory"}}) {
    json step = planned("c1_plain", tries);
    step["sanitized"][what] = build + "/workers/probe/" + tries + "." + suffix;
    if (!fs::exists(step["sanitized"][what])) continue;
    const std::vector<json> found = judged(json::array({step}), {"findings"});
    REQUIRE(found.size() == 1);
    INFO(what << ": " << found[0].at("message") << found[0].at("details"));
    CHECK(found[0].at("verdict") == "PASS");
  }
}

TEST_CASE("what compute-sanitizer watches runs outside: that needs what is refused to others") {
  const Scratch scratch;
  const fs::path sanitizer = scratch.path / "compute-sanitizer";
  std::ofstream(sanitizer) << "#!/bin/sh\n"
                              "shift 4\n"  // --tool memcheck --error-exitcode 99
                              "\"$@\"\n"
                              "echo '========= ERROR SUMMARY: 0 errors'\n";
  fs::permissions(sanitizer, fs::perms::owner_all);
  json right = planned("c1_plain", "right"), out = planned("c1_plain", tries);
  right["backend"] = out["backend"] = "cuda";  // though their workers are programs of the processor
  json plan = plan_of(scratch, json::array({right, out}), {"findings"});
  plan["verb"] = "test";
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", (scratch.path.string() + ":" + path).c_str(), 1);
  int status = 0;
  ::waitpid(start_judge(scratch, plan), &status, 0);
  ::setenv("PATH", path.c_str(), 1);
  const auto found = verdicts(scratch);
  REQUIRE(found.size() == 2);
  INFO(found[0].dump() << found[1].dump());
  CHECK(found[0].at("verdict") == "PASS");
  CHECK(says(found[1], "message", "write into /tmp"));
}

TEST_CASE(
    "where a kernel confines nothing, rungs are judged all the same, and the record says what they could "
    "do") {
  const json right = json::array({planned("c1_plain", "right")});
  const auto all = judged_without({.landlock = true, .filter = true}, right);
  REQUIRE(all.size() == 1);
  INFO(all[0].dump());
  CHECK(all[0].at("verdict") == "PASS");
  CHECK(says(all[0], "unconfined", "could write wherever this user may (Landlock: Operation not supported)"));
  CHECK(says(all[0], "unconfined", "(seccomp: "));

  const auto none = judged(right, {"correctness"});
  REQUIRE(none.size() == 1);
  CHECK(none[0].contains("unconfined") == (told().at("landlock") < 5));
}

TEST_CASE(
    "each attempt could succeed: it does where nothing is confined, and one of two walls holds most of "
    "them") {
  const json step = json::array({planned("c1_plain", tries)});
  const auto open = judged_without({.landlock = true, .filter = true}, step);
  REQUIRE(open.size() == 1);
  INFO(open[0].at("message"));
  for (const char* what : {"send it a signal",
                           "send its thread a signal",
                           "send its thread a signal by number",
                           "queue it a signal",
                           "get a handle of it",
                           "signal its handle",
                           "have it told of input by a signal",
                           "set its limits",
                           "write into /tmp",
                           "write next to its folder",
                           "make a folder next to its own",
                           "make a link next to its folder",
                           "write results",
                           "move a file out",
                           "link a file outside",
                           "truncate by name",
                           "truncate while reading",
                           "change modes",
                           "change modes of descriptors",
                           "change modes by fchmodat",
                           "change owners",
                           "change owners of descriptors",
                           "change owners by lchown",
                           "change owners by fchownat",
                           "change dates",
                           "set attributes",
                           "send datagrams",
                           "open Unix sockets",
                           "open TCP sockets",
                           "connect to another port",
                           "send the judge a signal before main",
                           "write next to its folder before main"})
    CHECK(says(open[0], "message", what));
  for (const auto& [file, what] :
       {std::pair{"/dev/full", "write to a device"}, {"/dev/shm", "write /dev/shm"}})
    if (::access(file, W_OK) == 0) CHECK(says(open[0], "message", what));
  if (::geteuid() != 0)  // a worker of root has lost rights that the judge has
    for (const char* what : {"choose its cores", "set its priority"}) CHECK(says(open[0], "message", what));
  else  // who can write there
    for (const char* what : {"write into tests", "write into the build"})
      CHECK(says(open[0], "message", what));

  if (!holds_all(told())) return;
  const auto no_filter = judged_without({.filter = true}, step);
  REQUIRE(no_filter.size() == 1);
  INFO("Landlock alone: " << no_filter[0].at("message"));
  for (const char* what : {"write into tests", "write into /tmp", "trace it", "write its memory",
                           "open its memory", "write results", "move a file out", "write /dev/shm"})
    CHECK_FALSE(says(no_filter[0], "message", what));
  CHECK(says(no_filter[0], "message", "change modes"));

  const auto no_landlock = judged_without({.landlock = true}, step);
  REQUIRE(no_landlock.size() == 1);
  INFO("seccomp alone: " << no_landlock[0].at("message"));
  for (const char* what :
       {"send it a signal", "trace it", "write its memory", "truncate by name", "truncate while reading",
        "change modes", "open TCP sockets", "get a user namespace"})
    CHECK_FALSE(says(no_landlock[0], "message", what));
  CHECK(says(no_landlock[0], "message", "write into /tmp"));
}

TEST_CASE("a rung's drivers keep what they compiled in a folder of its own; that of an earlier source goes") {
  const Scratch scratch;
  const fs::path caches = scratch.path / "kept", mine = caches / "tests/99-probe/c1_plain~right";
  fs::create_directories(mine / "0123456789abcdef/pocl");
  fs::create_directories(caches / "tests/99-probe/c1_plain~wrong/0123456789abcdef");
  json plan = plan_of(scratch, json::array({planned("c1_plain", "right")}), {"correctness"});
  plan["caches"] = caches.string();
  int status = 0;
  ::waitpid(start_judge(scratch, plan), &status, 0);
  REQUIRE(verdicts(scratch).size() == 1);
  CHECK(fs::exists(mine / "any"));
  CHECK_FALSE(fs::exists(mine / "0123456789abcdef"));
  CHECK(fs::exists(caches / "tests/99-probe/c1_plain~wrong/0123456789abcdef"));  // another step's
}

TEST_CASE("a solution and its mutants share what drivers compile") {
  const Scratch scratch;
  json solution = planned("c1_plain", "right"), mutant = solution;
  solution["tree"] = "solutions";
  solution["mutant"] = "";
  mutant["tree"] = "mutants";
  json plan = plan_of(scratch, json::array({solution, mutant}), {"correctness"});
  const fs::path caches = scratch.path / "kept";
  plan["caches"] = caches.string();
  int status = 0;
  ::waitpid(start_judge(scratch, plan), &status, 0);
  REQUIRE(verdicts(scratch).size() == 2);
  CHECK(fs::exists(caches / "solutions/99-probe/c1_plain/any"));
  CHECK_FALSE(fs::exists(caches / "mutants"));
}
