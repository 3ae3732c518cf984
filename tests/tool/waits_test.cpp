/// @file
/// Who waits for whom in one copy: keys of watch after a save, a second terminal, and waits that are ended.
// Guards: docs/student.md#the-learners-loop-watch

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>

#include "tests/common/catch.hpp"
#include "tests/tool/fixture.hpp"
#include "tests/tool/session.hpp"

namespace ladder::waits_test {

using ladder::test::Checkout;
using ladder::test::Session;
using ladder::test::within;
namespace fs = std::filesystem;

namespace {

const std::string g1 = "lessons/07-toy/g1_naive.cu";
const std::string keys = "? keys";

/// Rows that say what their rungs were called before, as those of the real lessons do.
std::string renamed() {
  using ladder::test::row_text;
  return ladder::test::table_text(
      "A toy", {row_text("c1_first.cpp", "Begin.", "was = \"c2_begin\"\n"),
                row_text("c2_second.cpp", "Go on.", "kind = \"demonstration\"\n"),
                row_text("g1_naive.cu", "One thread per element.",
                         "was = \"g1_simple\"\nhints = [\"Which lane?\", \"That one.\"]\n")});
}

bool lock_is_free(const Checkout& c) {
  const int lock = open((c.root() / "build/.lock").c_str(), O_WRONLY | O_CLOEXEC);
  const bool free = flock(lock, LOCK_EX | LOCK_NB) == 0;
  close(lock);
  return free;
}

/// The lock of the build folder, as another ladder has it.
class Held {
 public:
  explicit Held(const Checkout& c)
      : lock_(open((c.root() / "build/.lock").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644)) {
    REQUIRE(flock(lock_, LOCK_EX) == 0);
  }
  ~Held() { close(lock_); }

