/// @file
/// Ctrl-C, kill -9 and processes that want to stay: what was finished is kept, and nobody is left behind.
// Guards: docs/student.md#what-is-kept

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/common/catch.hpp"
#include "tests/tool/fixture.hpp"
#include "tests/tool/gone.hpp"

using ladder::test::Checkout;
using ladder::test::within;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

int status_of(pid_t child) {
  int raw = 0;
  waitpid(child, &raw, 0);
  return WIFSIGNALED(raw) ? 128 + WTERMSIG(raw) : WEXITSTATUS(raw);
}

/// Living processes that were given a plan of this checkout: its judge.
int judges_of(const Checkout& c) {
  int count = 0;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator("/proc", ignored)) {
    const std::string settings = ladder::read_text(entry.path() / "environ");
    if (settings.find("LADDER_PLAN=" + (c.root() / "tmp").string()) != std::string::npos) ++count;
  }
  return count;
}

/// A checkout whose second step makes the judge hang; the tool is started and has reached it.
pid_t start_hanging(const Checkout& c) {
  fs::create_directories(c.root() / "tmp");
  c.order("lessons/07-toy/c1_first.cpp", "all PASS right");
  c.order("lessons/07-toy/g1_naive.cu", "all SLEEP");
  const pid_t tool = c.start({"check", "07/c1", "07/g1", "--json", "results.json"});
  // c1's verdict is printed when its records are complete; the judge is then asleep over g1.
  REQUIRE(within(60, [&] { return c.read("output").find("PASS") != std::string::npos; }));
  return tool;
}

}  // namespace

TEST_CASE("Ctrl-C ends the judge and keeps what was finished") {
  const Checkout c;
  const pid_t tool = start_hanging(c);
  CHECK(judges_of(c) == 1);
  kill(tool, SIGINT);
  CHECK(status_of(tool) == 1);
  CHECK(judges_of(c) == 0);
  const auto document = json::parse(c.read("results.json"), nullptr, false);
  REQUIRE(document.is_object());
  CHECK(document["interrupted"] == true);
  CHECK(document["lessons"][0]["steps"][0]["verdict"] == "PASS");
  CHECK(document["lessons"][0]["steps"][1]["verdict"] == "NOT RUN");
  CHECK(document["lessons"][0]["steps"][1]["message"] == "interrupted");
  CHECK(fs::is_empty(c.root() / "tmp"));
}

TEST_CASE("kill -9 of the tool ends the judge; its folder goes with the next call") {
  const Checkout c;
  const pid_t tool = start_hanging(c);
  kill(tool, SIGKILL);
  CHECK(status_of(tool) == 128 + SIGKILL);
  CHECK(within(5, [&] { return judges_of(c) == 0; }));
  CHECK_FALSE(fs::is_empty(c.root() / "tmp"));
  c.order("lessons/07-toy/g1_naive.cu", "all PASS right");
  CHECK(status_of(c.start({"check", "07/g1"})) == 0);
  CHECK(fs::is_empty(c.root() / "tmp"));
}

TEST_CASE("a process in a session of its own does not outlive the call") {
  const Checkout c;
  fs::create_directories(c.root() / "tmp");
  const std::string note = (c.root() / "stray").string();
  c.order("lessons/07-toy/c1_first.cpp", "correctness STRAY " + note);
  CHECK(status_of(c.start({"check", "07/c1"})) == 0);
  const int stray = std::stoi("0" + ladder::read_text(note));
  REQUIRE(stray > 0);
  CHECK(within(5, [&] { return ladder::test::gone(stray); }));
}

TEST_CASE("Ctrl-C in reproduce executor keeps what was measured, and what was kept whole before") {
  const Checkout c;
  fs::create_directories(c.root() / "tmp");
  c.order("solutions/07-toy/g1_naive.cu", "all SLEEP");
  c.write("out/executor.json", R"({"programs":[1]})");
  c.write("whole/executor.json", R"({"programs":[1],"costs":[2]})");
  for (const std::string folder : {"out", "whole"}) {
    const pid_t tool =
        c.start({"reproduce", "executor", "costs", "--report", folder, "--json", "results.json"});
    // The product has been measured; the judge is asleep over g1.
    REQUIRE(within(60, [&] { return judges_of(c) == 1; }));
    kill(tool, SIGINT);
    CHECK(status_of(tool) == 1);
    CHECK(judges_of(c) == 0);
    const auto document = json::parse(c.read(folder + "/executor.json"), nullptr, false);
    INFO(c.read("output"));
    REQUIRE(document.is_object());
    CHECK(document == json::parse(c.read("results.json"), nullptr, false));
    CHECK(document["interrupted"] == true);
    CHECK(document["programs"] == json({1}));
    if (folder == "out") {
      REQUIRE(document["costs"].size() == 1);
      CHECK(document["costs"][0]["name"] == "tiled product");
    } else {
      CHECK(document["costs"] == json({2}));
    }
    CHECK(c.read("output").find("interrupted: what was finished is above") != std::string::npos);
    CHECK(c.read("output").find("not measured: 1 solution: 07-toy/g1_naive") != std::string::npos);
    CHECK(fs::is_empty(c.root() / "tmp"));
  }
}