 private:
  int lock_;
};

/// The end of a tool that was started; -1: it still runs, and is ended.
int status_within(double seconds, pid_t tool) {
  int raw = 0;
  if (within(seconds, [&] { return waitpid(tool, &raw, WNOHANG) == tool; }))
    return WIFSIGNALED(raw) ? 128 + WTERMSIG(raw) : WEXITSTATUS(raw);
  kill(tool, SIGKILL), waitpid(tool, &raw, 0);
  return -1;
}

/// From now on, while there is a file `slow`, configuring takes longer than anybody waits.
void make_configuring_slow(const Checkout& c) {
  std::string ninja = c.read("build/build.ninja");
  const auto replace = [&](const std::string& from, const std::string& to) {
    REQUIRE(ninja.find(from) != ninja.npos);
    ninja.replace(ninja.find(from), from.size(), to);
  };
  replace("rule keep\n  command = true\n", "rule keep\n  command = sh configure.sh\n");
  replace("build build.ninja: keep\n", "build build.ninja: keep newer\n");
  c.write("build/configure.sh", "if [ -e slow ]; then touch begun; sleep 1000; fi\ntouch build.ninja\n");
  c.write("build/build.ninja", ninja);
  c.write("build/newer", "");
  c.write("build/slow", "");
  const auto now = fs::file_time_type::clock::now();
  fs::last_write_time(c.root() / "build/build.ninja", now - std::chrono::hours(2));
  fs::last_write_time(c.root() / "build/newer", now - std::chrono::hours(1));
}

/// What an ended wait must not be taken for.
std::string false_cause_in(const std::string& output) {
  for (const char* cause :
       {"no contract", "is missing", "not part of this build", "MPI is not here", "does not compile"})
    if (output.find(cause) != output.npos) return cause;
  return "";
}

}  // namespace

TEST_CASE("every key of watch works after a save, and so does another terminal", "[watch]") {
  const auto [key, shown] = GENERATE(table<std::string, std::string>({{"h", "What comes first?"},
                                                                      {"p", "Worst lines"},
                                                                      {"b", "07/g1"},
                                                                      {"d", "after PASS"},
                                                                      {"n", "No other rung"},
                                                                      {"\n", "WRONG"},
                                                                      {"?", "Enter"}}));
  INFO("key " << key);
  const std::string verdict =
      GENERATE(as<std::string>{}, "WRONG first C[0][1]", "MISSED too many", "PASS right");
  const bool odd = verdict != "WRONG first C[0][1]";
  if (odd && key != "h" && key != "p") return;  // the lock is the same: two keys after each verdict
  const Checkout c;
  c.write("lessons/07-toy/rungs.toml", renamed());
  Session s(c, {"watch", "07/g1"});
  REQUIRE(s.shows(keys));
  c.order(g1, "correctness " + verdict);
  REQUIRE(s.shows("g1_naive.cu saved"));
  REQUIRE(s.shows("to the end"));
  REQUIRE(s.shows(keys));
  s.type(key);
  if (!odd) REQUIRE(s.shows(shown, 30));
  REQUIRE(s.shows(keys, 30));
  CHECK(s.output().find("waiting for another ladder") == std::string::npos);
  CHECK(lock_is_free(c));
  // Another terminal. (tool() of the fixture would end our other children, watch among them.)
  CHECK(status_within(20, c.start({"hint", "07/g1"})) == 0);
  CHECK(c.read("output").find("waiting") == std::string::npos);
  s.type("q");
  CHECK(s.status() == 0);
}

TEST_CASE("a verb that neither builds nor measures waits for nobody, at the second call at the latest",
          "[watch]") {
  const Checkout c;
  c.write("lessons/07-toy/rungs.toml", renamed());
  c.tool({"check", "07/g1"});
  c.tool({"list", "07"});
  const Held held(c);
  for (const char* verb : {"hint", "list", "predict"}) {
    INFO(verb);
    CHECK(status_within(20, c.start({verb, "07/g1"})) == 0);
    CHECK(c.read("output").find("waiting") == std::string::npos);
  }
}

TEST_CASE("a key of watch that measures says who has the build folder, and a save ends the wait", "[watch]") {
  const Checkout c;
  c.write("lessons/07-toy/rungs.toml", renamed());
  c.order(g1, "correctness WRONG first C[0][1]");
  Session s(c, {"watch", "07/g1"});
  REQUIRE(s.shows(keys));
  {
    c.write("build/.lock", "4711\n./ladder check 07/c1\n");  // before it is held: it becomes another file
    const Held held(c);
    c.write("build/.doing", "42 %  judging 07/c1\n");
    s.type("p");
    REQUIRE(s.shows("process 4711, since "));
    REQUIRE(s.shows("./ladder check 07/c1"));
    REQUIRE(s.shows("it is at: 42 %  judging 07/c1"));
    c.order(g1, "correctness WRONG first C[0][2]");
    REQUIRE(s.shows("g1_naive.cu saved"));
  }
  REQUIRE(s.shows("first C[0][2]"));
  REQUIRE(s.shows(keys));
  CHECK(false_cause_in(s.output()) == "");
}

TEST_CASE("a wait that is ended is called that, whatever ends it", "[watch]") {
  const int number = GENERATE(SIGINT, SIGTERM, SIGHUP);
  const Checkout c;
  c.write("lessons/07-toy/rungs.toml", renamed());
  c.write(".ladder/state.json", R"({"07-toy/g1_simple": {"verdict": "WRONG", "source": "x"}})");
  const Held held(c);
  const pid_t tool = c.start({"hint", "07/g1"});
  REQUIRE(
      within(20, [&] { return c.read("output").find("waiting for another ladder") != std::string::npos; }));
  kill(tool, number);
  CHECK(status_within(20, tool) == 2);
  const std::string output = c.read("output");
  INFO(output);
  CHECK(output.find("nothing was done: interrupted while another ./ladder was using this copy") !=
        std::string::npos);
  CHECK(false_cause_in(output) == "");
}

TEST_CASE("configuring that is ended tells nothing of lessons and devices", "[watch]") {
  const std::string verb = GENERATE(as<std::string>{}, "check", "list", "hint", "predict", "start", "run");
  INFO(verb);
  const Checkout c;
  make_configuring_slow(c);
  const pid_t tool = c.start({verb, "07/g1"});
  REQUIRE(within(20, [&] { return fs::exists(c.root() / "build/begun"); }));
  kill(tool, SIGTERM);
  CHECK(status_within(20, tool) != 0);
  const std::string output = c.read("output");
  INFO(output);
  CHECK(output.find("interrupted") != std::string::npos);
  CHECK(false_cause_in(output) == "");
}

TEST_CASE("a save that ends a key's verb is judged, and nothing false is said", "[watch]") {
  const Checkout c;
  c.order(g1, "correctness WRONG first C[0][1]");
  Session s(c, {"watch", "07/g1"});
  REQUIRE(s.shows(keys));
  make_configuring_slow(c);
  s.type("h");
  REQUIRE(within(20, [&] { return fs::exists(c.root() / "build/begun"); }));
  fs::remove(c.root() / "build/slow");
  c.order(g1, "correctness WRONG first C[0][2]");
  REQUIRE(s.shows("first C[0][2]"));
  REQUIRE(s.shows(keys));
  CHECK(false_cause_in(s.output()) == "");
}

TEST_CASE("on a terminal it is asked before a PASS is replaced, and only a yes replaces it", "[watch]") {
  const auto [answer, replaced] = GENERATE(table<std::string, bool>(
      {{"y\n", true}, {"Y\n", true}, {"yes\n", true}, {"n\n", false}, {"\n", false}, {"\x04", false}}));
  INFO("answer " << answer);
  const Checkout c;
  c.order(g1, "all PASS right");
  const std::string mine = c.read(g1);
  c.tool({"check", "07/g1"});
  Session s(c, {"reset", "07/g1"});
  REQUIRE(s.shows("07/g1 PASSes. Replace it? [y/N]"));
  CHECK(c.read(g1) == mine);
  s.type(answer);
  CHECK(s.status() == (replaced ? 0 : 1));
  CHECK((c.read(g1) != mine) == replaced);
  CHECK((s.output().find("Nothing was replaced") == std::string::npos) == replaced);
}

}  // namespace ladder::waits_test
